/** The workspace's folders: read when the client is ready, and again when they change. */
import { withoutTrailingSlash } from "../workspace/files/uri.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";

export const workspaceFoldersHandler: ProtocolHandler = {
  capabilities: () => ({
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  }),
  register: (session) => {
    session.onInitialized(async (client) => {
      // The library throws if the client does not support several folders.
      if (client.workspace?.workspaceFolders === true) {
        session.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
          session.guardEvent("didChangeWorkspaceFolders", async () => {
            // A client may spell them differently than at the start.
            const gone = new Set(removed.map(({ uri }) => spelledAsOurs(session, uri)));
            const kept = session.folders.filter((uri) => !gone.has(spelledAsOurs(session, uri)));
            session.folders = [...kept, ...added.map(({ uri }) => uri)];
            await load(session);
          }),
        );
      }
      try {
        // A client sends its settings at the start, or waits to be asked.
        if (!session.hasSettings) session.configure(await session.askConfiguration());
        await load(session);
      } finally {
        session.finishLoading();
      }
    });
  },
};

function spelledAsOurs(session: Session, folder: string): string {
  return withoutTrailingSlash(session.canonicalUri(folder));
}

/** Reads the folders, with a progress bar if the client supports that. */
async function load(session: Session): Promise<void> {
  const { connection, service, publisher, params } = session;
  const shows =
    params?.capabilities.window?.workDoneProgress === true && session.folders.length > 0;
  const progress = shows
    ? await session.ask("a progress bar", () => connection.window.createWorkDoneProgress())
    : undefined;
  progress?.begin("Claimcheck", 0, "reading manifests");
  // The folders may have changed while waiting.
  const folders = session.folders.map((uri) => session.canonicalUri(uri));
  await service.loadFolders(folders, (done, total) =>
    progress?.report(Math.floor((100 * done) / Math.max(total, 1)), `${done} of ${total} files`),
  );
  // The list of clusters is known before their predictions.
  session.tellEnvironments();
  await service.recall();
  progress?.report(100, "simulating");
  await publisher.everythingChanged();
  progress?.done();
  session.tellEnvironments();
}
