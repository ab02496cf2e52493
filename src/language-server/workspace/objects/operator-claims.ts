/** Finds claims that operators' objects describe: only the operator knows the claims, but the words are those of Kubernetes. */
import type { Path } from "../../yaml/place.ts";

/** True if the API group has a domain that is not Kubernetes' own. */
export function isOfOperators(apiVersion: string): boolean {
  const [group = "", version] = apiVersion.split("/");
  return version !== undefined && group.includes(".") && !`.${group}`.endsWith(".k8s.io");
}

/** Names that operators of databases, queues and monitoring use for fields with a claim or its class. */
const claimFieldName = /storageClass|volumeClaim|pvcTemplate/i;

/** The path of the first field about claims; undefined if there is none. */
export function claimField(value: unknown): Path | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    const segment = isList ? Number(key) : key;
    if (part === claimOfStrimzi || (!isList && claimFieldName.test(key))) return [segment];
    const path = claimField(part);
    if (path !== undefined) return [segment, ...path];
  }
  return undefined;
}

/** A storage type of Strimzi's Kafka objects. */
const claimOfStrimzi = "persistent-claim";

/**
 * The class names in fields called `storageClassName`. Skips embedded objects, which may be for another cluster (as in
 * Crossplane), values that cannot be names, such as a dash, which have a special meaning, and the status.
 */
export function* namedClasses(value: unknown, at: Path = []): Iterable<readonly [string, Path]> {
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  if (!isList && at.length > 0 && "apiVersion" in value && "kind" in value) return;
  for (const [key, part] of Object.entries(value)) {
    if (at.length === 0 && key === "status") continue;
    const path = [...at, isList ? Number(key) : key];
    if (key !== "storageClassName") yield* namedClasses(part, path);
    else if (typeof part === "string" && isClassName.test(part)) yield [part, path];
  }
}

const isClassName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
