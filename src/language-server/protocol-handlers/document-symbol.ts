/** textDocument/documentSymbol. */
import { symbolTree } from "../features/symbols.ts";
import type { ProtocolHandler } from "./handler.ts";
import {
  type LspDocumentSymbol,
  type LspWorkspaceSymbol,
  toLspDocumentSymbol,
  withoutTree,
} from "./to-lsp.ts";

export const documentSymbolHandler: ProtocolHandler = {
  capabilities: () => ({ documentSymbolProvider: true }),
  register: (session) => {
    session.connection.onDocumentSymbol((params, token) =>
      session.answerInFile<LspDocumentSymbol[] | LspWorkspaceSymbol[]>(
        "documentSymbol",
        params,
        token,
        [],
        async ({ analysis, file }) => {
          const symbols: LspDocumentSymbol[] = [];
          function* collect(): Generator<void> {
            for (const symbol of symbolTree(file, analysis)) {
              symbols.push(toLspDocumentSymbol(symbol));
              yield;
            }
          }
          // Symbols of a large file take long the first time: let edits and hovers go first.
          await session.background.drive(collect(), () => token.isCancellationRequested);
          const { documentSymbol } = session.params?.capabilities.textDocument ?? {};
          return documentSymbol?.hierarchicalDocumentSymbolSupport === true
            ? symbols
            : symbols.flatMap((symbol) => withoutTree(symbol, session.clientUri(file.uri)));
        },
      ),
    );
  },
};
