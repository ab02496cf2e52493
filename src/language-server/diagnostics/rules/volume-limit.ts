/** A pod with more volumes of one driver than a node can have. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { type ClaimUse, claimIndex } from "../facts/claim-facts.ts";
import { driverTrait } from "../facts/driver-facts.ts";
import type { EnvironmentRule } from "../rule.ts";

export const volumeLimit: EnvironmentRule = {
  id: "volume-limit",
  severity: "warning",
  scope: "environment",
  explainsOutcome: "of-field",
  *check(context) {
    for (const [entry, uses] of claimIndex(context).usesBy) {
      const byDriver = new Map<string, ClaimUse[]>();
      for (const use of uses) {
        const { driver } = use.claim;
        if (driver !== undefined) push(byDriver, driver, use);
      }
      for (const [driver, all] of byDriver) {
        const limit = driverTrait(context.environment, driver, "maxVolumesPerNode") ?? 0;
        const first = all[limit];
        // Two volumes of a pod may use the same claim.
        const count = new Set(all.map(({ claim }) => claim)).size;
        if (limit === 0 || first === undefined || count <= limit) continue;
        yield {
          entry,
          path: first.path,
          message: `${count} volumes of “${driver}”, and a node accepts ${limit}`,
        };
      }
    }
  },
};
