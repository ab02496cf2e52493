/** What can be told of an object that nobody has decoded: the claims that its pods would use, a volume's class. */
import { betaStorageClassAnnotation } from "./storage-class-name.ts";

/** Of a Pod, of what makes Pods, and of a CronJob. */
const podSpecs: readonly (readonly string[])[] = [
  ["spec"],
  ["spec", "template", "spec"],
  ["spec", "jobTemplate", "spec", "template", "spec"],
];

/** Names as the volumes of its pods say them, once each; empty where there are none. */
export function claimNamesOf(object: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of podSpecs) {
    const volumes = fieldOf(object, ...path, "volumes");
    for (const volume of Array.isArray(volumes) ? volumes : []) {
      const name = fieldOf(volume, "persistentVolumeClaim", "claimName");
      if (typeof name === "string") names.add(name);
    }
  }
  return names;
}

/** "" where it names none. */
export function volumeClassOf(volume: unknown): string {
  const name =
    fieldOf(volume, "metadata", "annotations", betaStorageClassAnnotation) ??
    fieldOf(volume, "spec", "storageClassName");
  return typeof name === "string" ? name : "";
}

function fieldOf(object: unknown, ...path: readonly string[]): unknown {
  let value = object;
  for (const key of path)
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined;
  return value;
}
