/** A claim or a snapshot is made from a claim or a snapshot that is nowhere. */
import { missingReferences, report } from "./missing-reference.ts";
import type { EnvironmentRule } from "./rule.ts";

export const datasourceMissing: EnvironmentRule = {
  id: "datasource-missing",
  severity: "information",
  scope: "environment",
  *check(context) {
    for (const kind of ["PersistentVolumeClaim", "VolumeSnapshot"] as const) {
      for (const reference of missingReferences(context, kind)) {
        if (reference.path.at(-1) === "claimName") continue;
        const { name, namespace } = reference;
        yield report(
          reference,
          `Source ${kind} “${name}” does not exist in namespace ${namespace}`,
        );
      }
    }
  },
};
