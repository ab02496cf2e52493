/** The beta annotation and the field name different classes. */
import { betaStorageClassAnnotation } from "../../../engine/api/storage-class-name.ts";
import { claimSpecsOf, fieldsAt } from "../../workspace/manifest-fields.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { EnvironmentRule } from "../rule.ts";

export const pvcBetaAnnotationWins: EnvironmentRule = {
  id: "pvc-beta-annotation-wins",
  severity: "warning",
  scope: "environment",
  *check({ environment }) {
    for (const entry of environment.objects) {
      const { object } = entry;
      const specs =
        object.kind === "PersistentVolume"
          ? [{ fields: fieldsAt(object.value, "spec"), path: ["spec"] }]
          : claimSpecsOf(object);
      for (const { fields, path: spec } of specs) {
        const place = [...spec.slice(0, -1), "metadata"];
        const metadata = valueAt(object.value, place);
        const annotation = fieldsAt({ metadata }, "metadata", "annotations")[
          betaStorageClassAnnotation
        ];
        const field = fields["storageClassName"];
        if (typeof annotation !== "string" || typeof field !== "string" || annotation === field)
          continue;
        yield {
          entry,
          path: [...place, "annotations", betaStorageClassAnnotation],
          message: `The annotation wins: class “${annotation}” is used, not “${field}”`,
          fix: {
            title: `Change storageClassName to “${annotation}”, which is used`,
            path: [...spec, "storageClassName"],
            value: annotation,
          },
        };
      }
    }
  },
};
