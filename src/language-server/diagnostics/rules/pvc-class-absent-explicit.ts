/** A claim without a class gets the default class of whatever cluster it is applied to. */
import { betaStorageClassAnnotation } from "../../../engine/api/storage-class-name.ts";
import { claimSpecsOf, fieldsAt, fieldsOf } from "../../workspace/manifest-fields.ts";
import { valueAt } from "../../yaml/manifest.ts";
import { defaultClassOf } from "../facts/default-class.ts";
import type { EnvironmentRule } from "../rule.ts";

export const pvcClassAbsentExplicit: EnvironmentRule = {
  id: "pvc-class-absent-explicit",
  severity: "hint",
  scope: "environment",
  yieldsTo: ["pvc-default-class-over-volume"],
  *check(context) {
    const name = defaultClassOf(context);
    if (name === undefined) return;
    const { objects, imported } = context.environment;
    for (const entry of objects) {
      // An existing claim already has its class.
      if (imported?.byRef.has(entry.object.ref ?? "") === true) continue;
      for (const { fields, path } of claimSpecsOf(entry.object)) {
        if (Object.keys(fields).length === 0 || "storageClassName" in fields) continue;
        // It is meant to have the class of the volume that it names.
        if (fields["volumeName"] !== undefined) continue;
        const owner = fieldsOf(valueAt(entry.object.value, path.slice(0, -1)));
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
