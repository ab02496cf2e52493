/** A reference to a claim or volume by a name that no object can have. */
import { checkSubdomain } from "../../engine/api/names.ts";
import { claimSpecsOf, podVolumesOf, textAt } from "./manifest-fields.ts";
import type { EnvironmentRule } from "./rule.ts";

export const podClaimBadName: EnvironmentRule = {
  id: "pod-claim-bad-name",
  severity: "error",
  scope: "environment",
  *check({ environment }) {
    for (const entry of environment.objects) {
      const places = [
        ...podVolumesOf(entry.object).map((at) => ({ ...at, field: claimName })),
        ...claimSpecsOf(entry.object).map((at) => ({ ...at, field: ["volumeName"] })),
      ];
      for (const { fields, path, field } of places) {
        const name = textAt(fields, ...field) ?? "";
        if (name === "" || isObjectName(name)) continue;
        yield {
          entry,
          path: [...path, ...field],
          message: `No object can have the name “${name}”`,
        };
      }
    }
  },
};

const claimName = ["persistentVolumeClaim", "claimName"];

export function isObjectName(name: string): boolean {
  return checkSubdomain(name).length === 0;
}
