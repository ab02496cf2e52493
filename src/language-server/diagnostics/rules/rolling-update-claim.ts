/** A rolling update starts the new pod before the old one has gone, and both want the volume. */
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import { podCountOf } from "../../workspace/pod-count.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { type ClaimUse, claimIndex, modesOf } from "../facts/claim-facts.ts";
import { isForOnePod, isMovingDisk } from "../facts/single-node-claim.ts";
import { isPinnedToNode } from "../facts/workload-facts.ts";
import type { EnvironmentContext, EnvironmentRule, Severity, ValueFix } from "../rule.ts";

export const rollingUpdateRwo: EnvironmentRule = rollingUpdateRule(
  "rolling-update-rwo",
  "warning",
  "The new Pod may land on another node and wait for the old one, which waits for the new one: deadlock. Use the strategy Recreate",
  (context, { claim, workload }) =>
    isMovingDisk(context.environment, claim) && !isPinnedToNode(workload.object),
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
        // Where no strategy is written, the finding stands at the claim that makes the default one wrong.
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

interface Surge {
  readonly path?: Path;
  readonly fix?: ValueFix;
}

/**
 * Where a Deployment of one pod is told to keep the old pod until the new one is ready; undefined where it is not. A pod that may be
 * unavailable is ended at once: pkg/controller/deployment/rolling.go reconcileOldReplicaSets.
 */
export function surgeOf(object: ManifestObject): Surge | undefined {
  if (object.kind !== "Deployment") return undefined;
  const strategy = fieldsAt(object.value, "spec", "strategy");
  if (strategy["type"] === "Recreate") return undefined;
  const { rollingUpdate } = strategy;
  const { maxSurge, maxUnavailable } = fieldsAt(strategy, "rollingUpdate");
  if (isZero(maxSurge) || isOneOfOne(maxUnavailable)) return undefined;
  const path =
    maxSurge !== undefined
      ? ["spec", "strategy", "rollingUpdate", "maxSurge"]
      : strategy["type"] !== undefined
        ? ["spec", "strategy", "type"]
        : undefined;
  if (rollingUpdate !== undefined) return { ...(path !== undefined && { path }) };
  const fix = {
    title: "Set the strategy to Recreate",
    path: ["spec", "strategy", "type"],
    value: "Recreate",
  };
  return { ...(path !== undefined && { path }), fix };
}

/** Percentages of one pod are rounded up. */
function isZero(value: unknown): boolean {
  return value === 0 || value === "0" || value === "0%";
}

/** Percentages are rounded down here. */
function isOneOfOne(value: unknown): boolean {
  if (typeof value === "number") return value >= 1;
  return (
    typeof value === "string" && Number(value.replace(/%$/, "")) >= (value.endsWith("%") ? 100 : 1)
  );
}
