/** workspace/symbol. */
import { workspaceSymbols } from "../features/symbols.ts";
import { objectSymbolKind, toLspLocation } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";

export const workspaceSymbolHandler: ProtocolHandler = {
  capabilities: () => ({ workspaceSymbolProvider: true }),
  register: (session) => {
    session.connection.onWorkspaceSymbol(({ query }, token) =>
      session.answer("workspaceSymbol", token, [], () =>
        workspaceSymbols(session.service.environments(), query).map(({ name, detail, place }) => ({
          name,
          kind: objectSymbolKind,
          containerName: detail,
          location: toLspLocation(place, session.clientUri),
        })),
      ),
    );
  },
};
