/**
 * Whether the kubelet hands a CSI volume to the pod's fsGroup, and if not, why.
 * Upstream: pkg/volume/csi/csi_mounter.go supportsFSGroup v1.36. Drivers with
 * VOLUME_MOUNT_GROUP, which set the group themselves, are not asked about here.
 */

export type FsGroupPolicy = "None" | "File" | "ReadWriteOnceWithFSType";

export interface FsGroupQuestion {
  /** Of the CSIDriver object. */
  readonly policy: string | undefined;
  readonly readOnly: boolean;
  readonly fsType: string | undefined;
  /** Of the volume; undefined for inline ones, which have none. */
  readonly accessModes: readonly string[] | undefined;
}

/** `several-nodes`: none of the access modes is for one node or pod alone. */
export type FsGroupRefusal = "policy-none" | "read-only" | "no-fstype" | "several-nodes";

const defaultPolicy: FsGroupPolicy = "ReadWriteOnceWithFSType";

/** Undefined where the group is applied. */
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
