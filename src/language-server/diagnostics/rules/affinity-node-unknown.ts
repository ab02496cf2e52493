/** A name of a node that neither the files nor the assumed cluster have. */
import { nearestObjectName } from "../../nearest-name.ts";
import { theCluster } from "../../prediction/cluster-title.ts";
import { missingReferences, report } from "../missing-reference.ts";
import type { EnvironmentRule } from "../rule.ts";

export const affinityNodeUnknown: EnvironmentRule = {
  id: "affinity-node-unknown",
  severity: "information",
  scope: "environment",
  explainsOutcome: true,
  misses: "Node",
  *check(context) {
    for (const reference of missingReferences(context, "Node")) {
      const { name } = reference;
      yield report(
        reference,
        `Node “${name}” does not exist in ${theCluster(context.cluster)}`,
        nearestObjectName(name, context.names.names("Node")),
      );
    }
  },
};
