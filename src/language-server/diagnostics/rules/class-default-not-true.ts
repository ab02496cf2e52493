/** A default mark whose value is neither `true` nor `false`. */
import { defaultClassAnnotations } from "../../../engine/api/storage-class-name.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const classDefaultNotTrue: DocumentRule = objectRule(
  "class-default-not-true",
  "warning",
  { kinds: ["StorageClass"] },
  function* ({ value }) {
    const annotations = fieldsAt(value, "metadata", "annotations");
    for (const mark of defaultClassAnnotations) {
      const given = annotations[mark];
      if (typeof given !== "string" || given === "true" || given === "false") continue;
      const path = ["metadata", "annotations", mark];
      yield {
        path,
        message: `Only exactly “true” marks a default class; “${given}” is ignored`,
        fix: { title: 'Change to "true"', path, value: "true" },
      };
    }
  },
);
