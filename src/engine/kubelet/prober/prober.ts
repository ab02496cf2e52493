/**
 * Which probes fail. What a program answers is unknown here, so a probe that the kubelet can make is assumed to succeed. It
 * cannot make a probe of a named port that the container does not have. Upstream: pkg/kubelet/prober/prober.go runProbe v1.36.
 */
import type { Container, Probe } from "../../api/types.ts";
import { isUnknownPort } from "../../matching/container-port.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { namesStateOfErroredProbes } from "../../version-differences.ts";

export type ProbeType = "Liveness" | "Readiness" | "Startup";

/** Returns why the kubelet cannot make the probe; undefined if it can. */
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
