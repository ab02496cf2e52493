/** Makes an accepted object look like one that the cluster stores. */
import type { Draft, KubeObject } from "../../../engine/api/meta.ts";
import { runStart } from "../../../engine/api/timestamp.ts";

/** Fills in uid, resourceVersion and creationTimestamp, if missing: people remove them when they tidy kubectl's output. */
export function asNamed(object: Draft): KubeObject {
  const { uid = "", resourceVersion = "", creationTimestamp } = object.metadata;
  const metadata = {
    ...object.metadata,
    uid: uid === "" ? object.metadata.name : uid,
    resourceVersion: resourceVersion === "" ? "1" : resourceVersion,
    creationTimestamp: creationTimestamp ?? runStart,
  };
  return { ...object, metadata } as KubeObject;
}
