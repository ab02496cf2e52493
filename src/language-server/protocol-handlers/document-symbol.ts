/** textDocument/documentSymbol. */
import { documentSymbols } from "../features/symbols.ts";
import { toLspDocumentSymbol } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";

export const documentSymbolHandler: ProtocolHandler = {
  capabilities: () => ({ documentSymbolProvider: true }),
  register: (session) => {
    session.connection.onDocumentSymbol(({ textDocument }, token) =>
      session.answer("documentSymbol", token, [], () => {
        const file = session.findFile(session.canonicalUri(textDocument.uri));
        return file === undefined ? [] : documentSymbols(file).map(toLspDocumentSymbol);
      }),
    );
  },
};
