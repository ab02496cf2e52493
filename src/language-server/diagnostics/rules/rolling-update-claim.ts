/** A rolling update starts the new pod before the old one is gone, and both need the volume. */
import { podCountOf } from "../../workspace/objects/pod-count.ts";
import { type ClaimUse, claimIndex, modesOf } from "../facts/claim-facts.ts";
import { isForOnePod, isMovingDisk } from "../facts/single-node-claim.ts";
import { surgeOf } from "../facts/surging-pod.ts";
import { isPinnedToNode } from "../facts/workload-facts.ts";
import type { EnvironmentContext, EnvironmentRule, Severity } from "../rule.ts";

export const rollingUpdateRwo: EnvironmentRule = rollingUpdateRule(
  "rolling-update-rwo",
  "warning",
  "The new Pod may land on another node and wait for the old one, which waits for the new one: deadlock. Use the strategy Recreate",
  (context, { claim, workload }) =>
    isMovingDisk(context, claim) && !isPinnedToNode(workload.object),
);

export const rollingUpdateRwop: EnvironmentRule = rollingUpdateRule(
  "rolling-update-rwop",
  "error",
  "The new Pod cannot start while the old one exists: the rollout never finishes. Use the strategy Recreate",
  (_, { claim }) => isForOnePod(claim),
);

function rollingUpdateRule(
  id: string,
  severity: Severity,
  message: string,
  matches: (context: EnvironmentContext, use: ClaimUse) => boolean,
): EnvironmentRule {
  return {
    id,
    severity,
    scope: "environment",
    *check(context) {
      for (const [workload, uses] of claimIndex(context).usesBy) {
        const use = uses.find((candidate) => candidate.isDirect && matches(context, candidate));
        if (use === undefined) continue;
        const { object } = workload;
        const surge = podCountOf(object).count === 1 ? surgeOf(object) : undefined;
        if (surge === undefined) continue;
        const { path } = surge;
        // If no strategy is written, reports at the claim, with which the default strategy does not work.
        const place = path ?? use.path;
        const other =
          path === undefined ? [] : [{ entry: workload, path: use.path, message: "The claim" }];
        yield {
          entry: workload,
          path: place,
          message,
          related: [...other, modesOf(use.claim)],
          ...(surge.fix !== undefined && { fix: surge.fix }),
        };
      }
    },
  };
}
