/**
 * Whether the kubelet gives a CSI volume to the pod's fsGroup, and how long that takes. Upstream: pkg/volume/csi/csi_mounter.go
 * supportsFSGroup (the rule: matching/fs-group.ts), pkg/volume/volume_linux.go VolumeOwnership v1.36.
 */
import { refOf } from "../../api/meta.ts";
import type { CSIDriver, Pod } from "../../api/types.ts";
import { fsGroupRefusal } from "../../matching/fs-group.ts";
import { event, sleep, type Task } from "../../runtime/effects.ts";
import { tellsOwnershipProgress } from "../../version-differences.ts";
import type { VolumeHost, VolumeSpec } from "./plugin.ts";

/** How many files per second change their group: an assumption, like other latencies. */
const filesPerSecond = 10_000;
const firstReportMs = 30_000;
const reportMs = 60_000;
const advice =
  "consider using OnRootMismatch - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#configure-volume-permission-and-ownership-change-policy-for-pods";

export interface Ownership {
  readonly pod: Pod;
  /** Where the volume is mounted for the pod. */
  readonly target: string;
  readonly group: number;
  /** Identifies the volume at its driver, where it keeps its group when unmounted. */
  readonly driver: string;
  readonly volumeHandle: string;
}

/** Gives every file of the volume to the group, with events if that takes long. */
export function* changeOwnership(host: VolumeHost, ownership: Ownership): Task {
  const { pod, target, group, driver, volumeHandle } = ownership;
  const { drivers } = host.context;
  const onlyOnMismatch = pod.spec.securityContext?.fsGroupChangePolicy === "OnRootMismatch";
  if (!onlyOnMismatch || drivers.rootGroup(driver, volumeHandle) !== group) {
    const fileCount = drivers.profile(driver)?.filesPerVolume ?? 0;
    const uid = pod.metadata.uid;
    const volume = `Setting volume ownership for ${target.slice(target.indexOf(uid))}`;
    const reason = "VolumePermissionChangeInProgress";
    const walkMs = (fileCount / filesPerSecond) * 1000;
    let at = 0;
    const reportedMs = tellsOwnershipProgress(host.context.version) ? walkMs : 0;
    for (let next = firstReportMs; next < reportedMs; next += reportMs) {
      yield* sleep(next - at);
      at = next;
      const isFirst = next === firstReportMs;
      const message = isFirst
        ? `${volume} is taking longer than expected, ${advice}`
        : `${volume}, processed ${(next / 1000) * filesPerSecond} files.`;
      yield* event(refOf(pod), "Warning", reason, message);
    }
    if (walkMs > at) yield* sleep(walkMs - at);
    drivers.setRootGroup(driver, volumeHandle, group);
  }
  host.machine.files.setGroup(target, group);
}

export function needsFsGroupChange(driver: CSIDriver | undefined, spec: VolumeSpec): boolean {
  const volume = spec.persistentVolume;
  const refusal = fsGroupRefusal({
    policy: driver?.spec.fsGroupPolicy,
    readOnly: spec.readOnly || spec.volume?.csi?.readOnly === true,
    fsType: volume === undefined ? spec.volume?.csi?.fsType : volume.spec.csi?.fsType,
    accessModes: volume === undefined ? undefined : (volume.spec.accessModes ?? []),
  });
  return refusal === undefined;
}
