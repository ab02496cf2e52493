/** workspace/didChangeConfiguration: takes the settings from the notification, or asks for them. */
import { DidChangeConfigurationNotification } from "vscode-languageserver";
import type { ProtocolHandler } from "./handler.ts";

export const configurationHandler: ProtocolHandler = {
  register: (session) => {
    const { connection, publisher } = session;
    session.onInitialized((client) => {
      if (client.workspace?.didChangeConfiguration?.dynamicRegistration !== true) return;
      const options = { section: "claimcheck" };
      void session.ask("to tell of settings", () =>
        connection.client.register(DidChangeConfigurationNotification.type, options),
      );
    });
    connection.onDidChangeConfiguration(({ settings }) =>
      session.guardEvent("didChangeConfiguration", async () => {
        const given: unknown = (settings as { readonly claimcheck?: unknown } | null)?.claimcheck;
        const reads = session.configure(given ?? (await session.askConfiguration()));
        if (reads) await session.service.rereadFolders();
        await publisher.everythingChanged();
      }),
    );
  },
};
