/** Ports that get in each other's way without being refused. Upstream: pkg/api/pod/warnings.go, v1.36. */
import type { FieldPath } from "../field-path.ts";
import { goQuote } from "../go-text.ts";
import type { ContainerPort, PodSpec } from "../types.ts";

interface Seen {
  readonly path: string;
  readonly port: ContainerPort;
}

export function warnOfPorts(spec: PodSpec, path: FieldPath, warnings: string[]): void {
  const byNumber = new Map<string, Seen[]>();
  const byName = new Map<string, string>();
  for (const field of ["initContainers", "containers"] as const) {
    spec[field]?.forEach((container, index) => {
      container.ports?.forEach((port, position) => {
        const at = path.child(field).index(index).child("ports").index(position).toString();
        const key = `${port.containerPort}/${port.protocol ?? ""}`;
        const others = byNumber.get(key) ?? [];
        for (const other of others) {
          const relation = relationOf(port, other.port);
          if (relation !== undefined)
            warnings.push(`${at}: ${relation} port definition with ${other.path}`);
        }
        byNumber.set(key, [...others, { path: at, port }]);
        warnOfPortName(port, at, byName, warnings);
      });
    });
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
  at: string,
  byName: Map<string, string>,
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
