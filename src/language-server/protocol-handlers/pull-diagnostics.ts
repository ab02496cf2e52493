/**
 * textDocument/diagnostic and workspace/diagnostic, for clients that pull. For a file, the answer is what is known at once, and
 * a refresh follows when there is more; a client without refresh support gets a complete answer, later. For the workspace, the
 * answer is always complete. The result id is a hash of the findings: equal findings are `unchanged`, whatever happened in
 * between.
 */
import {
  type CancellationToken,
  type DocumentDiagnosticReport,
  LSPErrorCodes,
  ResponseError,
  type ResultProgressReporter,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDiagnosticReportPartialResult,
  type WorkspaceDocumentDiagnosticReport,
} from "vscode-languageserver";
import { asksForDiagnostics } from "./client-settings.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";
import { type LspDiagnostic, toLspDiagnostic } from "./to-lsp.ts";

export const pullDiagnosticsHandler: ProtocolHandler = {
  capabilities: (params) =>
    asksForDiagnostics(params)
      ? {
          diagnosticProvider: {
            identifier: "claimcheck",
            interFileDependencies: true,
            workspaceDiagnostics: true,
          },
        }
      : {},
  register: (session) => {
    const { diagnostics } = session.connection.languages;
    diagnostics.on(({ textDocument, previousResultId }, token) =>
      documentReport(session, textDocument.uri, previousResultId, token),
    );
    diagnostics.onWorkspace((params, token, _, partial) =>
      workspaceReport(session, params, token, partial),
    );
  },
};

async function documentReport(
  session: Session,
  clientUri: string,
  previousResultId: string | undefined,
  token: CancellationToken,
): Promise<DocumentDiagnosticReport> {
  const uri = session.canonicalUri(clientUri);
  const { publisher } = session;
  session.pulled.add(uri);
  session.background.noteRequest();
  if (session.refreshes) publisher.answerNow(uri);
  else {
    // A newly opened file is asked for before the others have been read, and not again before its next edit.
    await session.loaded;
    await completeFindings(session, uri, token);
  }
  const { items, resultId } = findingsOf(session, uri);
  if (resultId === previousResultId) return { kind: "unchanged", resultId };
  return { kind: "full", resultId, items };
}

/**
 * Waits until the findings are complete. An edit of another file prolongs that; an edit of this one makes the client ask again.
 */
async function completeFindings(
  session: Session,
  uri: string,
  token: CancellationToken,
): Promise<void> {
  const asked = session.findFile(uri);
  for (;;) {
    const isComplete = await session.publisher.complete(uri);
    if (token.isCancellationRequested) throw cancelled();
    if (isComplete) return;
    if (session.findFile(uri) === asked) continue;
    const retrigger = { retriggerRequest: true };
    throw new ResponseError(LSPErrorCodes.ServerCancelled, "the text has changed", retrigger);
  }
}

/** In parts if the client accepts them; the final answer is then empty. */
async function workspaceReport(
  session: Session,
  { previousResultIds }: WorkspaceDiagnosticParams,
  token: CancellationToken,
  partial: ResultProgressReporter<WorkspaceDiagnosticReportPartialResult> | undefined,
): Promise<WorkspaceDiagnosticReport> {
  const { publisher, service } = session;
  await publisher.settled(session.loaded);
  const known = new Map(
    previousResultIds.map(({ uri, value }) => [session.canonicalUri(uri), value]),
  );
  const manifests = new Set(service.manifestUris());
  const files = service.environments().flatMap((environment) => environment.files);
  const told = [...files.map(({ uri }) => uri), ...service.projectUris()];
  const uris = new Set([...told, ...known.keys()]);
  const items: WorkspaceDocumentDiagnosticReport[] = [];
  function* reports(): Generator<void> {
    for (const uri of uris) {
      session.pulled.add(uri);
      const report = reportOf(session, uri, known.get(uri));
      // Most other files are not mentioned, but settings and values may have findings.
      const isTold = report.kind === "unchanged" || report.items.length > 0 || known.has(uri);
      if (isTold || manifests.has(uri)) items.push(report);
      if (items.length >= partialCount) partial?.report({ items: items.splice(0) });
      yield;
    }
  }
  await session.background.drive(reports(), () => token.isCancellationRequested);
  if (token.isCancellationRequested) throw cancelled();
  if (partial !== undefined && items.length > 0) partial.report({ items: items.splice(0) });
  return { items };
}

/** Number of files in each part. */
const partialCount = 100;

function reportOf(
  session: Session,
  uri: string,
  previousResultId: string | undefined,
): WorkspaceDocumentDiagnosticReport {
  const { items, resultId } = findingsOf(session, uri);
  const spelled = session.clientUri(uri);
  const version = session.documents.get(spelled)?.version ?? null;
  const place = { uri: spelled, version, resultId };
  return previousResultId === resultId
    ? { kind: "unchanged", ...place }
    : { kind: "full", ...place, items };
}

function findingsOf(
  session: Session,
  uri: string,
): { readonly items: LspDiagnostic[]; readonly resultId: string } {
  const { service, findFile, clientUri } = session;
  const items = service
    .knownDiagnostics(uri)
    .map((diagnostic) => toLspDiagnostic(diagnostic, findFile, clientUri));
  return { items, resultId: resultIdOf(items) };
}

function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled by the client");
}

function resultIdOf(items: readonly LspDiagnostic[]): string {
  const hash = new Hash();
  for (const { range, severity, code, message, relatedInformation = [] } of items) {
    addRange(hash, range);
    hash.number(severity);
    hash.text(code);
    hash.text(message);
    hash.number(relatedInformation.length);
    for (const { location, message: related } of relatedInformation) {
      hash.text(location.uri);
      addRange(hash, location.range);
      hash.text(related);
    }
  }
  return hash.toString();
}

function addRange(hash: Hash, { start, end }: LspDiagnostic["range"]): void {
  for (const { line, character } of [start, end]) {
    hash.number(line);
    hash.number(character);
  }
}

/** 53 bits suffice to tell a file's findings from its earlier ones. */
class Hash {
  #high = 0xdeadbeef;
  #low = 0x41c6ce57;

  number(value: number): void {
    this.#high = Math.imul(this.#high ^ value, 2_654_435_761);
    this.#low = Math.imul(this.#low ^ value, 1_597_334_677);
  }

  text(value: string): void {
    this.number(value.length);
    for (let i = 0; i < value.length; i++) this.number(value.charCodeAt(i));
  }

  toString(): string {
    const [high, low] = [this.#high, this.#low];
    const mixedHigh =
      Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
    const mixedLow =
      Math.imul(low ^ (low >>> 16), 2_246_822_507) ^
      Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3_266_489_909);
    return (4_294_967_296 * (2_097_151 & mixedLow) + (mixedHigh >>> 0)).toString(36);
  }
}
