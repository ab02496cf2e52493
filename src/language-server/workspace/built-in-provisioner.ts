/** Names that Kubernetes itself answers for, by doing nothing or by redirecting to a CSI driver. */
export function isBuiltIn(provisioner: string): boolean {
  return provisioner.startsWith("kubernetes.io/");
}
