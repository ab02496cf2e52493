/** Loads what an entry in a kustomization's lists of patches contains, from its file or inline. */
import { type EmbeddedManifests, embeddedManifests } from "../../yaml/embedded-manifests.ts";
import { underline } from "../../yaml/locate.ts";
import { isRecord, valueAt } from "../../yaml/manifest.ts";
import { type ManifestFile, readManifestFile } from "../../yaml/manifest-file.ts";
import type { Path, Span } from "../../yaml/place.ts";
import { readYamlDocument, type YamlDocument } from "../../yaml/yaml-document.ts";
import { isBelow, resolveUri } from "../files/uri.ts";
import type { WorkspaceFile, WrittenText } from "../workspace-object.ts";
import { type EntryPlace, givenAt, spanAt } from "./entry-place.ts";
import type { InlinePatch, PatchEntry } from "./kustomization-file.ts";
import { formOf, type PatchForm, printedSource } from "./patch-form.ts";
import { type PatchTarget, readTarget } from "./patch-target.ts";
import { withTextMetadata } from "./strategic-merge.ts";

/** A problem and its place in a file. */
export interface KustomizeProblem extends Span {
  readonly uri: string;
  readonly message: string;
  readonly severity: "error" | "warning" | "information";
  /** True if something named is not among the files; if it does not exist at all, kustomize refuses the build. */
  readonly isUnread?: boolean;
  /** A known path that is almost the same. */
  readonly meant?: string;
  /** Folder of an overlay that is not judged, as claimcheck.yaml would name it. */
  readonly overlay?: string;
}

export const unreadText = "is not among the files that are read";

/** Files that kustomize only reads with a special option. Upstream: api/internal/loader loadrestrictions.go. */
export function outside(place: EntryPlace, path: Path, file: WorkspaceFile): KustomizeProblem[] {
  if (isBelow(file.uri, place.folder)) return [];
  const message =
    "kustomize refuses the file: security; it is not in or below the kustomization's folder. `--load-restrictor LoadRestrictionsNone` has it read";
  return [{ ...spanAt(place, path), message, severity: "warning" }];
}

/** True if kustomize builds nothing, as far as the known files show. */
export function stopsBuild({ severity, isUnread = false }: KustomizeProblem): boolean {
  return severity === "error" || isUnread;
}

export interface LoadedPatch extends PatchForm {
  readonly entry: PatchEntry;
  /** May be the kustomization itself. */
  readonly file: WorkspaceFile;
  readonly target?: PatchTarget;
}

export interface Loading {
  /** Undefined if there is nothing to apply. */
  readonly patch: LoadedPatch | undefined;
  readonly problems: readonly KustomizeProblem[];
}

/**
 * The same object as long as the kustomization and the patch's own file are, so that cached results of applying it stay valid.
 */
export function loadPatch(
  entry: PatchEntry,
  place: EntryPlace,
  findFile: (uri: string) => WorkspaceFile | undefined,
): Loading {
  const uri = entry.file === undefined ? undefined : resolveUri(place.folder, entry.file);
  const from = place.whole.text.file;
  const own = uri === undefined ? from : findFile(uri);
  const before = lastLoaded.get(entry);
  if (before !== undefined && before.from === from && before.own === own) return before.loading;
  const problems: KustomizeProblem[] = [];
  const patch = readPatch(entry, place, own, (problem) => problems.push(problem));
  const loading = { patch, problems };
  lastLoaded.set(entry, { from, own, loading });
  return loading;
}

const lastLoaded = new WeakMap<
  PatchEntry,
  {
    readonly from: WorkspaceFile;
    readonly own: WorkspaceFile | undefined;
    readonly loading: Loading;
  }
>();

function readPatch(
  entry: PatchEntry,
  place: EntryPlace,
  own: WorkspaceFile | undefined,
  report: (problem: KustomizeProblem) => void,
): LoadedPatch | undefined {
  const fail = (message: string, path: Path = entry.path): undefined => {
    report({ ...spanAt(place, path), message: refused(message), severity: "error" });
  };
  const { file, inline, target } = entry;
  const without = whyNoSource(entry);
  if (without !== undefined) return fail(without);
  const texts =
    own === undefined || own.skipped !== undefined
      ? []
      : inline === undefined
        ? textsOfFile(own)
        : textsInline(place, inline);
  const isTemplate = texts.some(({ yaml }) => yaml.templateAt !== undefined);
  const read = target === undefined ? undefined : readTarget(target);
  if (typeof read === "string") return fail(read, [...entry.path, "target"]);
  const forTarget = read === undefined ? {} : { target: read };
  if (own === undefined || own.skipped !== undefined || isTemplate) {
    report(notApplied(entry, place, isTemplate));
    return { entry, file: place.whole.text.file, parts: [], operations: [], ...forTarget };
  }
  if (file !== undefined) outside(place, placeOfName(entry, place), own).forEach(report);
  const source = inline?.text ?? own.manifest.text;
  if (isOfNothing(texts)) {
    const isOfOlderList = entry.isOfParts === true || entry.isOfOperations === true;
    return isOfOlderList ? fail("patch appears to be empty") : undefined;
  }
  const isUnreadable = inline !== undefined && texts.some(({ yaml }) => yaml.value === undefined);
  const form = isUnreadable ? "no YAML" : formOf(texts, source);
  const from = printedSource(file, source);
  if (typeof form === "string") {
    const at = inline === undefined ? placeOfName(entry, place) : inline.path;
    return fail(`unable to parse SM or JSON patch from ${from}: ${form}`, at);
  }
  const refusal = whyRefused(form, entry, from);
  if (refusal !== undefined) return fail(refusal, [...entry.path, "target"]);
  const parts = read === undefined ? form.parts : form.parts.map(withTextMetadata);
  return { entry, file: own, parts, operations: form.operations, ...forTarget };
}

function whyNoSource({ file, inline }: PatchEntry): string | undefined {
  if (file === undefined && inline === undefined) return "must specify one of patch and path";
  return file !== undefined && inline !== undefined
    ? "patch and path can't be set at the same time"
    : undefined;
}

/** True if no text has content, only comments for example. */
function isOfNothing(texts: readonly WrittenText[]): boolean {
  return texts.every(
    ({ yaml: { value, problems } }) =>
      value === null ||
      (value === undefined && problems.length === 0) ||
      (typeof value === "object" && Object.keys(value).length === 0),
  );
}

/** Why kustomize refuses a patch that can be read; undefined if it does not. */
function whyRefused(
  { parts, operations }: PatchForm,
  { target, isOfOperations }: PatchEntry,
  from: string,
): string | undefined {
  if (isOfOperations && valueAt(target, ["name"]) === undefined)
    return "must specify the target name";
  if (isOfOperations && parts.length > 0)
    return "json: cannot unmarshal object into Go value of type jsonpatch.Patch";
  if (target !== undefined && parts.length > 1)
    return "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set `patches.target` field";
  return target === undefined && (operations.length > 0 || parts.length === 0)
    ? `must specify a target for JSON patch ${from}`
    : undefined;
}

function notApplied(entry: PatchEntry, place: EntryPlace, isTemplate: boolean): KustomizeProblem {
  const { file } = entry;
  const why = isTemplate ? "is a template" : unreadText;
  const message = `The patch is not applied: ${file ?? "it"} ${why}`;
  const at = file === undefined ? entry.path : placeOfName(entry, place);
  const severity = isTemplate ? "information" : "warning";
  return { ...spanAt(place, at), message, severity, isUnread: !isTemplate };
}

/** Path of the patch's file name: in the older list the entry itself is the file name. */
function placeOfName({ path }: PatchEntry, place: EntryPlace): Path {
  return typeof givenAt(place, path).value === "string" ? path : [...path, "path"];
}

/** In kustomize's words, which users search for. */
function refused(message: string): string {
  return `kustomize refuses the patch: ${message}`;
}

export function textsOfFile(file: WorkspaceFile): readonly WrittenText[] {
  return textsOf(file.manifest, file, (span) => span);
}

/** Documents in a text inside a kustomization or transformer. */
export function textsInline(place: EntryPlace, inline: InlinePatch): readonly WrittenText[] {
  const { text, path } = givenAt(place, inline.path);
  const read = known.get(inline) ?? readInline(text.yaml, path, inline.text);
  known.set(inline, read);
  const inFile = (span: Span): Span => text.inFile(read.inFile(span));
  return textsOf(read.manifest, text.file, inFile).map((one) => ({ ...one, holdsObjects: false }));
}

/** An unchanged kustomization is built again whenever one of its resources changes. */
const known = new WeakMap<InlinePatch, EmbeddedManifests>();

/** If the text is not a literal block, all places in it map to the whole. */
function readInline(yaml: YamlDocument, path: Path, text: string): EmbeddedManifests {
  const embedded = embeddedManifests(yaml, path);
  if (embedded !== undefined) return embedded;
  const whole = underline(yaml, path);
  return { manifest: readManifestFile(text), inFile: () => whole };
}

/** The documents with content. Operations need not mention an apiVersion. */
function textsOf(
  { documents, slices, text }: ManifestFile,
  file: WorkspaceFile,
  inFile: (span: Span) => Span,
): readonly WrittenText[] {
  if (documents.length === 0)
    return [{ file, yaml: readYamlDocument(text), inFile, holdsObjects: false }];
  return documents.flatMap(({ yaml }, index) => {
    if (yaml.value === null) return [];
    const offset = slices[index]?.start ?? 0;
    const shift = ({ start, end }: Span): Span =>
      inFile({ start: start + offset, end: end + offset });
    return [{ file, yaml, inFile: shift, holdsObjects: isRecord(yaml.value) }];
  });
}
