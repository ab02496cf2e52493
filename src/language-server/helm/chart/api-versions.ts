/**
 * The API versions that Helm assumes when it asks no cluster: `.Capabilities.APIVersions` of `helm template`. Upstream:
 * pkg/chart/common capabilities.go allKnownVersions, all that client-go v0.35 knows, in its order.
 */
export const knownApiVersions: readonly string[] = [
  "v1",
  ...inGroup("admissionregistration.k8s.io", "v1 v1alpha1 v1beta1"),
  ...inGroup("internal.apiserver.k8s.io", "v1alpha1"),
  ...inGroup("apps", "v1 v1beta1 v1beta2"),
  ...inGroup("authentication.k8s.io", "v1 v1alpha1 v1beta1"),
  ...inGroup("authorization.k8s.io", "v1 v1beta1"),
  ...inGroup("autoscaling", "v1 v2 v2beta1 v2beta2"),
  ...inGroup("batch", "v1 v1beta1"),
  ...inGroup("certificates.k8s.io", "v1 v1beta1 v1alpha1"),
  ...inGroup("coordination.k8s.io", "v1alpha2 v1beta1 v1"),
  ...inGroup("discovery.k8s.io", "v1 v1beta1"),
  ...inGroup("events.k8s.io", "v1 v1beta1"),
  ...inGroup("extensions", "v1beta1"),
  ...inGroup("flowcontrol.apiserver.k8s.io", "v1 v1beta1 v1beta2 v1beta3"),
  ...inGroup("networking.k8s.io", "v1 v1beta1"),
  ...inGroup("node.k8s.io", "v1 v1alpha1 v1beta1"),
  ...inGroup("policy", "v1 v1beta1"),
  ...inGroup("rbac.authorization.k8s.io", "v1 v1beta1 v1alpha1"),
  ...inGroup("resource.k8s.io", "v1 v1beta2 v1beta1 v1alpha3"),
  ...inGroup("scheduling.k8s.io", "v1alpha1 v1beta1 v1"),
  ...inGroup("storage.k8s.io", "v1beta1 v1 v1alpha1"),
  ...inGroup("storagemigration.k8s.io", "v1beta1"),
  ...inGroup("apiextensions.k8s.io", "v1beta1 v1"),
];

function inGroup(group: string, versions: string): readonly string[] {
  return versions.split(" ").map((version) => `${group}/${version}`);
}
