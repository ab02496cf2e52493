/** workspace/symbol. */
import { workspaceSymbols } from "../features/symbols.ts";
import type { ProtocolHandler } from "./handler.ts";
import { toLspWorkspaceSymbol } from "./to-lsp.ts";

export const workspaceSymbolHandler: ProtocolHandler = {
  capabilities: () => ({ workspaceSymbolProvider: true }),
  register: (session) => {
    session.connection.onWorkspaceSymbol(({ query }, token) =>
      session.answer("workspaceSymbol", token, [], () =>
        workspaceSymbols(session.service.environments(), query).map((symbol) =>
          toLspWorkspaceSymbol(symbol, session.clientUri),
        ),
      ),
    );
  },
};
