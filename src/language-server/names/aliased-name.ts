/** Finds the scalar that a YAML alias repeats. */
import type { Span } from "../yaml/place.ts";

/**
 * Start of the scalar that the alias at the span repeats, after its quote if it has one; undefined if the span is not an alias
 * or has no anchor. An anchor is valid until the next one of the same name, so the nearest one before counts.
 */
export function aliasedStart(text: string, { start, end }: Span): number | undefined {
  const alias = text.slice(start, end);
  if (!alias.startsWith("*")) return undefined;
  const anchor = `&${alias.slice(1)}`;
  for (let at = text.lastIndexOf(anchor, start); at >= 0; at = text.lastIndexOf(anchor, at - 1)) {
    const [blank] = /^[ \t]+["']?/.exec(text.slice(at + anchor.length)) ?? [];
    if (blank !== undefined) return at + anchor.length + blank.length;
    if (at === 0) break;
  }
  return undefined;
}
