/** How to save a cluster's objects: the kinds that matter for storage, without Secrets and ConfigMaps, which stay private. */
export const kubectlResources: readonly string[] = [
  "nodes",
  "csinodes",
  "csidrivers",
  "csistoragecapacities",
  "storageclasses",
  "persistentvolumes",
  "persistentvolumeclaims",
  "volumeattachments",
  "namespaces",
  "serviceaccounts",
  "limitranges",
  "resourcequotas",
  "priorityclasses",
  "runtimeclasses",
  "poddisruptionbudgets",
  "pods",
  "deployments",
  "replicasets",
  "statefulsets",
  "daemonsets",
  "controllerrevisions",
  "jobs",
  "cronjobs",
];

export const kubectlCommand: string = `kubectl get ${kubectlResources.join(",")} -A -o yaml`;
