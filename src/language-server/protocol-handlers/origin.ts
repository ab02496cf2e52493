/** textDocument/declaration, textDocument/typeDefinition and textDocument/implementation. */
import { declaration, implementation, typeDefinition } from "../features/origin.ts";
import { toLspLocation } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Place, Session } from "./session.ts";

export const originHandler: ProtocolHandler = {
  capabilities: () => ({
    declarationProvider: true,
    typeDefinitionProvider: true,
    implementationProvider: true,
  }),
  register: (session) => {
    const { connection } = session;
    connection.onDeclaration((params, token) =>
      session.answerAt(
        "declaration",
        params,
        token,
        [],
        locations(session, declaration),
        "definitions",
      ),
    );
    connection.onTypeDefinition((params, token) =>
      session.answerAt(
        "typeDefinition",
        params,
        token,
        [],
        locations(session, typeDefinition),
        "definitions",
      ),
    );
    connection.onImplementation((params, token) =>
      session.answerAt(
        "implementation",
        params,
        token,
        [],
        locations(session, implementation),
        "definitions",
      ),
    );
  },
};

type Locations = ReturnType<typeof toLspLocation>[];

function locations(session: Session, find: typeof declaration): (place: Place) => Locations {
  return ({ analysis, lastPrediction, file, offset }) =>
    find(analysis, lastPrediction, file, offset).map((found) =>
      toLspLocation(found, session.clientUri),
    );
}
