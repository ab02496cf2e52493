/** textDocument/documentLink. */
import { documentLinks } from "../features/document-links.ts";
import type { ProtocolHandler } from "./handler.ts";
import { rangeIn } from "./to-lsp.ts";

export const documentLinkHandler: ProtocolHandler = {
  capabilities: () => ({ documentLinkProvider: {} }),
  register: (session) => {
    session.connection.onDocumentLinks((params, token) =>
      session.answerInFile("documentLink", params, token, [], ({ analysis, file }) =>
        documentLinks(analysis.environment, file).map(({ target, tooltip, ...span }) => ({
          range: rangeIn(file, span),
          target,
          tooltip,
        })),
      ),
    );
  },
};
