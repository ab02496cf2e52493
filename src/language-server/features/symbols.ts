/** Document and workspace symbols: one for each object, named as kubectl names it, with what it holds below it. */
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

/** What editors have icons for is chosen in to-lsp.ts. */
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

/** What is known of an object without a look at its text as a whole. */
export interface NamedSymbol {
  readonly name: string;
  /** Of objects kind, namespace and what they ask for; of parts what they are. */
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

/** In the order of the file, with containers, volumes, claim templates, parameters and keys below the objects that have them. */
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

/** A document that has not changed is not looked at again: editors ask after each edit. */
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
    // Of a pod with an old volume only the volume is marked.
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

/** An object that has not changed is not looked for again: editors ask after each edit. */
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
  // The name has to be in the whole, which it is not where the two come from different places of an alias.
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

/** The API server serves the kind in another version only. */
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

/** Where volume sources stand that Kubernetes has taken out, redirects or advises against. */
function oldPlaces(entry: WorkspaceObject, context: DocumentContext): readonly Span[] {
  const { document } = entry;
  const warned = [...apiWarning.check(document, context)].filter((r) => isAboutAge(r.message));
  const found = ageRules.flatMap((rule) => [...rule.check(document, context)]);
  return [...warned, ...found].map((span) => inFile(entry, span));
}

const symbolCountMax = 500;

/** Objects whose name or kind holds the letters of the query in their order; those that begin with it come first. */
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
  // Only what is shown is looked up in the text.
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
