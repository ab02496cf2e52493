/** textDocument/references. */
import { findReferences } from "../features/references.ts";
import type { ProtocolHandler } from "./handler.ts";
import { toLspLocation } from "./to-lsp.ts";

export const referencesHandler: ProtocolHandler = {
  capabilities: () => ({ referencesProvider: true }),
  register: (session) => {
    session.connection.onReferences((params, token) =>
      session.answerAt(
        "references",
        { ...params, readsFirst: "uses" },
        token,
        [],
        ({ analysis, file, offset }) =>
          findReferences(analysis, file, offset, params.context.includeDeclaration).map((place) =>
            toLspLocation(place, session.clientUri),
          ),
      ),
    );
  },
};
