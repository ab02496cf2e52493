/** The compute resources that containers, limits and quotas can name. Upstream: pkg/apis/core/helper standardResources. */
export const computeResourceNames: readonly string[] = [
  "cpu",
  "memory",
  "ephemeral-storage",
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
];
