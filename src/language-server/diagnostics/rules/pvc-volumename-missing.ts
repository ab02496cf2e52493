/** A claim names a volume that is in no file. */

import { annotation } from "../../../engine/matching/annotations.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { isObjectName } from "../facts/object-name.ts";
import { withWaitingPods } from "../facts/waiting-pods.ts";
import { missingReferences, nearName, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const pvcVolumenameMissing: EnvironmentRule = {
  id: "pvc-volumename-missing",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "PersistentVolume",
  *check(context) {
    for (const reference of missingReferences(context, "PersistentVolume")) {
      if (!isObjectName(reference.name)) continue;
      const message = `PersistentVolume “${reference.name}” does not exist; ${outcomeOf(reference.from.object)}`;
      const found = report(reference, message, nearName(context, reference));
      yield withWaitingPods(context, found);
    }
  },
};

function outcomeOf(object: ManifestObject): string {
  if (object.kind === "VolumeAttachment") return "nothing is attached";
  return isBoundBefore(object) ? "the claim is Lost" : "the claim stays Pending";
}

/** A claim that has been bound is not bound again. */
function isBoundBefore({ value }: ManifestObject): boolean {
  return annotation.bindCompleted in fieldsAt(value, "metadata", "annotations");
}
