/** Which objects the names in a recognized message stand for. */
import type { Kind } from "../../engine/api/meta.ts";
import type { MessageValues } from "../../engine/explain/messages/message-pattern.ts";
import type { Recognition } from "../../engine/explain/messages/recognition.ts";

const kindOfPlaceholder: Readonly<Record<string, Kind>> = {
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

/** In the order of the message. */
export function namesAmong(values: MessageValues): readonly MessageName[] {
  return Object.entries(values).flatMap(([placeholder, text]): readonly MessageName[] => {
    if (placeholder === "pods") return podsIn(text).map((pod) => ({ kind: "Pod", text: pod }));
    const kind = kindOfPlaceholder[placeholder];
    return kind === undefined || text === "" ? [] : [{ kind, text }];
  });
}

/** `web-0, web-1`, optionally followed by the number of pods elsewhere. Upstream: reportMultiAttachError. */
function podsIn(text: string): readonly string[] {
  const [named = ""] = text.split(" and ");
  return named.split(/, ?/).filter((name) => /^[a-z0-9./-]+$/.test(name));
}

/** Includes the names in nested messages. */
export function namesInMessage({ values, inner }: Recognition): readonly MessageName[] {
  return [...namesAmong(values), ...inner.flatMap(namesInMessage)];
}
