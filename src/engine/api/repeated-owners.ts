/**
 * Owner references that an object lists twice: they are stored once. Upstream: apiserver v0.36 pkg/endpoints/handlers/rest.go
 * dedupOwnerReferencesAndAddWarning.
 */
import type { Mutable } from "./mutable.ts";
import type { ObjectMeta, OwnerReference } from "./types.ts";

/** Returns the warnings, which are sent even if the object is refused. References that differ in any field stay. */
export function dropRepeatedOwners(
  metadata: Mutable<ObjectMeta>,
  isPatch: boolean,
): readonly string[] {
  const { ownerReferences = [] } = metadata;
  if (ownerReferences.length < 2) return [];
  const kept = new Map<string, OwnerReference>();
  const repeatedUids: string[] = [];
  for (const reference of ownerReferences) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (kept.has(key)) repeatedUids.push(uid);
    else kept.set(key, reference);
  }
  if (repeatedUids.length === 0) return [];
  metadata.ownerReferences = [...kept.values()];
  // A patched object is checked only once, after admission.
  const when = isPatch ? " after mutating admission happens" : "";
  return [
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeatedUids.join(", ")}`,
  ];
}
