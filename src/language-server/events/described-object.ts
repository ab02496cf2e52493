/** Which object `kubectl describe` tells of: most of its heads do not say the kind. */
import type { Kind } from "../../engine/api/meta.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { kindOfResource } from "./resource-names.ts";

/** Fields that are printed of one kind alone, and some at the head, of which people copy no more; the more special first. */
const marks: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:Containers|Init Containers|QoS Class|Termination Grace Period):/, "Pod"],
  // Those of a pod's template are indented.
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

/** What the head of a description says of its object; undefined where no line tells the kind. */
export function describedObject(lines: readonly string[]): PastedEvent["about"] {
  const field = (name: string): string =>
    lines.flatMap((line) => new RegExp(`^${name}:\\s+(\\S+)`).exec(line)?.[1] ?? [])[0] ?? "";
  // Custom resources are described with their kind.
  const mark = marks.find(([expression]) => lines.some((line) => expression.test(line)));
  const kind = kindOfResource(field("Kind")) ?? mark?.[1];
  return kind === undefined
    ? undefined
    : { kind, namespace: field("Namespace").replace("<none>", ""), name: field("Name") };
}
