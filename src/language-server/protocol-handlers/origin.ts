/** textDocument/declaration, textDocument/typeDefinition and textDocument/implementation. */
import type { CancellationToken } from "vscode-languageserver";
import { declaration, implementation, typeDefinition } from "../features/origin.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { At, Place, Session } from "./session.ts";
import { toLspLocation } from "./to-lsp.ts";

export const originHandler: ProtocolHandler = {
  capabilities: () => ({
    declarationProvider: true,
    typeDefinitionProvider: true,
    implementationProvider: true,
  }),
  register: (session) => {
    const { connection } = session;
    connection.onDeclaration(answering(session, "declaration", declaration));
    connection.onTypeDefinition(answering(session, "typeDefinition", typeDefinition));
    connection.onImplementation(answering(session, "implementation", implementation));
  },
};

type Locations = ReturnType<typeof toLspLocation>[];

function answering(
  session: Session,
  name: string,
  find: typeof declaration,
): (params: At, token: CancellationToken) => Promise<Locations> {
  const run = ({ analysis, lastPrediction, file, offset }: Place): Locations =>
    find(analysis, lastPrediction, file, offset).map((found) =>
      toLspLocation(found, session.clientUri),
    );
  return (params, token) =>
    session.answerAt(name, { ...params, readsFirst: "definitions" }, token, [], run);
}
