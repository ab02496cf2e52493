/** Document and workspace symbols: one for each object, with its named parts below it. */
import { compareText } from "../../engine/api/go/text-order.ts";
import { kindSchema } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import type { DocumentContext } from "../diagnostics/rule.ts";
import { apiWarning } from "../diagnostics/rules/api-refused.ts";
import {
  sourceDeprecated,
  sourceMigrated,
  sourceRemoved,
} from "../diagnostics/rules/removed-sources.ts";
import { own } from "../own.ts";
import type { Environment } from "../workspace/environment.ts";
import { placeOf } from "../workspace/field-place.ts";
import {
  documentStart,
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { locate } from "../yaml/locate.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path, Span } from "../yaml/place.ts";
import type { FilePlace } from "./definition.ts";
import { placeOfName } from "./definition.ts";
import { type Part, type PartKind, partsOf, summaryOf } from "./symbol-parts.ts";

/** Mapped to the icons of editors in to-lsp.ts. */
export type SymbolKind =
  | PartKind
  | "claim"
  | "volume"
  | "class"
  | "driver"
  | "node"
  | "snapshot"
  | "pod"
  | "workload"
  | "configuration"
  | "object";

/** What can be told without locating the whole object in its text. */
export interface NamedSymbol {
  readonly name: string;
  /** For objects: kind, namespace and what they ask for. For parts: what they are. */
  readonly detail: string;
  readonly kind: SymbolKind;
  /** The API server no longer serves it, or Kubernetes advises against it. */
  readonly deprecated: boolean;
  readonly place: FilePlace;
}

export interface ObjectSymbol extends NamedSymbol {
  /** The object's whole text. */
  readonly whole: Span;
}

export interface DocumentSymbol extends ObjectSymbol {
  readonly children: readonly DocumentSymbol[];
}

const kinds: Readonly<Record<string, SymbolKind>> = {
  PersistentVolumeClaim: "claim",
  PersistentVolume: "volume",
  StorageClass: "class",
  VolumeAttributesClass: "class",
  VolumeSnapshotClass: "class",
  CSIDriver: "driver",
  CSINode: "node",
  Node: "node",
  VolumeSnapshot: "snapshot",
  VolumeSnapshotContent: "snapshot",
  Pod: "pod",
  Deployment: "workload",
  ReplicaSet: "workload",
  ReplicationController: "workload",
  StatefulSet: "workload",
  DaemonSet: "workload",
  Job: "workload",
  CronJob: "workload",
  ConfigMap: "configuration",
  Secret: "configuration",
};

/** In the order of the file, with the named parts below their objects. */
export function* symbolTree(
  file: WorkspaceFile,
  { version, environment }: Pick<Analysis, "version" | "environment">,
): Iterable<DocumentSymbol> {
  if (file.manifest.templateAt !== undefined) return;
  const context: DocumentContext = { version, drivers: environment.project.drivers };
  for (const [documentIndex, document] of file.manifest.documents.entries()) {
    const start = file.manifest.slices[documentIndex]?.start ?? 0;
    const known = made.get(document);
    if (known?.version === version) {
      for (const symbol of known.symbols) yield moved(symbol, file, start - known.start);
      continue;
    }
    const symbols = document.objects.map((object) =>
      treeOf({ file, document, documentIndex, object }, context),
    );
    made.set(document, { version, start, symbols });
    yield* symbols;
  }
}

/** Symbols of unchanged documents are reused, because editors ask after every edit. */
const made = new WeakMap<
  FileDocument,
  {
    readonly version: DocumentContext["version"];
    /** Where the document stood in its file. */
    readonly start: number;
    readonly symbols: readonly DocumentSymbol[];
  }
>();

function moved(symbol: DocumentSymbol, file: WorkspaceFile, by: number): DocumentSymbol {
  const { name, detail, kind, deprecated, place, whole, children } = symbol;
  return {
    name,
    detail,
    kind,
    deprecated,
    place: { file, start: place.start + by, end: place.end + by },
    whole: { start: whole.start + by, end: whole.end + by },
    children: children.map((child) => moved(child, file, by)),
  };
}

function treeOf(entry: WorkspaceObject, context: DocumentContext): DocumentSymbol {
  const summary = summaryOf(entry.object);
  const symbol = symbolOf(entry);
  const old = oldPlaces(entry, context);
  const children = partsOf(entry.object).map((part) => partSymbol(entry, part, old));
  return {
    ...symbol,
    detail: summary === "" ? symbol.detail : `${symbol.detail} · ${summary}`,
    // In a pod with a deprecated volume, only the volume is marked.
    deprecated: symbol.deprecated || (children.length === 0 && holdsAny(symbol.whole, old)),
    children,
  };
}

export function symbolOf(entry: WorkspaceObject): ObjectSymbol {
  return { ...namedSymbolOf(entry), whole: wholeObject(entry) };
}

function namedSymbolOf(entry: WorkspaceObject): NamedSymbol {
  const { object } = entry;
  return {
    name: nameOf(entry),
    detail: detailOf(entry),
    kind: own(kinds, object.kind) ?? "object",
    deprecated: isRemoved(entry),
    place: placeOfName(entry),
  };
}

function nameOf({ object }: WorkspaceObject): string {
  return object.name === "" ? object.kind : object.name;
}

function detailOf({ object }: WorkspaceObject): string {
  const namespace = object.namespace === "" || !object.served ? "" : ` in ${object.namespace}`;
  return `${object.kind}${namespace}`;
}

/** Spans of unchanged objects are reused, because editors ask after every edit. */
export function wholeObject(entry: WorkspaceObject): Span {
  const known = wholes.get(entry.object) ?? wholeInDocument(entry, []);
  wholes.set(entry.object, known);
  return inFile(entry, known);
}

const wholes = new WeakMap<WorkspaceObject["object"], Span>();

function wholeOf(entry: WorkspaceObject, path: Path): Span {
  return inFile(entry, wholeInDocument(entry, path));
}

function wholeInDocument({ document, object }: WorkspaceObject, path: Path): Span {
  const { key, value } = locate(document.yaml, [...object.path, ...path]);
  const start = Math.min(key?.start ?? value.start, value.start);
  return { start, end: Math.max(value.end, key?.end ?? 0) };
}

function inFile(entry: WorkspaceObject, { start, end }: Span): Span {
  const offset = documentStart(entry);
  return { start: start + offset, end: end + offset };
}

function partSymbol(entry: WorkspaceObject, part: Part, old: readonly Span[]): DocumentSymbol {
  const { name, detail, kind, path, namePath, children } = part;
  const whole = wholeOf(entry, path);
  const { start, end } = placeOf(entry, namePath ?? path);
  // An alias can put the name outside of the whole, which editors refuse.
  const isInside = start >= whole.start && end <= whole.end;
  return {
    name,
    detail,
    kind,
    deprecated: holdsAny(whole, old),
    place: { file: entry.file, ...(isInside ? { start, end } : whole) },
    whole,
    children: children.map((child) => partSymbol(entry, child, old)),
  };
}

function holdsAny(whole: Span, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => start >= whole.start && end <= whole.end);
}

/** True if the API server serves the kind, but in another version. */
function isRemoved({ object }: WorkspaceObject): boolean {
  const served = kindSchema(object.kind)?.apiVersion;
  return (
    served !== undefined &&
    !object.served &&
    object.apiVersion.split("/")[0] === served.split("/")[0]
  );
}

function isAboutAge(warning: string): boolean {
  return /deprecated|non-functional/.test(warning);
}

const ageRules = [sourceRemoved, sourceMigrated, sourceDeprecated];

/** The volume sources that are removed, redirected to CSI or deprecated. */
function oldPlaces(entry: WorkspaceObject, context: DocumentContext): readonly Span[] {
  const { document } = entry;
  const warned = [...apiWarning.check(document, context)].filter((r) => isAboutAge(r.message));
  const found = ageRules.flatMap((rule) => [...rule.check(document, context)]);
  return [...warned, ...found].map((span) => inFile(entry, span));
}

const symbolCountMax = 500;

/** Objects whose name, kind or namespace contain the query's letters in order; names that start with the query come first. */
export function workspaceSymbols(
  environments: readonly Environment[],
  query: string,
): readonly NamedSymbol[] {
  const wanted = query.toLowerCase();
  const found: WorkspaceObject[] = [];
  const isWanted = (entry: WorkspaceObject): boolean =>
    holdsLetters(`${nameOf(entry)} ${detailOf(entry)}`.toLowerCase(), wanted);
  for (const { files, charts } of environments) {
    for (const file of files)
      if (file.manifest.isKubernetes) found.push(...objectsOfFile(file).filter(isWanted));
    found.push(...charts.objects.filter(isWanted));
  }
  const rank = (entry: WorkspaceObject): number =>
    nameOf(entry).toLowerCase().startsWith(wanted) ? 0 : 1;
  // Places are looked up only for the symbols that are returned.
  return found
    .sort((a, b) => rank(a) - rank(b) || compareText(nameOf(a), nameOf(b)))
    .slice(0, symbolCountMax)
    .map(namedSymbolOf);
}

function holdsLetters(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
