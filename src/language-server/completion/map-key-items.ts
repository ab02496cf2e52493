/** Keys that Kubernetes gives a meaning in maps that accept any key: resource names, and annotations that people write. */
import { typeAt } from "../field-schema.ts";
import { annotationMeanings } from "../hover/meanings.ts";
import { own } from "../own.ts";
import { quotaKey } from "../workspace/objects/quota-key.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type Item, type Place, withText } from "./item.ts";

const ofContainers: readonly string[] = ["cpu", "memory", "ephemeral-storage"];
const ofQuotas: readonly string[] = ["requests.storage", "persistentvolumeclaims"];

const defaultMarks: Readonly<Record<string, string>> = {
  StorageClass: "storageclass.kubernetes.io/is-default-class",
  VolumeSnapshotClass: "snapshot.storage.kubernetes.io/is-default-class",
};

export function mapKeyItems(place: Place): readonly Item[] {
  const { object, path } = place;
  const map = path.slice(0, -1);
  const siblings = valueAt(object.value, map);
  const taken = isRecord(siblings) ? Object.keys(siblings) : [];
  return [...resourceNames(place, map).map(amount), ...annotations(object.kind, map)].filter(
    ({ label }) => !taken.includes(label),
  );
}

/** The resources that the map at the path can hold; nothing for other maps. */
function resourceNames({ analysis, object }: Place, map: Path): readonly string[] {
  const { kind } = object;
  const field = map.at(-1);
  const owner = typeAt(kind, map.slice(0, -1));
  if (field === "capacity" && owner === "PersistentVolumeSpec") return ["storage"];
  if (field === "hard" && owner === "ResourceQuotaSpec") {
    const ofClasses = (analysis?.names.names("StorageClass") ?? []).flatMap((name) =>
      ofQuotas.map((resource) => quotaKey(name, resource)),
    );
    return [...ofQuotas, ...ofClasses];
  }
  if (owner === "LimitRangeItem") return limited(valueAt(object.value, map.slice(0, -1)));
  if (field !== "requests" && field !== "limits") return [];
  if (owner === "VolumeResourceRequirements") return ["storage"];
  return owner === "ResourceRequirements" ? ofContainers : [];
}

/** A LimitRange limits the size of claims, and the resources of pods and containers. */
function limited(item: unknown): readonly string[] {
  const type = isRecord(item) ? item["type"] : undefined;
  return type === "PersistentVolumeClaim" ? ["storage"] : ofContainers;
}

function amount(label: string): Item {
  return { label, kind: "field", insert: `${label}: ` };
}

function annotations(kind: string, map: Path): readonly Item[] {
  const label = own(defaultMarks, kind);
  if (label === undefined || map.join(".") !== "metadata.annotations") return [];
  const item: Item = { label, kind: "field", insert: `${label}: "true"` };
  return [withText(item, own(annotationMeanings, label))];
}
