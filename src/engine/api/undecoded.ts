/** What can be read from an object that is not decoded: the claims that its pods would use, a volume's class. */
import { betaStorageClassAnnotation } from "./storage-class-name.ts";

/** Where a Pod, a workload and a CronJob have their pod spec. */
const podSpecs: readonly (readonly string[])[] = [
  ["spec"],
  ["spec", "template", "spec"],
  ["spec", "jobTemplate", "spec", "template", "spec"],
];

/** The claim names in the volumes of the object's pods, each once. */
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

/** The volume's class; "" if it names none. */
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
