/**
 * What comes of a probe. What a program answers cannot be known here: a probe that the kubelet can make is taken to succeed. One
 * that asks a port by a name that the container's ports do not have cannot be made. Upstream: pkg/kubelet/prober/prober.go
 * runProbe v1.36.
 */
import type { Container, Probe } from "../../api/types.ts";
import { isUnknownPort } from "../../matching/container-port.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { namesStateOfErroredProbes } from "../../version-differences.ts";

export type ProbeType = "Liveness" | "Readiness" | "Startup";

/** Why the kubelet cannot make it; undefined where it can. */
export function probeError({ ports = [] }: Container, probe: Probe): string | undefined {
  const port = probe.httpGet?.port ?? probe.tcpSocket?.port;
  if (!isUnknownPort(port, ports)) return undefined;
  return `strconv.Atoi: parsing "${port}": invalid syntax`;
}

export function erroredText(type: ProbeType, error: string, version: KubernetesVersion): string {
  const what = `${type} probe errored`;
  return namesStateOfErroredProbes(version)
    ? `${what} and resulted in unknown state: ${error}`
    : `${what}: ${error}`;
}
