/** textDocument/definition. */
import { definition } from "../features/definition.ts";
import type { ProtocolHandler } from "./handler.ts";
import { toLspLocation } from "./to-lsp.ts";

export const definitionHandler: ProtocolHandler = {
  capabilities: () => ({ definitionProvider: true }),
  register: (session) => {
    session.connection.onDefinition((params, token) =>
      session.answerAt(
        "definition",
        { ...params, readsFirst: "definitions" },
        token,
        [],
        ({ analysis, lastPrediction, file, offset }) =>
          definition(analysis, lastPrediction, file, offset).map((found) =>
            toLspLocation(found, session.clientUri),
          ),
      ),
    );
  },
};
