/** How many pods an object makes according to its manifest. */
import { own } from "../../own.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { fieldsAt } from "../manifest-fields.ts";

export interface PodCount {
  readonly count: number;
  /** The field that says so; undefined if it is the default. */
  readonly path?: Path;
}

const countFields: Readonly<Record<string, readonly string[]>> = {
  Deployment: ["spec", "replicas"],
  ReplicaSet: ["spec", "replicas"],
  ReplicationController: ["spec", "replicas"],
  StatefulSet: ["spec", "replicas"],
  Job: ["spec", "parallelism"],
  CronJob: ["spec", "jobTemplate", "spec", "parallelism"],
};

/** Pods that run at the same time: per node for a DaemonSet, per Job for a CronJob. */
export function podCountOf({ kind, value }: ManifestObject): PodCount {
  const path = own(countFields, kind);
  if (path === undefined) return { count: 1 };
  const parent = fieldsAt(value, ...path.slice(0, -1));
  const given = parent[path.at(-1) ?? ""];
  const count = wholeNumber(given) ?? 1;
  const needed = Math.min(count, wholeNumber(parent["completions"]) ?? count);
  return given === undefined ? { count: needed } : { count: needed, path };
}

/** Undefined if the API server would not accept the value as a count. */
function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
