/** textDocument/codeLens. */
import type { CodeLens } from "vscode-languageserver";
import type { Settings } from "../../protocol/messages.ts";
import { codeLenses } from "../features/code-lens.ts";
import { rangeIn } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";

export const codeLensHandler: ProtocolHandler = {
  capabilities: () => ({ codeLensProvider: {} }),
  register: (session) => {
    session.connection.onCodeLens((params, token) =>
      session.answerInFile("codeLens", params, token, [], ({ analysis, prediction, file }) => {
        if (prediction === undefined) return [];
        const given = session.params?.initializationOptions as Partial<Settings> | undefined;
        const environment = analysis.environment.id;
        return codeLenses(analysis, prediction, file).flatMap(
          ({ title, span, ref }): CodeLens[] => {
            const range = rangeIn(file, span);
            const verdict = { range, command: { title, command: "" } };
            if (given?.commandLinks !== true) return [verdict];
            const explained = [{ environment, ref }];
            const simulated = [{ uri: params.textDocument.uri, line: range.start.line }];
            return [
              verdict,
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
