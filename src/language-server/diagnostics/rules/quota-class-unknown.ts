/** A quota for a class that does not exist: it counts nothing, unless a claim names the class anyway. */
import { makeRef } from "../../../engine/api/meta.ts";
import { writableNames } from "../../names/names-in-cluster.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import { claimSpecsOf, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import { classInQuotaKey } from "../../workspace/objects/quota-key.ts";
import type { EnvironmentRule } from "../rule.ts";

export const quotaClassUnknown: EnvironmentRule = {
  id: "quota-class-unknown",
  severity: "hint",
  scope: "environment",
  misses: "StorageClass",
  *check(context) {
    const { environment, names } = context;
    const claimed = new Set(
      environment.objects.flatMap(({ object }) =>
        claimSpecsOf(object).map(
          ({ fields }) => `${object.namespace}/${textAt(fields, "storageClassName")}`,
        ),
      ),
    );
    for (const entry of environment.objects) {
      if (entry.object.kind !== "ResourceQuota") continue;
      for (const key of Object.keys(fieldsAt(entry.object.value, "spec", "hard"))) {
        const name = classInQuotaKey(key);
        if (name === undefined || names.has("StorageClass", "", name)) continue;
        // The claim counts by the class name alone; the missing class is reported at the claim.
        if (claimed.has(`${entry.object.namespace}/${name}`)) continue;
        const near = nearestObjectName(name, writableNames(context, "StorageClass"));
        const hint = near === undefined ? "" : `; nearest is “${near}”`;
        yield {
          entry,
          path: ["spec", "hard", key],
          message: `There is no class “${name}”, so the quota counts nothing${hint}`,
          misses: makeRef("StorageClass", "", name),
        };
      }
    }
  },
};
