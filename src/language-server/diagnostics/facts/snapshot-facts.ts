/** A snapshot's class and driver, as far as files tell. */
import { lastWritten } from "../../workspace/environment.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { EnvironmentContext } from "../rule.ts";
import { type ClaimFacts, claimIndex } from "./claim-facts.ts";

/** The driver of a snapshot: that of its source's volume, else of its content or class. */
export function driverOfSnapshot(
  context: EnvironmentContext,
  namespace: string,
  name: string,
): string | undefined {
  const { environment } = context;
  const entry = lastWritten(environment, "VolumeSnapshot", namespace, name);
  if (entry === undefined) return undefined;
  const content = textAt(entry.object.value, "spec", "source", "volumeSnapshotContentName");
  const contentEntry = lastWritten(environment, "VolumeSnapshotContent", undefined, content);
  return (
    sourceOfSnapshot(context, entry)?.driver ??
    textAt(contentEntry?.object.value ?? {}, "spec", "driver") ??
    textAt(snapshotClassOf(context, entry)?.object.value ?? {}, "driver")
  );
}

/** The claim that the snapshot is taken of. */
export function sourceOfSnapshot(
  context: EnvironmentContext,
  { object }: WorkspaceObject,
): ClaimFacts | undefined {
  const claim = textAt(object.value, "spec", "source", "persistentVolumeClaimName");
  return claim === undefined ? undefined : claimIndex(context).find(object.namespace, claim);
}

/** The class that the snapshot names. */
export function snapshotClassOf(
  { environment }: EnvironmentContext,
  { object }: WorkspaceObject,
): WorkspaceObject | undefined {
  const name = textAt(object.value, "spec", "volumeSnapshotClassName");
  return lastWritten(environment, "VolumeSnapshotClass", undefined, name);
}

export const defaultSnapshotClassAnnotation = "snapshot.storage.kubernetes.io/is-default-class";

export function isDefaultSnapshotClass({ object }: WorkspaceObject): boolean {
  const annotations = fieldsAt(object.value, "metadata", "annotations");
  return annotations[defaultSnapshotClassAnnotation] === "true";
}
