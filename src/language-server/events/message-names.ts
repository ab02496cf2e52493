/** Which objects the names in a recognised message stand for. */
import type { Kind } from "../../engine/api/meta.ts";
import type { Recognition } from "../../engine/explain/messages/recognition.ts";

export const kindOfPlaceholder: Readonly<Record<string, Kind>> = {
  volume: "PersistentVolume",
  claim: "PersistentVolumeClaim",
  class: "StorageClass",
  pod: "Pod",
  node: "Node",
  driver: "CSIDriver",
  snapshot: "VolumeSnapshot",
  content: "VolumeSnapshotContent",
  snapshotClass: "VolumeSnapshotClass",
  attributesClass: "VolumeAttributesClass",
  priorityClass: "PriorityClass",
  secret: "Secret",
  configMap: "ConfigMap",
};

export interface MessageName {
  readonly kind: Kind;
  /** May have a namespace in front: `shop/data`. */
  readonly text: string;
}

/** In the order of the message, what is inside of it included. */
export function namesInMessage({ values, inner }: Recognition): readonly MessageName[] {
  const own = Object.entries(values).flatMap(([placeholder, text]): readonly MessageName[] => {
    const kind = kindOfPlaceholder[placeholder];
    return kind === undefined || text === "" ? [] : [{ kind, text }];
  });
  return [...own, ...inner.flatMap(namesInMessage)];
}
