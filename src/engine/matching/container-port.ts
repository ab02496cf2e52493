/**
 * Ports that probes and hooks ask by their names. Upstream: pkg/probe/util.go ResolveContainerPort, pkg/kubelet/lifecycle/handlers.go
 * runHTTPHandler v1.36: it is one of the same container's ports, and what has no such name is no number either.
 */
export function isUnknownPort(
  port: unknown,
  ports: readonly { readonly name?: unknown }[],
): port is string {
  return typeof port === "string" && !ports.some(({ name }) => name === port);
}
