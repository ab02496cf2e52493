/**
 * One file as its documents. A new text keeps every document that stands in it unchanged, so an edit costs one document
 * however many the file has.
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
  /** In file order; the same document object as before where its text is unchanged. */
  readonly documents: readonly FileDocument[];
  readonly slices: readonly DocumentSlice[];
  /** Whether any document is, or claims to be, a Kubernetes object. */
  readonly isKubernetes: boolean;
  /** Offset in the file of the first template expression; such a file is left alone as a whole. */
  readonly templateAt?: number;
  /** It holds no documents: Helm makes manifests of it, or with it. */
  readonly isForHelm?: true;
}

/** More documents than this are not read; the diagnostics say so. */
export const documentCountMax = 20_000;

export function readManifestFile(text: string, before?: ManifestFile): ManifestFile {
  const steps = manifestFileInSteps(text, before);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Stops after each document that it parses. */
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
 * Most YAML and JSON of a repository is no manifest; looking for the words is a thousand times cheaper than parsing. An object
 * whose apiVersion somebody forgot still has a kind and metadata; of miswritten ones the letters are the same.
 */
function mayHoldObjects(text: string): boolean {
  return text.includes("apiVersion") || (hasKind.test(text) && hasMore.test(text));
}

const hasKind = /(?:^|[{,"'])kind["']?[ \t]*:/im;
const hasMore = /(?:^|[{,"'])(?:metadata|api[-_ ]?version)["']?[ \t]*:/im;

function slicesOf(text: string, before: ManifestFile | undefined): EditedSlices {
  // Of more documents than are read nobody knows the last ones.
  const isKnown = before !== undefined && before.slices.length < documentCountMax;
  const found = isKnown
    ? splitEdited(text, before)
    : { slices: splitDocuments(text), headCount: 0, tailCount: 0 };
  if (found.slices.length <= documentCountMax) return found;
  return { slices: found.slices.slice(0, documentCountMax), headCount: 0, tailCount: 0 };
}

/** Documents may have changed their order. */
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

/** Moves a document before an earlier one, with all that stands between its separator and the next. Nothing where either is not there. */
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

/** Where the line of the separator before a document begins; the document's own start where there is none. */
function separatorStart(text: string, { start }: DocumentSlice): number {
  const line = text.lastIndexOf("\n", start - 2) + 1;
  const at = text.charCodeAt(line) === 0xfeff ? line + 1 : line;
  return text.startsWith("---", at) && at < start ? at : start;
}

/** Of a document that comes first, and whose separator comes behind it, unless a comment stands in it. */
function withoutSeparator(text: string): string {
  const lineEnd = text.indexOf("\n") + 1;
  const line = text.slice(0, lineEnd);
  return line.trim() === "---" ? text.slice(lineEnd) + line : `${text}---\n`;
}

function readDocument(text: string, before?: YamlDocument): FileDocument {
  const yaml = readYamlDocument(text, before);
  return { yaml, ...objectsOf(yaml.value) };
}

/** The document that holds a file offset, and where it starts. */
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
