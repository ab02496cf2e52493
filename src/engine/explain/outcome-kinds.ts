/** The objects whose outcome is listed, on the page and beside the editor, and what they are called there. */
import { controllerOf, type KubeObject, nameOfRef, type Ref } from "../api/meta.ts";

/** In the order in which they are listed. */
export const outcomeKinds = [
  "PersistentVolumeClaim",
  "PersistentVolume",
  "VolumeSnapshot",
  "Pod",
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicaSet",
  "ReplicationController",
  "Job",
  "CronJob",
  "VolumeAttachment",
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export function isOutcomeKind(kind: string): kind is OutcomeKind {
  return outcomeKinds.some((known) => known === kind);
}

/** A Deployment's ReplicaSets say no more than it does. */
export function isOfDeployment(object: KubeObject): boolean {
  return object.kind === "ReplicaSet" && controllerOf(object)?.kind === "Deployment";
}

/** Without the namespace. An attachment's own name is a hash; what a person looks for is its volume. */
export function listedName(ref: Ref, object: KubeObject | undefined): string {
  const volume =
    object?.kind === "VolumeAttachment" ? object.spec.source.persistentVolumeName : undefined;
  return volume ?? nameOfRef(ref);
}
