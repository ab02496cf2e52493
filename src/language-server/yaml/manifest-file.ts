/**
 * One file as its documents. A new text keeps every document that stands in it unchanged, so an edit costs one document
 * however many the file has.
 */

import { type ManifestObject, type NotAnObject, objectsOf } from "./manifest.ts";
import { type DocumentSlice, splitDocuments } from "./split-documents.ts";
import { readYamlDocument, type YamlDocument } from "./yaml-document.ts";

export interface FileDocument {
  readonly yaml: YamlDocument;
  readonly objects: readonly ManifestObject[];
  readonly missing?: NotAnObject;
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
  const slices = splitDocuments(text).slice(0, documentCountMax);
  const texts = slices.map(({ start, end }) => text.slice(start, end));
  const documents = yield* keepUnchanged(texts, before?.documents ?? []);
  const templateIndex = documents.findIndex(({ yaml }) => yaml.templateAt !== undefined);
  const templateAt =
    (slices[templateIndex]?.start ?? 0) + (documents[templateIndex]?.yaml.templateAt ?? 0);
  return {
    text,
    documents,
    slices,
    isKubernetes: documents.some(
      ({ yaml, objects, missing }) =>
        yaml.claimsKubernetes || objects.length > 0 || missing !== undefined,
    ),
    ...(templateIndex >= 0 && { templateAt }),
  };
}

/**
 * Most YAML and JSON of a repository is no manifest; looking for the words is a thousand times cheaper than parsing. An object
 * whose apiVersion somebody forgot still has a kind and metadata.
 */
function mayHoldObjects(text: string): boolean {
  return text.includes("apiVersion") || (/^kind:/m.test(text) && /^metadata:/m.test(text));
}

/** Equal ends are matched first: nearly every edit lies between two runs of equal documents. */
function* keepUnchanged(
  texts: readonly string[],
  before: readonly FileDocument[],
): Generator<void, readonly FileDocument[]> {
  const shorter = Math.min(texts.length, before.length);
  let head = 0;
  while (head < shorter && before[head]?.yaml.text === texts[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail)?.yaml.text === texts.at(-1 - tail)) tail++;
  const moved = new Map(
    before.slice(head, before.length - tail).map((document) => [document.yaml.text, document]),
  );
  const documents: FileDocument[] = [];
  for (const [index, text] of texts.entries()) {
    const fromEnd = texts.length - index;
    const known =
      index < head ? before[index] : fromEnd <= tail ? before.at(-fromEnd) : moved.get(text);
    documents.push(known ?? readDocument(text));
    if (known === undefined) yield;
  }
  return documents;
}

function readDocument(text: string): FileDocument {
  const yaml = readYamlDocument(text);
  return { yaml, ...objectsOf(yaml.value) };
}

/** The document that holds a file offset, and where it starts. */
export function documentAt(
  file: ManifestFile,
  offset: number,
): { readonly document: FileDocument; readonly index: number; readonly start: number } | undefined {
  let low = 0;
  let high = file.slices.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((file.slices[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const document = file.documents[low];
  const start = file.slices[low]?.start ?? 0;
  return document === undefined ? undefined : { document, index: low, start };
}
