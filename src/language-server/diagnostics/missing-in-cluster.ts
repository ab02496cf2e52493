/** Rules on what is in no file. It may be in the cluster, so that they speak softly where nobody has imported it. */
import type { Kind } from "../../engine/api/meta.ts";
import type { Environment } from "../workspace/workspace.ts";
import type { Severity } from "./rule.ts";

/** What each of them misses. */
const missedKinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ["affinity-node-unknown", "Node"],
  ["class-secret-missing", "Secret"],
  ["csidriver-missing", "CSIDriver"],
  ["datasource-missing", "PersistentVolumeClaim"],
  ["namespace-missing", "Namespace"],
  ["pod-claim-missing", "PersistentVolumeClaim"],
  ["priority-class-missing", "PriorityClass"],
  ["provisioner-unknown", "CSIDriver"],
  ["pv-claimref-missing-claim", "PersistentVolumeClaim"],
  ["pvc-class-absent-no-default", "StorageClass"],
  ["pvc-class-missing", "StorageClass"],
  ["pvc-selector-no-match", "PersistentVolume"],
  ["pvc-volumename-missing", "PersistentVolume"],
  ["quota-class-unknown", "StorageClass"],
  ["runtime-class-missing", "RuntimeClass"],
  ["snapshot-class-missing", "VolumeSnapshotClass"],
  ["snapshot-no-default", "VolumeSnapshotClass"],
  ["sts-template-class-missing", "StorageClass"],
  ["vac-missing", "VolumeAttributesClass"],
]);

/** One level more where the cluster is known and has nothing of the kind by that name. */
export function severityInCluster(
  rule: string,
  severity: Severity,
  { imported }: Environment,
): Severity {
  const missed = missedKinds.get(rule);
  if (missed === undefined || imported?.kinds.has(missed) !== true) return severity;
  if (severity === "hint") return "information";
  return severity === "information" ? "warning" : severity;
}
