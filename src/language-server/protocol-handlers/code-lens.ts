/** textDocument/codeLens. */
import type { CodeLens, Range, TextDocumentIdentifier } from "vscode-languageserver";
import { judgeOverlayCommand, judgeValuesCommand } from "../../protocol/messages.ts";
import { codeLenses, type OverlayLens, overlayLens, valuesLens } from "../features/code-lens.ts";
import type { ProtocolHandler } from "./handler.ts";
import { rangeIn } from "./to-lsp.ts";

export const codeLensHandler: ProtocolHandler = {
  capabilities: () => ({ codeLensProvider: {} }),
  register: (session) => {
    session.connection.onCodeLens((params, token) =>
      session.answerInFile("codeLens", params, token, [], ({ analysis, prediction, file }) => {
        const { hasCommands } = session;
        const overlay = overlayLens(analysis, file);
        if (overlay !== undefined) return overlayLenses(overlay, params.textDocument, hasCommands);
        const values = valuesLens(analysis, file);
        if (values !== undefined) return valuesLenses(values, params.textDocument);
        if (prediction === undefined) return [];
        const environment = analysis.environment.id;
        return codeLenses(analysis, prediction, file).flatMap(
          ({ title, span, ref }): CodeLens[] => {
            const range = rangeIn(file, span);
            if (!hasCommands) return [{ range, command: { title, command: "" } }];
            const explained = [{ environment, ref }];
            const simulated = [{ uri: params.textDocument.uri, line: range.start.line }];
            return [
              { range, command: { title: inSight(title), tooltip: title, command: "" } },
              {
                range,
                command: { title: "Explain", command: "claimcheck.explain", arguments: explained },
              },
              {
                range,
                command: {
                  title: "Simulate",
                  command: "claimcheck.simulateCluster",
                  arguments: simulated,
                },
              },
            ];
          },
        );
      }),
    );
  },
};

/** Fits into half a window together with the links after it. */
const titleLengthMax = 80;

/** Cuts a long title, because editors would otherwise cut the links. */
function inSight(title: string): string {
  return title.length > titleLengthMax ? `${title.slice(0, titleLengthMax - 1)}…` : title;
}

const wholeFile: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function valuesLenses(title: string, { uri }: TextDocumentIdentifier): CodeLens[] {
  const judge = { title: "Judge With These Values", command: judgeValuesCommand, arguments: [uri] };
  return [
    { range: wholeFile, command: { title, command: "" } },
    { range: wholeFile, command: judge },
  ];
}

/** The lenses at the top of a kustomization. */
function overlayLenses(
  { title, isJudged }: OverlayLens,
  { uri }: TextDocumentIdentifier,
  hasCommands: boolean,
): CodeLens[] {
  const range = wholeFile;
  const choice = isJudged
    ? { title: "Judge Another…", command: "claimcheck.selectOverlay" }
    : { title: "Judge This Overlay", command: judgeOverlayCommand, arguments: [uri] };
  return [
    { range, command: { title, command: "" } },
    // The server executes the second command itself.
    ...(hasCommands || !isJudged ? [{ range, command: choice }] : []),
  ];
}
