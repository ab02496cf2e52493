/**
 * Limits the size of what a kustomization builds: copies of copies would soon fill the memory, and no cluster would accept
 * them.
 */
import type { Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";

/** Upstream: k8s.io/apiserver pkg/server config.go MaxRequestBodyBytes. */
export const objectSizeMax: number = 3 * 1024 * 1024;

export const tooLarge: string = "the object would be larger than the API server accepts";

/** Stops as soon as the limit is reached; a part that occurs many times counts as often. */
export function isTooLarge(value: Json): boolean {
  let size = 0;
  const open: Json[] = [value];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    size += typeof part === "string" ? part.length + 1 : 1;
    if (size > objectSizeMax) return true;
    if (Array.isArray(part)) for (const item of part) open.push(item);
    else if (isRecord(part))
      for (const [name, field] of Object.entries(part)) {
        size += name.length;
        open.push(field as Json);
      }
  }
  return false;
}
