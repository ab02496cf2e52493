/** The kinds whose outcomes are listed, on the page and beside the editor, and the names shown there. */
import { controllerOf, type KubeObject, nameOfRef, type Ref } from "../api/meta.ts";

/** In the order of the list. */
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

/** True for a Deployment's ReplicaSets, which are not listed: they say no more than the Deployment. */
export function isOfDeployment(object: KubeObject): boolean {
  return object.kind === "ReplicaSet" && controllerOf(object)?.kind === "Deployment";
}

/** The name without the namespace; for an attachment, whose own name is a hash, the name of its volume. */
export function listedName(ref: Ref, object: KubeObject | undefined): string {
  const volume =
    object?.kind === "VolumeAttachment" ? object.spec.source.persistentVolumeName : undefined;
  return volume ?? nameOfRef(ref);
}
