/** Priority classes that every cluster has. Upstream: pkg/apis/scheduling/v1/helpers.go SystemPriorityClasses, v1.36. */
export const systemPriorities: ReadonlyMap<string, number> = new Map([
  ["system-cluster-critical", 2_000_000_000],
  ["system-node-critical", 2_000_001_000],
]);
