/** A YAML alias that stands for a name, and the text that it repeats. */
import type { Span } from "../yaml/place.ts";

/**
 * Where the scalar stands that the alias at the span repeats, without its quote; undefined where the span holds a name
 * itself. An anchor holds until the next one of its name, so that the nearest one before counts.
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
