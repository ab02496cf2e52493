/**
 * Merges maps into the first, which is changed; what it takes over is shared with the others. Upstream: dario.cat/mergo v1.0
 * merge.go deepMerge.
 */
import { type GoMap, type GoValue, isGoMap } from "../go-template/values.ts";
import { isEmpty } from "./go-types.ts";

/** The maps must have been weighed: none may contain itself. */
export function merged(target: GoMap, sources: readonly GoMap[], overwrites: boolean): GoMap {
  for (const source of sources) mergeInto(target, source, overwrites);
  return target;
}

function mergeInto(target: GoMap, source: GoMap, overwrites: boolean): void {
  if (target === source) return;
  for (const [key, value] of source) {
    const own = target.get(key);
    if (isGoMap(own) && isGoMap(value)) {
      mergeInto(own, value, overwrites);
      // A target map that is still empty is replaced as a whole.
      if (own.size > 0) continue;
    }
    if (overwrites || isReplaceable(target, key, own, value)) target.set(key, value);
  }
}

/** True if there is no value or an empty one, unless the new value is nil. */
function isReplaceable(
  target: GoMap,
  key: string,
  own: GoValue | undefined,
  value: GoValue,
): boolean {
  if (!target.has(key)) return value !== null;
  return value !== null && isEmpty(own ?? null);
}
