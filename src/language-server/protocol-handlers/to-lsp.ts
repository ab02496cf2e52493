/** Converts findings and places to those of the Language Server Protocol. Plain objects: only handlers know the connection. */
import type { Range } from "../../protocol/messages.ts";
import { type Diagnostic, rulePage, type Severity } from "../diagnostics/rule.ts";
import { type DiagnosticTag, tagOf } from "../diagnostics/tags.ts";
import type { FilePlace } from "../features/definition.ts";
import type { DocumentSymbol, NamedSymbol, ObjectSymbol, SymbolKind } from "../features/symbols.ts";
import { linesOf } from "../text-lines.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";

export interface LspLocation {
  readonly uri: string;
  readonly range: Range;
}

export interface LspDiagnostic {
  readonly range: Range;
  readonly severity: 1 | 2 | 3 | 4;
  readonly code: string;
  readonly codeDescription: { readonly href: string };
  readonly source: "claimcheck";
  readonly message: string;
  readonly tags?: (1 | 2)[];
  readonly relatedInformation?: { location: LspLocation; message: string }[];
}

const tagNumbers: Readonly<Record<DiagnosticTag, 1 | 2>> = { unnecessary: 1, deprecated: 2 };

const severities: Readonly<Record<Severity, LspDiagnostic["severity"]>> = {
  error: 1,
  warning: 2,
  information: 3,
  hint: 4,
};

type FindFile = (uri: string) => WorkspaceFile | undefined;

export function toLspDiagnostic(
  diagnostic: Diagnostic,
  findFile: FindFile,
  clientUri: (uri: string) => string,
): LspDiagnostic {
  const { uri, severity, code, message, related } = diagnostic;
  const location = (at: string, span: Span): LspLocation => ({
    uri: clientUri(at),
    range: rangeIn(findFile(at), span),
  });
  const tag = tagOf(diagnostic);
  return {
    range: rangeIn(findFile(uri), diagnostic),
    severity: severities[severity],
    code,
    codeDescription: { href: rulePage(code) },
    source: "claimcheck",
    message,
    ...(tag !== undefined && { tags: [tagNumbers[tag]] }),
    ...(related !== undefined && {
      relatedInformation: related.map((other) => ({
        location: location(other.uri, other),
        message: other.message,
      })),
    }),
  };
}

const nowhere: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

export function rangeIn(file: WorkspaceFile | undefined, span: Span): Range {
  return file === undefined ? nowhere : linesOf(file.manifest).rangeOf(span);
}

export function toLspLocation(place: FilePlace, clientUri: (uri: string) => string): LspLocation {
  return { uri: clientUri(place.file.uri), range: rangeIn(place.file, place) };
}

type SymbolNumber = 2 | 3 | 4 | 5 | 7 | 9 | 11 | 12 | 13 | 14 | 19 | 20 | 23 | 24;

/** Numbers of the protocol's symbol kinds, chosen for their icons. */
const symbolKinds: Readonly<Record<SymbolKind, SymbolNumber>> = {
  claim: 11, // Interface: what is asked for.
  volume: 23, // Struct
  class: 5, // Class
  driver: 4, // Package
  node: 3, // Namespace
  snapshot: 24, // Event
  pod: 19, // Object
  workload: 2, // Module
  configuration: 14, // Constant
  object: 19, // Object
  container: 12, // Function
  mount: 7, // Property
  "pod-volume": 13, // Variable
  template: 9, // Constructor
  key: 20, // Key
};

interface LspSymbol {
  readonly name: string;
  readonly kind: SymbolNumber;
  /** Means deprecated. */
  readonly tags?: [1];
}

export interface LspDocumentSymbol extends LspSymbol {
  readonly detail: string;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly children: LspDocumentSymbol[];
}

interface LspHierarchyItem extends LspSymbol {
  readonly detail: string;
  readonly uri: string;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly data: { readonly ref: string };
}

export interface LspWorkspaceSymbol extends LspSymbol {
  readonly containerName: string;
  readonly location: LspLocation;
}

const deprecatedTags: [1] = [1];

function toLspSymbol({ name, kind, deprecated }: NamedSymbol): LspSymbol {
  return { name, kind: symbolKinds[kind], ...(deprecated && { tags: deprecatedTags }) };
}

export function toLspDocumentSymbol(symbol: DocumentSymbol): LspDocumentSymbol {
  const { name, detail, kind, deprecated, place, whole, children } = symbol;
  // No spread here: with the thousands of symbols of a large file it doubles the time.
  const made = {
    name,
    kind: symbolKinds[kind],
    detail,
    range: rangeIn(place.file, whole),
    selectionRange: rangeIn(place.file, place),
    children: children.map(toLspDocumentSymbol),
  };
  return deprecated ? { ...made, tags: deprecatedTags } : made;
}

/** For clients that do not show trees: a flat list in which each symbol names its parent. */
export function withoutTree(
  { name, kind, tags, detail, range, children }: LspDocumentSymbol,
  uri: string,
  containerName: string = detail,
): LspWorkspaceSymbol[] {
  const symbol = { name, kind, containerName, location: { uri, range } };
  const inside = children.flatMap((child) => withoutTree(child, uri, name));
  return [tags === undefined ? symbol : { ...symbol, tags }, ...inside];
}

/** An object as an item of a hierarchy. The client returns `data` when it asks for the item's neighbors. */
export function toLspHierarchyItem(
  symbol: ObjectSymbol,
  ref: string,
  clientUri: (uri: string) => string,
): LspHierarchyItem {
  const { place, whole, detail } = symbol;
  return {
    ...toLspSymbol(symbol),
    detail,
    uri: clientUri(place.file.uri),
    range: rangeIn(place.file, whole),
    selectionRange: rangeIn(place.file, place),
    data: { ref },
  };
}

export function toLspWorkspaceSymbol(
  symbol: NamedSymbol,
  clientUri: (uri: string) => string,
): LspWorkspaceSymbol {
  const location = toLspLocation(symbol.place, clientUri);
  return { ...toLspSymbol(symbol), containerName: symbol.detail, location };
}
