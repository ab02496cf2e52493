/** textDocument/codeLens. */
import { codeLenses } from "../features/code-lens.ts";
import { rangeIn } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";

export const codeLensHandler: ProtocolHandler = {
  capabilities: () => ({ codeLensProvider: {} }),
  register: (session) => {
    session.connection.onCodeLens((params, token) =>
      session.answerInFile("codeLens", params, token, [], ({ analysis, prediction, file }) => {
        if (prediction === undefined) return [];
        return codeLenses(analysis, prediction, file).map(({ title, span }) => ({
          range: rangeIn(file, span),
          command: { title, command: "" },
        }));
      }),
    );
  },
};
