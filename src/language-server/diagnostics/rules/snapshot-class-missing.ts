/** A snapshot names a class or content that does not exist. */
import { missingReferences, nearName, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const snapshotClassMissing: EnvironmentRule = {
  id: "snapshot-class-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "VolumeSnapshotClass",
  *check(context) {
    for (const kind of ["VolumeSnapshotClass", "VolumeSnapshotContent"] as const) {
      for (const reference of missingReferences(context, kind)) {
        const message = `${kind} “${reference.name}” does not exist`;
        yield report(reference, message, nearName(context, reference));
      }
    }
  },
};
