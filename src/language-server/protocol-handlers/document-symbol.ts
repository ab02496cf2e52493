/** textDocument/documentSymbol. */
import { symbolTree } from "../features/symbols.ts";
import { toLspDocumentSymbol } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";

export const documentSymbolHandler: ProtocolHandler = {
  capabilities: () => ({ documentSymbolProvider: true }),
  register: (session) => {
    session.connection.onDocumentSymbol((params, token) =>
      session.answerInFile("documentSymbol", params, token, [], ({ analysis, file }) =>
        symbolTree(file, { version: analysis.version }).map(toLspDocumentSymbol),
      ),
    );
  },
};
