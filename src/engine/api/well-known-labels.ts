/** Current and former labels of nodes. Upstream: staging/src/k8s.io/api/core/v1/well_known_labels.go, v1.36. */
export const hostnameLabel = "kubernetes.io/hostname";
export const zoneLabel = "topology.kubernetes.io/zone";
export const regionLabel = "topology.kubernetes.io/region";
export const betaZoneLabel = "failure-domain.beta.kubernetes.io/zone";
export const betaRegionLabel = "failure-domain.beta.kubernetes.io/region";

/** Beta labels with their current names. */
export const renamedLabels: Readonly<Record<string, string>> = {
  [betaZoneLabel]: zoneLabel,
  [betaRegionLabel]: regionLabel,
  "beta.kubernetes.io/os": "kubernetes.io/os",
  "beta.kubernetes.io/arch": "kubernetes.io/arch",
  "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
};
