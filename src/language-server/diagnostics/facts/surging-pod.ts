/** Which single-pod Deployments start a new pod before the old one is gone. */
import { rollingUpdateDefaults } from "../../../engine/api/defaults/workload.ts";
import { fenceposts } from "../../../engine/matching/rolling-update.ts";
import { type Fields, fieldsAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { ValueFix } from "../rule.ts";

export interface Surge {
  /** The field that causes it; undefined if it is the default. */
  readonly path?: Path;
  readonly fix?: ValueFix;
}

/**
 * Undefined unless the Deployment keeps its only pod until the next one is ready. If the pod may be unavailable, it is ended at
 * once. Upstream: pkg/controller/deployment/rolling.go reconcileOldReplicaSets.
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

/** Replaces a value that the API server would refuse by the default. */
function count(written: Fields, field: "maxSurge" | "maxUnavailable"): number | string {
  const value = written[field];
  return typeof value === "number" || typeof value === "string"
    ? value
    : rollingUpdateDefaults[field];
}
