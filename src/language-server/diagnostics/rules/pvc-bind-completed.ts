/** A claim with the annotation that it is bound, but without a volume. */
import { annotation } from "../../../engine/matching/annotations.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { EnvironmentRule } from "../rule.ts";

export const pvcBindCompleted: EnvironmentRule = {
  id: "pvc-bind-completed",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check({ environment }) {
    for (const entry of environment.objects) {
      const { kind, value } = entry.object;
      if (kind !== "PersistentVolumeClaim") continue;
      const annotations = fieldsAt(value, "metadata", "annotations");
      if (annotations[annotation.bindCompleted] === undefined) continue;
      if ((fieldsAt(value, "spec")["volumeName"] ?? "") !== "") continue;
      const path = ["metadata", "annotations", annotation.bindCompleted];
      yield {
        entry,
        path,
        message:
          "The claim becomes Lost: Bound claim has lost reference to PersistentVolume. Data on the volume is lost!",
        fix: { title: "Remove the annotation", path, value: null },
      };
    }
  },
};
