/** Which Deployments of one pod start the next one before the old one has gone. */
import { rollingUpdateDefaults } from "../../../engine/api/defaults/workload.ts";
import { fenceposts } from "../../../engine/matching/rolling-update.ts";
import { type Fields, fieldsAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { ValueFix } from "../rule.ts";

export interface Surge {
  /** The field that says so; undefined where its default does. */
  readonly path?: Path;
  readonly fix?: ValueFix;
}

/**
 * Where a Deployment is told to keep its only pod until the next one is ready; undefined where it is not. A pod that may be
 * unavailable is ended at once. Upstream: pkg/controller/deployment/rolling.go reconcileOldReplicaSets.
 */
export function surgeOf(object: ManifestObject): Surge | undefined {
  if (object.kind !== "Deployment") return undefined;
  const strategy = fieldsAt(object.value, "spec", "strategy");
  if (strategy["type"] === "Recreate") return undefined;
  const written = fieldsAt(strategy, "rollingUpdate");
  const { surge, unavailable } = fenceposts(
    {
      maxSurge: count(written, "maxSurge"),
      maxUnavailable: count(written, "maxUnavailable"),
    },
    1,
  );
  if (surge === 0 || unavailable > 0) return undefined;
  const path =
    written["maxSurge"] !== undefined
      ? ["spec", "strategy", "rollingUpdate", "maxSurge"]
      : strategy["type"] !== undefined
        ? ["spec", "strategy", "type"]
        : undefined;
  if (strategy["rollingUpdate"] !== undefined) return { ...(path !== undefined && { path }) };
  const fix = {
    title: "Set the strategy to Recreate",
    path: ["spec", "strategy", "type"],
    value: "Recreate",
  };
  return { ...(path !== undefined && { path }), fix };
}

/** The default in place of what the API server would not take for a count. */
function count(written: Fields, field: "maxSurge" | "maxUnavailable"): number | string {
  const value = written[field];
  return typeof value === "number" || typeof value === "string"
    ? value
    : rollingUpdateDefaults[field];
}
