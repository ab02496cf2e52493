/** Finds the exact letters of a name in the text. */
import { scalarSpan } from "../yaml/locate.ts";
import type { Path, Span } from "../yaml/place.ts";
import { isSimple, type YamlDocument } from "../yaml/yaml-document.ts";

/**
 * The name at a path, or at the end of a longer text there (`Pod/default/web`), without quotes; or the alias that stands for
 * it. Undefined if the path is not written literally: if it leads through a merge key or a larger alias, or has escapes.
 */
export function nameSpan(
  document: YamlDocument,
  path: Path,
  name: string,
  offset: number,
): Span | undefined {
  const mayHaveAliases = !isSimple(document) && document.text.includes("*");
  const once = mayHaveAliases ? undefined : onlyOccurrence(document.text, name);
  if (once !== undefined) return { start: offset + once, end: offset + once + name.length };
  const span = scalarSpan(document, path);
  if (span === undefined) return undefined;
  const { start, end } = span;
  const text = document.text.slice(start, end);
  if (text.startsWith("*")) return { start: offset + start, end: offset + end };
  const quote = /["']$/.exec(text) === null ? 0 : 1;
  const inner = text.slice(quote, text.length - quote);
  if (!inner.endsWith(name) || /^[|>&]/.test(text)) return undefined;
  const nameEnd = offset + end - quote;
  return { start: nameEnd - name.length, end: nameEnd };
}

/**
 * Offset of the name if the document contains it exactly once and outside comments. This needs no syntax tree, which matters
 * when a name is looked up in a thousand documents.
 */
function onlyOccurrence(text: string, name: string): number | undefined {
  const at = text.indexOf(name);
  if (at < 0 || text.indexOf(name, at + 1) >= 0) return undefined;
  const isPart = /[\w.-]/;
  if (isPart.test(text.charAt(at - 1)) || isPart.test(text.charAt(at + name.length)))
    return undefined;
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return line.includes("#") ? undefined : at;
}
