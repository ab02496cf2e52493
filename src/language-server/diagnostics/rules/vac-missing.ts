/** A claim or volume names a VolumeAttributesClass that does not exist. */
import { servesKind } from "../../../engine/api/decoding/later-fields.ts";
import { missingReferences, nearName, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const vacMissing: EnvironmentRule = {
  id: "vac-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "VolumeAttributesClass",
  *check(context) {
    // Servers that do not serve such classes drop the field.
    if (!servesKind("VolumeAttributesClass", context.version)) return;
    for (const reference of missingReferences(context, "VolumeAttributesClass")) {
      const text = `VolumeAttributesClass “${reference.name}” does not exist`;
      yield report(reference, text, nearName(context, reference));
    }
  },
};
