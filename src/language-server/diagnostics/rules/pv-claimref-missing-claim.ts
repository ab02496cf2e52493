/** A volume is reserved for a claim that is in no file. */
import { makeRef } from "../../../engine/api/meta.ts";
import { referencesOf } from "../../workspace/references.ts";
import { nearName } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const pvClaimrefMissingClaim: EnvironmentRule = {
  id: "pv-claimref-missing-claim",
  severity: "hint",
  scope: "environment",
  misses: "PersistentVolumeClaim",
  yieldsTo: "pv-released",
  *check(context) {
    const { environment, names } = context;
    for (const entry of environment.objects) {
      if (entry.object.kind !== "PersistentVolume") continue;
      for (const reference of referencesOf(entry.object)) {
        const { kind, namespace, name, path } = reference;
        // Without namespace it names no claim at all: pv-claimref-no-namespace says so.
        if (kind !== "PersistentVolumeClaim" || namespace === "") continue;
        if (names.has(kind, namespace, name)) continue;
        yield {
          entry,
          path,
          message: `The volume is reserved for claim ${namespace}/${name}, which does not exist`,
          meant: nearName(context, reference),
          misses: makeRef(kind, namespace, name),
        };
      }
    }
  },
};
