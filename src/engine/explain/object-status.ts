/** An object's status in a few words: its phase, and the object that it is tied to. */
import { type KubeObject, makeRef, type Ref } from "../api/meta.ts";
import { printedPod } from "./pods/printed-pod.ts";
import { printedCompletions, printedJobStatus, printedReady } from "./pods/printed-workload.ts";

export interface ObjectStatus {
  /** What kubectl prints in its STATUS column; for kinds without one, a summary of its other columns. */
  readonly phase: string;
  /** A claim's volume, a volume's claim, a pod's node, and so on; for workloads another of kubectl's columns. "" if none. */
  readonly target: string;
  readonly targetRef?: Ref;
}

export function objectStatus(object: KubeObject): ObjectStatus {
  switch (object.kind) {
    case "PersistentVolumeClaim":
      return claimStatus(object);
    case "PersistentVolume":
      return volumeStatus(object);
    case "Pod":
      return podStatus(object);
    case "VolumeAttachment":
      return attachmentStatus(object);
    case "VolumeSnapshot":
      return snapshotStatus(object);
    case "Deployment":
    case "StatefulSet":
      return replicatedStatus(object, object.status?.updatedReplicas);
    case "DaemonSet":
      return replicatedStatus(object, object.status?.updatedNumberScheduled);
    case "ReplicaSet":
    case "ReplicationController":
      return replicatedStatus(object, object.status?.replicas);
    case "Job":
      return { phase: printedJobStatus(object), target: printedCompletions(object) };
    case "CronJob":
      return cronJobStatus(object);
    default:
      return { phase: isTerminating(object) ? "Terminating" : "", target: "" };
  }
}

function claimStatus(claim: KubeObject<"PersistentVolumeClaim">): ObjectStatus {
  const phase = isTerminating(claim) ? "Terminating" : (claim.status?.phase ?? "Pending");
  const volume = claim.spec.volumeName ?? "";
  if (volume === "") return { phase, target: "" };
  return { phase, target: volume, targetRef: makeRef("PersistentVolume", undefined, volume) };
}

function volumeStatus(volume: KubeObject<"PersistentVolume">): ObjectStatus {
  const phase = isTerminating(volume) ? "Terminating" : (volume.status?.phase ?? "Pending");
  const claim = volume.spec.claimRef;
  if (claim?.name === undefined) return { phase, target: "" };
  return {
    phase,
    target: `${claim.namespace ?? "default"}/${claim.name}`,
    targetRef: makeRef("PersistentVolumeClaim", claim.namespace ?? "default", claim.name),
  };
}

function podStatus(pod: KubeObject<"Pod">): ObjectStatus {
  const node = pod.spec.nodeName ?? "";
  const phase = printedPod(pod).status;
  if (node === "") return { phase, target: "" };
  return { phase, target: node, targetRef: makeRef("Node", undefined, node) };
}

function attachmentStatus(attachment: KubeObject<"VolumeAttachment">): ObjectStatus {
  const { attached, attachError, detachError } = attachment.status ?? {};
  const target = attachment.spec.nodeName;
  const targetRef = makeRef("Node", undefined, target);
  if (isTerminating(attachment)) {
    return { phase: detachError === undefined ? "Detaching" : "DetachError", target, targetRef };
  }
  if (attached === true) return { phase: "Attached", target, targetRef };
  return { phase: attachError === undefined ? "Attaching" : "AttachError", target, targetRef };
}

function snapshotStatus(snapshot: KubeObject<"VolumeSnapshot">): ObjectStatus {
  const { metadata, spec, status } = snapshot;
  const { persistentVolumeClaimName: claim, volumeSnapshotContentName: content = "" } = spec.source;
  const phase = isTerminating(snapshot)
    ? "Terminating"
    : status?.readyToUse === true
      ? "ReadyToUse"
      : status?.error === undefined
        ? "Pending"
        : "Error";
  return claim === undefined
    ? { phase, target: content, targetRef: makeRef("VolumeSnapshotContent", undefined, content) }
    : {
        phase,
        target: claim,
        targetRef: makeRef("PersistentVolumeClaim", metadata.namespace, claim),
      };
}

function replicatedStatus(workload: Parameters<typeof printedReady>[0], counted = 0): ObjectStatus {
  const phase = isTerminating(workload) ? "Terminating" : `${printedReady(workload)} ready`;
  return { phase, target: String(counted) };
}

function cronJobStatus(cronJob: KubeObject<"CronJob">): ObjectStatus {
  const { spec, status } = cronJob;
  const phase = isTerminating(cronJob)
    ? "Terminating"
    : spec.suspend === true
      ? "Suspended"
      : `${status?.active?.length ?? 0} active`;
  return { phase, target: spec.schedule };
}

function isTerminating(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
