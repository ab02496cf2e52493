/** textDocument/documentHighlight. */
import { DocumentHighlightKind } from "vscode-languageserver";
import { documentHighlights } from "../features/references.ts";
import type { ProtocolHandler } from "./handler.ts";
import { rangeIn } from "./to-lsp.ts";

export const documentHighlightHandler: ProtocolHandler = {
  capabilities: () => ({ documentHighlightProvider: true }),
  register: (session) => {
    session.connection.onDocumentHighlight((params, token) =>
      session.answerAt("documentHighlight", params, token, [], ({ analysis, file, offset }) =>
        documentHighlights(analysis, file, offset).map(({ kind, ...span }) => ({
          range: rangeIn(file, span),
          kind: kind === "write" ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
        })),
      ),
    );
  },
};
