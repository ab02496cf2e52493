/** Ports that conflict without being refused. Upstream: pkg/api/pod/warnings.go, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { warnsOfPortNames } from "../../version-differences.ts";
import type { FieldPath } from "../field-path.ts";
import { goQuote } from "../go/text.ts";
import { visitContainers } from "../pod-containers.ts";
import type { ContainerPort, PodSpec } from "../types.ts";

interface Seen {
  readonly path: FieldPath;
  readonly port: ContainerPort;
}

export function warnOfPorts(
  spec: PodSpec,
  path: FieldPath,
  version: KubernetesVersion,
  warnings: string[],
): void {
  const ports: Seen[] = [];
  visitContainers(spec, path, (container, at) => {
    container.ports?.forEach((port, index) => {
      ports.push({ path: at.child("ports").index(index), port });
    });
  });
  if (ports.length === 0) return;
  warnOfNumbers(ports, warnings);
  if (!warnsOfPortNames(version)) return;
  const byName = new Map<string, FieldPath>();
  for (const { path: at, port } of ports) warnOfPortName(port, at, byName, warnings);
}

function warnOfNumbers(ports: readonly Seen[], warnings: string[]): void {
  const byNumber = new Map<string, Seen[]>();
  for (const seen of ports) {
    const { name = "", hostPort = 0, containerPort, protocol = "", hostIP = "" } = seen.port;
    if (hostIP !== "" && hostPort === 0) {
      const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
      warnings.push(`${seen.path}: hostIP set without hostPort: ${shown}`);
    }
    const key = `${containerPort}/${protocol}`;
    const others = byNumber.get(key);
    if (others === undefined) {
      byNumber.set(key, [seen]);
      continue;
    }
    for (const other of others) {
      const relation = relationOf(seen.port, other.port);
      if (relation !== undefined)
        warnings.push(`${seen.path}: ${relation} port definition with ${other.path}`);
    }
    others.push(seen);
  }
}

function relationOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const [hostPort, otherPort] = [port.hostPort ?? 0, other.hostPort ?? 0];
  const [hostIp, otherIp] = [port.hostIP ?? "", other.hostIP ?? ""];
  if (hostPort === otherPort && hostIp === otherIp) return "duplicate";
  if (hostPort === 0 || otherPort === 0) return "overlapping";
  const oneIsOpen = (hostIp === "") !== (otherIp === "");
  return hostPort === otherPort && oneIsOpen ? "dangerously ambiguous" : undefined;
}

function warnOfPortName(
  { name = "" }: ContainerPort,
  at: FieldPath,
  byName: Map<string, FieldPath>,
  warnings: string[],
): void {
  if (name === "") return;
  const first = byName.get(name);
  if (first === undefined) byName.set(name, at);
  else {
    warnings.push(
      `${at}: duplicate port name ${goQuote(name)} with ${first}, services and probes that select ports by name will use ${first}`,
    );
  }
}
