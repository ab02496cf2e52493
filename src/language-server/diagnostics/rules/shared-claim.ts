/** Several workloads that share a claim which only one node or one pod can use. */
import type { Ref } from "../../../engine/api/meta.ts";
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { type ClaimFacts, type ClaimUse, claimIndex } from "../facts/claim-facts.ts";
import { isForOnePod, isMovingDisk, useReport } from "../facts/single-node-claim.ts";
import { isPinnedToNode } from "../facts/workload-facts.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

export const sharedRwoClaim: EnvironmentRule = {
  id: "shared-rwo-claim",
  severity: "warning",
  scope: "environment",
  *check(context) {
    for (const { claim, uses } of sharedClaims(context)) {
      if (!isMovingDisk(context, claim) || isForOnePod(claim)) continue;
      if (uses.some(({ workload }) => isPinnedToNode(workload.object))) continue;
      yield* afterFirst(
        uses,
        (first) => `Both this workload and ${first} must run on the same node`,
      );
    }
  },
};

/** A second pod, be it another replica or another workload. */
export const rwopReplicas: EnvironmentRule = {
  id: "rwop-replicas",
  severity: "error",
  scope: "environment",
  explainsOutcome: "of-field",
  *check(context) {
    const message = "Only one Pod may use the claim; the others stay Pending";
    for (const use of claimIndex(context).uses) {
      if (!use.isDirect || !isForOnePod(use.claim)) continue;
      const { object } = use.workload;
      // Runs of the same CronJob that overlap are not covered here.
      if (podCountOf(object).count > 1) yield useReport(use, message);
    }
    for (const { claim, uses } of sharedClaims(context)) {
      if (!isForOnePod(claim)) continue;
      yield* afterFirst(uses, (first) => `${message}: ${first} uses it too`);
    }
  },
};

interface SharedClaim {
  readonly claim: ClaimFacts;
  /** Uses by different workloads. */
  readonly uses: readonly ClaimUse[];
}

function sharedClaims(context: EnvironmentContext): readonly SharedClaim[] {
  return [...claimIndex(context).usesOf].flatMap(([claim, all]) => {
    // Two documents that define the same object are one workload: the later apply wins.
    const firstOf = new Map<WorkspaceObject | Ref, ClaimUse>();
    for (const use of all) {
      const { workload, isDirect } = use;
      const key = workload.object.ref ?? workload;
      if (firstOf.has(key) || !isDirect || podCountOf(workload.object).count <= 0) continue;
      firstOf.set(key, use);
    }
    return firstOf.size < 2 ? [] : [{ claim, uses: [...firstOf.values()] }];
  });
}

function* afterFirst(
  [first, ...others]: readonly ClaimUse[],
  messageOf: (first: string) => string,
): Iterable<ReturnType<typeof useReport>> {
  if (first === undefined) return;
  const { workload, path } = first;
  const name = `${workload.object.kind} ${workload.object.name}`;
  for (const use of others)
    yield useReport(use, messageOf(name), [
      { entry: workload, path, message: `${name} uses it here` },
    ]);
}
