/** Our findings and places as the Language Server Protocol writes them. Plain objects: only handlers know the connection. */
import type { Range } from "../protocol/messages.ts";
import type { Diagnostic, Severity } from "./diagnostics/rule.ts";
import type { FilePlace } from "./features/definition.ts";
import type { ObjectSymbol } from "./features/symbols.ts";
import { linesOf } from "./text-lines.ts";
import type { WorkspaceFile } from "./workspace/workspace.ts";
import type { Span } from "./yaml/locate.ts";

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
  readonly relatedInformation?: { location: LspLocation; message: string }[];
}

const severities: Readonly<Record<Severity, LspDiagnostic["severity"]>> = {
  error: 1,
  warning: 2,
  information: 3,
  hint: 4,
};

const rulesPage = "https://github.com/claimcheck/claimcheck/blob/main/docs/rules";

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
  return {
    range: rangeIn(findFile(uri), diagnostic),
    severity: severities[severity],
    code,
    codeDescription: { href: `${rulesPage}/${code}.md` },
    source: "claimcheck",
    message,
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

/** An object is a class among the kinds of symbols; nothing in the protocol is nearer. */
export const objectSymbolKind = 5;

export function toLspDocumentSymbol({ name, detail, place, whole }: ObjectSymbol): {
  readonly name: string;
  readonly detail: string;
  readonly kind: typeof objectSymbolKind;
  readonly range: Range;
  readonly selectionRange: Range;
} {
  return {
    name,
    detail,
    kind: objectSymbolKind,
    range: rangeIn(place.file, whole),
    selectionRange: rangeIn(place.file, place),
  };
}
