/**
 * One file as its documents. Reading a changed text reuses every unchanged document, so that an edit costs one document however
 * many the file has.
 */
import { lastUpTo } from "../sorted.ts";
import type { TextEdit } from "./edits.ts";
import { type Objects, objectsOf } from "./manifest.ts";
import {
  type DocumentSlice,
  type EditedSlices,
  splitDocuments,
  splitEdited,
} from "./split-documents.ts";
import { readYamlDocument, type YamlDocument } from "./yaml-document.ts";

export interface FileDocument extends Objects {
  readonly yaml: YamlDocument;
}

export interface ManifestFile {
  readonly text: string;
  /** In file order; the same document object as before if its text is unchanged. */
  readonly documents: readonly FileDocument[];
  readonly slices: readonly DocumentSlice[];
  /** True if any document is, or claims to be, a Kubernetes object. */
  readonly isKubernetes: boolean;
  /** Offset of the first template expression in the file; a file with one is not judged at all. */
  readonly templateAt?: number;
  /** Set for files that Helm renders or reads; they have no documents. */
  readonly isForHelm?: true;
}

/** Further documents are not read; a diagnostic says so. */
export const documentCountMax = 20_000;

export function readManifestFile(text: string, before?: ManifestFile): ManifestFile {
  const steps = manifestFileInSteps(text, before);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Yields after each document that it parses. */
export function* manifestFileInSteps(
  text: string,
  before?: ManifestFile,
): Generator<void, ManifestFile> {
  if (!mayHoldObjects(text)) return { text, documents: [], slices: [], isKubernetes: false };
  const { slices, headCount, tailCount } = slicesOf(text, before);
  const known = before?.documents ?? [];
  const tailAt = known.length - tailCount;
  const edited = slices.slice(headCount, slices.length - tailCount);
  const texts = edited.map(({ start, end }) => text.slice(start, end));
  const documents = known
    .slice(0, headCount)
    .concat(yield* keepUnchanged(texts, known.slice(headCount, tailAt)), known.slice(tailAt));
  const templateIndex = documents.findIndex(({ yaml }) => yaml.templateAt !== undefined);
  const templateAt =
    (slices[templateIndex]?.start ?? 0) + (documents[templateIndex]?.yaml.templateAt ?? 0);
  return {
    text,
    documents,
    slices,
    isKubernetes: documents.some(
      ({ yaml, objects, missing, isBareList }) =>
        yaml.claimsKubernetes || objects.length > 0 || missing !== undefined || isBareList === true,
    ),
    ...(templateIndex >= 0 && { templateAt }),
  };
}

/**
 * Most YAML and JSON in a repository is not a manifest, and searching for words is a thousand times cheaper than parsing. An
 * object without apiVersion still has a kind and metadata; misspelled keys still have the same letters.
 */
function mayHoldObjects(text: string): boolean {
  return text.includes("apiVersion") || (hasKind.test(text) && hasMore.test(text));
}

const hasKind = /(?:^|[{,"'])kind["']?[ \t]*:/im;
const hasMore = /(?:^|[{,"'])(?:metadata|api[-_ ]?version)["']?[ \t]*:/im;

function slicesOf(text: string, before: ManifestFile | undefined): EditedSlices {
  // If the document limit was reached, the last documents are unknown.
  const isKnown = before !== undefined && before.slices.length < documentCountMax;
  const found = isKnown
    ? splitEdited(text, before)
    : { slices: splitDocuments(text), headCount: 0, tailCount: 0 };
  if (found.slices.length <= documentCountMax) return found;
  return { slices: found.slices.slice(0, documentCountMax), headCount: 0, tailCount: 0 };
}

/** Also reuses documents that have changed their order. */
function* keepUnchanged(
  texts: readonly string[],
  before: readonly FileDocument[],
): Generator<void, readonly FileDocument[]> {
  const moved = new Map(before.map((document) => [document.yaml.text, document]));
  const documents: FileDocument[] = [];
  for (const [index, text] of texts.entries()) {
    const known = moved.get(text);
    documents.push(known ?? readDocument(text, before[index]?.yaml));
    if (known === undefined) yield;
  }
  return documents;
}

/**
 * Moves a document before an earlier one, with everything between its separator and the next. No edits if either does not
 * exist.
 */
export function moveDocument(
  { text, slices }: ManifestFile,
  from: number,
  to: number,
): readonly TextEdit[] {
  const [slice, target] = [slices[from], slices[to]];
  if (slice === undefined || target === undefined || to >= from) return [];
  const start = separatorStart(text, slice);
  const place = separatorStart(text, target);
  const whole = text.slice(start, slice.end);
  const ended = whole.endsWith("\n") ? whole : `${whole}\n`;
  return [
    { start: place, end: place, text: place < target.start ? ended : withoutSeparator(ended) },
    { start, end: slice.end, text: "" },
  ];
}

/** Start of the separator line before a document; the document's own start if there is none. */
function separatorStart(text: string, { start }: DocumentSlice): number {
  const line = text.lastIndexOf("\n", start - 2) + 1;
  const at = text.charCodeAt(line) === 0xfeff ? line + 1 : line;
  return text.startsWith("---", at) && at < start ? at : start;
}

/** For a document that becomes the first: moves its separator to the end, unless the separator line has a comment. */
function withoutSeparator(text: string): string {
  const lineEnd = text.indexOf("\n") + 1;
  const line = text.slice(0, lineEnd);
  return line.trim() === "---" ? text.slice(lineEnd) + line : `${text}---\n`;
}

function readDocument(text: string, before?: YamlDocument): FileDocument {
  const yaml = readYamlDocument(text, before);
  return { yaml, ...objectsOf(yaml.value) };
}

/** The document that contains a file offset, and its start. */
export function documentAt(
  file: ManifestFile,
  offset: number,
): { readonly document: FileDocument; readonly index: number; readonly start: number } | undefined {
  const index = Math.max(
    0,
    lastUpTo(offset, file.slices, ({ start }) => start),
  );
  const document = file.documents[index];
  const start = file.slices[index]?.start ?? 0;
  return document === undefined ? undefined : { document, index, start };
}
