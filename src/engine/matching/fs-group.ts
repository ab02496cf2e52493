/**
 * Whether the kubelet applies the pod's fsGroup to a CSI volume, and if not, why.
 * Upstream: pkg/volume/csi/csi_mounter.go supportsFSGroup v1.36. Drivers with VOLUME_MOUNT_GROUP, which set the group
 * themselves, are not covered here.
 */

export type FsGroupPolicy = "None" | "File" | "ReadWriteOnceWithFSType";

export interface FsGroupQuestion {
  /** spec.fsGroupPolicy of the CSIDriver. */
  readonly policy: string | undefined;
  readonly readOnly: boolean;
  readonly fsType: string | undefined;
  /** The volume's access modes; undefined for inline volumes, which have none. */
  readonly accessModes: readonly string[] | undefined;
}

/** `several-nodes`: no access mode is limited to one node or pod. */
export type FsGroupRefusal = "policy-none" | "read-only" | "no-fstype" | "several-nodes";

const defaultPolicy: FsGroupPolicy = "ReadWriteOnceWithFSType";

/** Returns undefined if the group is applied. */
export function fsGroupRefusal(question: FsGroupQuestion): FsGroupRefusal | undefined {
  const { policy = defaultPolicy, readOnly, fsType = "", accessModes } = question;
  if (policy === "None") return "policy-none";
  if (readOnly) return "read-only";
  if (policy === "File") return undefined;
  if (fsType === "") return "no-fstype";
  if (accessModes === undefined) return undefined;
  const isExclusive =
    accessModes.includes("ReadWriteOnce") || accessModes.includes("ReadWriteOncePod");
  return isExclusive ? undefined : "several-nodes";
}
