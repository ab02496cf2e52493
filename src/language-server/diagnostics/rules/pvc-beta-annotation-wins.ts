/** The beta annotation and the field name different classes. */
import { betaStorageClassAnnotation } from "../../../engine/api/storage-class-name.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { EnvironmentRule } from "../rule.ts";

export const pvcBetaAnnotationWins: EnvironmentRule = {
  id: "pvc-beta-annotation-wins",
  severity: "warning",
  scope: "environment",
  *check({ environment }) {
    for (const entry of environment.objects) {
      const { kind, value } = entry.object;
      if (kind !== "PersistentVolumeClaim" && kind !== "PersistentVolume") continue;
      const metadata = isRecord(value["metadata"]) ? value["metadata"] : {};
      const annotations = isRecord(metadata["annotations"]) ? metadata["annotations"] : {};
      const annotation = annotations[betaStorageClassAnnotation];
      const field = isRecord(value["spec"]) ? value["spec"]["storageClassName"] : undefined;
      if (typeof annotation !== "string" || typeof field !== "string" || annotation === field)
        continue;
      const path = ["metadata", "annotations", betaStorageClassAnnotation];
      yield {
        entry,
        path,
        message: `The annotation wins: class “${annotation}” is used, not “${field}”`,
        fix: {
          title: `Change storageClassName to “${annotation}”, which is used`,
          path: ["spec", "storageClassName"],
          value: annotation,
        },
      };
    }
  },
};
