/** The exact letters of a name in the text. */
import { locate, type Path, type Span } from "../yaml/locate.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";

/**
 * The name at a path, or the name at the end of a longer text there (`Pod/default/web`), without quotes. Undefined where
 * the path is not written out: behind an alias, a merge key, or with escapes.
 */
export function nameSpan(
  document: YamlDocument,
  path: Path,
  name: string,
  offset: number,
): Span | undefined {
  const place = locate(document, path);
  if (place.depth < path.length) return undefined;
  const { start, end } = place.value;
  const text = document.text.slice(start, end);
  const quote = /["']$/.exec(text) === null ? 0 : 1;
  const inner = text.slice(quote, text.length - quote);
  if (!inner.endsWith(name) || /^[|>&*]/.test(text)) return undefined;
  const nameEnd = offset + end - quote;
  return { start: nameEnd - name.length, end: nameEnd };
}
