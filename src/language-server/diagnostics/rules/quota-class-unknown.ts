/** A quota for a class that does not exist counts nothing. */
import { nearestName } from "../../nearest-name.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import { classInQuotaKey } from "../../workspace/quota-key.ts";
import type { EnvironmentRule } from "../rule.ts";

export const quotaClassUnknown: EnvironmentRule = {
  id: "quota-class-unknown",
  severity: "hint",
  scope: "environment",
  misses: "StorageClass",
  *check({ environment, names }) {
    for (const entry of environment.objects) {
      if (entry.object.kind !== "ResourceQuota") continue;
      for (const key of Object.keys(fieldsAt(entry.object.value, "spec", "hard"))) {
        const name = classInQuotaKey(key);
        if (name === undefined || names.has("StorageClass", "", name)) continue;
        const near = nearestName(name, names.names("StorageClass"));
        const hint = near === undefined ? "" : `; nearest is “${near}”`;
        yield {
          entry,
          path: ["spec", "hard", key],
          message: `No class “${name}”: the quota counts nothing${hint}`,
        };
      }
    }
  },
};
