/** An object as the cluster would hold it, of what the API server has taken. */
import type { Draft, KubeObject } from "../../../engine/api/meta.ts";
import { runStart } from "../../../engine/api/timestamp.ts";

/** With what the API server gives each object. People tidy what kubectl has printed, and take it out. */
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
