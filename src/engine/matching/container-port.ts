/**
 * True for a port name that none of the container's own ports has. Probes and hooks do not look for it in the pod's other
 * containers, and parsing it as a number fails. Upstream: pkg/probe/util.go ResolveContainerPort,
 * pkg/kubelet/lifecycle/handlers.go runHTTPHandler v1.36.
 */
export function isUnknownPort(
  port: unknown,
  ports: readonly { readonly name?: unknown }[],
): port is string {
  return typeof port === "string" && !ports.some(({ name }) => name === port);
}
