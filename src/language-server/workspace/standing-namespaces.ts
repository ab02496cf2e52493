/** Namespaces that every cluster has, whether or not a file holds them. */
export const standingNamespaces: ReadonlySet<string> = new Set([
  "default",
  "kube-system",
  "kube-public",
  "kube-node-lease",
]);
