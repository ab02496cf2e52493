/**
 * Finds the field behind a refusal that does not name it: for a bad quantity, timestamp or type the API server says what is
 * wrong, but not where. Blames the part without which the server would answer something else.
 */
import { push } from "../../../engine/api/go/multi-map.ts";
import type { RequestContext } from "../../../engine/api/request-context.ts";
import { answerCreate } from "../../../engine/api/requests.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { Path, PathSegment } from "../../yaml/place.ts";

/** The deepest part that is to blame; the empty path if no single part is. Each attempt decodes the whole object. */
export function refusedField(value: unknown, message: string, context: RequestContext): Path {
  const path: PathSegment[] = [];
  const isToBlame = (segments: readonly PathSegment[]): boolean => {
    const parts = segments.map((segment) => [...path, segment]);
    const answer = answerCreate(without(value, parts), context);
    return answer.ok || answer.error.message !== message;
  };
  for (;;) {
    const guilty = soleCulprit(childrenOf(valueAt(value, path), path.length === 0), isToBlame);
    if (guilty === undefined) return path;
    path.push(guilty);
  }
}

/** The only part to blame, by bisection: if a half is not to blame, none of its parts is. */
function soleCulprit(
  segments: readonly PathSegment[],
  isToBlame: (segments: readonly PathSegment[]) => boolean,
): PathSegment | undefined {
  let suspects = segments;
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    suspects = isToBlame(half) ? half : suspects.slice(half.length);
  }
  return suspects.length === 1 && isToBlame(suspects) ? suspects[0] : undefined;
}

function childrenOf(value: unknown, isRoot: boolean): readonly PathSegment[] {
  if (Array.isArray(value)) return [...value.keys()];
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  // Without these two it is not an object.
  return isRoot ? keys.filter((key) => key !== "apiVersion" && key !== "kind") : keys;
}

/** A copy without these parts. List items become null, so that the others keep their indices. */
export function without(value: unknown, paths: readonly Path[]): unknown {
  const byFirst = new Map<PathSegment, Path[]>();
  for (const [first, ...rest] of paths) {
    if (first === undefined) return undefined;
    push(byFirst, first, rest);
  }
  const copy = copyOf(value);
  for (const [first, rests] of byFirst) {
    if (rests.every((rest) => rest.length > 0)) copy[first] = without(copy[first], rests);
    else if (Array.isArray(copy)) copy[Number(first)] = null;
    else delete copy[first];
  }
  return copy;
}

function copyOf(value: unknown): Record<PathSegment, unknown> {
  return (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    PathSegment,
    unknown
  >;
}
