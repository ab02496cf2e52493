/** What operators' objects say of the claims that are made of them: nobody but the operator knows those, but the words are Kubernetes'. */
import type { Path } from "../../yaml/place.ts";

/** Whether its group has a domain, and not Kubernetes' own. */
export function isOfOperators(apiVersion: string): boolean {
  const [group = "", version] = apiVersion.split("/");
  return version !== undefined && group.includes(".") && !`.${group}`.endsWith(".k8s.io");
}

/** As operators of databases, queues and monitoring call what a claim or its class is written in. */
const claimFieldName = /storageClass|volumeClaim|pvcTemplate/i;

/** The path of the first field that is about claims. */
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

/** The type of a Kafka's storage. */
const claimOfStrimzi = "persistent-claim";

/**
 * The places where a class is named by the field that claims have for it. Whole objects that stand inside are for another cluster,
 * as Crossplane has them; what is no name of a class, a dash for instance, has a meaning of its own; a status is nobody's wish.
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
