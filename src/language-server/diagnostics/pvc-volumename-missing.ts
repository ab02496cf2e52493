/** A claim asks for a volume by name that is in no file. */

import { missingReferences, report } from "./missing-reference.ts";
import { isObjectName } from "./pod-claim-bad-name.ts";
import type { EnvironmentRule } from "./rule.ts";

export const pvcVolumenameMissing: EnvironmentRule = {
  id: "pvc-volumename-missing",
  severity: "information",
  scope: "environment",
  *check(context) {
    for (const reference of missingReferences(context, "PersistentVolume")) {
      if (!isObjectName(reference.name)) continue;
      yield report(
        reference,
        `PersistentVolume “${reference.name}” does not exist; the claim stays Pending`,
      );
    }
  },
};
