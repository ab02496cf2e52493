/** Manifests inside a YAML block text (`apply: |`, `patch: |`), and the position of their letters in the surrounding file. */
import { isScalar, type ParsedNode } from "yaml";
import { nodeAt } from "./locate.ts";
import { type ManifestFile, readManifestFile } from "./manifest-file.ts";
import type { Path, Span } from "./place.ts";
import { syntaxTreeOf, type YamlDocument } from "./yaml-document.ts";

export interface EmbeddedManifests {
  readonly manifest: ManifestFile;
  /** Maps offsets in the embedded text to offsets in the document; the span must be within one line. */
  readonly inFile: (span: Span) => Span;
}

/** Undefined if the text is not a literal block: folded or quoted text has no lines of its own. Cached. */
export function embeddedManifests(
  document: YamlDocument,
  path: Path,
): EmbeddedManifests | undefined {
  let known = embeddedIn.get(document);
  if (known === undefined) {
    known = new Map();
    embeddedIn.set(document, known);
  }
  const key = JSON.stringify(path);
  if (!known.has(key)) known.set(key, readEmbedded(document, path));
  return known.get(key);
}

const embeddedIn = new WeakMap<YamlDocument, Map<string, EmbeddedManifests | undefined>>();

function readEmbedded(document: YamlDocument, path: Path): EmbeddedManifests | undefined {
  const node: ParsedNode | undefined = nodeAt(syntaxTreeOf(document).root, path);
  if (!isScalar(node) || node.type !== "BLOCK_LITERAL" || typeof node.value !== "string")
    return undefined;
  const { text } = document;
  const text0 = node.value;
  const firstLine = text.indexOf("\n", node.range[0]) + 1;
  if (firstLine === 0) return undefined;
  const starts = lineStarts(text.slice(0, node.range[2]), firstLine);
  const contentStarts = lineStarts(text0, 0);
  const indent = indentOf(text0, text, contentStarts, starts);
  const at = (offset: number): number => {
    const line = contentStarts.findLastIndex((start) => start <= offset);
    return (starts[line] ?? firstLine) + indent + offset - (contentStarts[line] ?? 0);
  };
  return {
    manifest: readManifestFile(text0),
    inFile: ({ start, end }) => ({ start: at(start), end: at(start) + end - start }),
  };
}

function lineStarts(text: string, from: number): readonly number[] {
  const starts = [from];
  for (let at = text.indexOf("\n", from); at >= 0; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}

/** By how much the first line with content is indented in the document. */
function indentOf(
  content: string,
  text: string,
  contentStarts: readonly number[],
  starts: readonly number[],
): number {
  const line = contentStarts.findIndex((start) => /^[ ]*\S/.test(content.slice(start)));
  const column = (whole: string, start: number): number => whole.slice(start).search(/[^ ]/);
  if (line < 0) return 0;
  return column(text, starts[line] ?? 0) - column(content, contentStarts[line] ?? 0);
}
