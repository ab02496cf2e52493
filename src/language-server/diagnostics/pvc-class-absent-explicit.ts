/** A claim without a class gets the default one of whatever cluster it is applied to. */
import { betaStorageClassAnnotation, isDefaultClass } from "../../engine/api/storage-class-name.ts";
import type { ObjectMeta } from "../../engine/api/types.ts";
import { isRecord } from "../yaml/manifest.ts";
import { claimSpecsOf, fieldsAt } from "./manifest-fields.ts";
import type { EnvironmentContext, EnvironmentRule } from "./rule.ts";

export const pvcClassAbsentExplicit: EnvironmentRule = {
  id: "pvc-class-absent-explicit",
  severity: "hint",
  scope: "environment",
  *check(context) {
    const name = defaultClassOf(context);
    if (name === undefined) return;
    for (const entry of context.environment.objects) {
      for (const { fields, path } of claimSpecsOf(entry.object)) {
        if (Object.keys(fields).length === 0 || "storageClassName" in fields) continue;
        const owner = fieldsAt(entry.object.value, ...path.slice(0, -1).map(String));
        if (fieldsAt(owner, "metadata", "annotations")[betaStorageClassAnnotation] !== undefined)
          continue;
        yield {
          entry,
          path: [...path, "storageClassName"],
          message: `Class “${name}” will be filled in at creation; another cluster may choose differently`,
          fix: {
            title: `Set storageClassName to ${name}`,
            path: [...path, "storageClassName"],
            value: name,
          },
        };
      }
    }
  },
};

/** Of the user's files before that of the assumed cluster. */
export function defaultClassOf({ environment, cluster }: EnvironmentContext): string | undefined {
  const values: readonly Readonly<Record<string, unknown>>[] = [
    ...environment.objects.filter(({ object }) => object.served).map(({ object }) => object.value),
    ...cluster.manifests,
  ];
  const found = values.find(
    (value) =>
      value["kind"] === "StorageClass" &&
      isRecord(value["metadata"]) &&
      isDefaultClass(value as unknown as { readonly metadata: ObjectMeta }),
  );
  const name = fieldsAt(found ?? {}, "metadata")["name"];
  return typeof name === "string" ? name : undefined;
}
