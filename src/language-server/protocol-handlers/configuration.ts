/** workspace/didChangeConfiguration: the settings come with it, or are asked for. */
import { DidChangeConfigurationNotification } from "vscode-languageserver";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";

export const configurationHandler: ProtocolHandler = {
  capabilities: () => ({}),
  register: (session) => {
    const { connection, publisher } = session;
    session.onInitialized((client) => {
      if (client.workspace?.didChangeConfiguration?.dynamicRegistration !== true) return;
      void connection.client.register(DidChangeConfigurationNotification.type, {
        section: "claimcheck",
      });
    });
    connection.onDidChangeConfiguration(({ settings }) =>
      session.guardEvent("didChangeConfiguration", async () => {
        const given: unknown = (settings as { readonly claimcheck?: unknown } | null)?.claimcheck;
        session.configure(given ?? (await askConfiguration(session)));
        await publisher.everythingChanged();
      }),
    );
  },
};

async function askConfiguration({ connection, params }: Session): Promise<unknown> {
  if (params?.capabilities.workspace?.configuration !== true) return undefined;
  return await connection.workspace.getConfiguration("claimcheck");
}
