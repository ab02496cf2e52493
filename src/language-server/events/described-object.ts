/** Which object a `kubectl describe` output is about: most kinds are not named in its head. */
import type { Kind } from "../../engine/api/meta.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { kindOfResource } from "./resource-names.ts";

/**
 * Lines that only one kind has, more distinctive ones first. Some are near the top, because people may copy no more than that.
 */
const marks: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:Containers|Init Containers|QoS Class|Termination Grace Period):/, "Pod"],
  // Not indented: a workload's pod template has the same fields, indented.
  [/^(?:Node|Service Account|Node-Selectors|Tolerations):/, "Pod"],
  [/^(?:Reclaim Policy|Claim):/, "PersistentVolume"],
  [/^(?:Access Modes|Volume|Used By|Mounted By):/, "PersistentVolumeClaim"],
  [/^Volume Claims:/, "StatefulSet"],
  [/^(?:StrategyType|NewReplicaSet):/, "Deployment"],
  [/^(?:AllowVolumeExpansion|VolumeBindingMode):/, "StorageClass"],
  [/^(?:Desired Number of Nodes Scheduled):/, "DaemonSet"],
  [/^(?:Concurrency Policy):/, "CronJob"],
  [/^(?:Completions|Pods Statuses):/, "Job"],
  [/^Replicas:\s+\d+ current \/ \d+ desired/, "ReplicaSet"],
  [/^(?:Allocatable|System Info):/, "Node"],
];

/** Kind, namespace and name from the head of a description; undefined if no line reveals the kind. */
export function describedObject(lines: readonly string[]): PastedEvent["about"] {
  const field = (name: string): string =>
    lines.flatMap((line) => new RegExp(`^${name}:\\s+(\\S+)`).exec(line)?.[1] ?? [])[0] ?? "";
  // Descriptions of custom resources name their kind.
  const mark = marks.find(([expression]) => lines.some((line) => expression.test(line)));
  const kind = kindOfResource(field("Kind")) ?? mark?.[1];
  return kind === undefined
    ? undefined
    : { kind, namespace: field("Namespace").replace("<none>", ""), name: field("Name") };
}
