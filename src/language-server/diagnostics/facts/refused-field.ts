/**
 * The field behind a refusal that names none: the API server says of a bad quantity, timestamp or type what is wrong, but
 * not where. The part without which the server would answer something else is the one to blame.
 */
import type { RequestContext } from "../../../engine/api/request-context.ts";
import { answerCreate } from "../../../engine/api/requests.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { Path, PathSegment } from "../../yaml/place.ts";

/** Each try decodes the whole object. */
const tryCountMax = 2000;

/** The deepest part that is to blame; the empty path where no single one is. */
export function refusedField(value: unknown, message: string, context: RequestContext): Path {
  const path: PathSegment[] = [];
  let tries = 0;
  for (;;) {
    const guilty = childrenOf(valueAt(value, path)).find((segment) => {
      // Without these two it is no object at all.
      if (path.length === 0 && (segment === "apiVersion" || segment === "kind")) return false;
      if (tries++ >= tryCountMax) return false;
      const answer = answerCreate(without(value, [...path, segment]), context);
      return answer.ok || answer.error.message !== message;
    });
    if (guilty === undefined) return path;
    path.push(guilty);
  }
}

function childrenOf(value: unknown): readonly PathSegment[] {
  if (Array.isArray(value)) return [...value.keys()];
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** A copy with one part left out; of a list it becomes null, so that the others keep their places. */
export function without(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return undefined;
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    copy[Number(first)] = rest.length === 0 ? null : without(copy[Number(first)], rest);
    return copy;
  }
  const copy = { ...(value as Record<PathSegment, unknown>) };
  if (rest.length === 0) delete copy[first];
  else copy[first] = without(copy[first], rest);
  return copy;
}
