/**
 * Kinds that kustomize knows as cluster-scoped, which are those of Kubernetes 1.21: all others get a namespace, which the API
 * server drops if the kind has none. Upstream: kustomize v5 kyaml/openapi openapi.go IsNamespaceScoped and
 * kubernetesapi/v1_21_2.
 */

/** By group, in v1 and v1beta1; exceptions and the core group follow below. */
const clusterScoped: Readonly<Record<string, readonly string[]>> = {
  "admissionregistration.k8s.io": [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
  ],
  "apiextensions.k8s.io": ["CustomResourceDefinition"],
  "apiregistration.k8s.io": ["APIService"],
  "certificates.k8s.io": ["CertificateSigningRequest"],
  "networking.k8s.io": ["IngressClass"],
  "node.k8s.io": ["RuntimeClass"],
  "rbac.authorization.k8s.io": ["ClusterRole", "ClusterRoleBinding"],
  "scheduling.k8s.io": ["PriorityClass"],
  "storage.k8s.io": ["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"],
};

const known: ReadonlySet<string> = new Set([
  ...["ComponentStatus", "Namespace", "Node", "PersistentVolume"].map((kind) => `v1/${kind}`),
  ...Object.entries(clusterScoped).flatMap(([group, kinds]) =>
    ["v1", "v1beta1"].flatMap((version) => kinds.map((kind) => `${group}/${version}/${kind}`)),
  ),
  ...["FlowSchema", "PriorityLevelConfiguration"].map(
    (kind) => `flowcontrol.apiserver.k8s.io/v1beta1/${kind}`,
  ),
  "policy/v1beta1/PodSecurityPolicy",
]);

export function isClusterScoped(apiVersion: string, kind: string): boolean {
  return known.has(`${apiVersion}/${kind}`);
}
