/** workspace/didChangeWatchedFiles: files that others write. */
import { DidChangeWatchedFilesNotification, FileChangeType } from "vscode-languageserver";
import type { ProtocolHandler } from "./handler.ts";

export const watchedFilesHandler: ProtocolHandler = {
  capabilities: () => ({}),
  register: (session) => {
    const { connection, service, publisher } = session;
    session.onInitialized((client) => {
      if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
      // A commit changes what an edit is compared with, and leaves no other trace.
      const globs = ["**/*.{yaml,yml,json}", "**/Kustomization", "**/.git/{HEAD,logs/HEAD}"];
      const watchers = globs.map((globPattern) => ({ globPattern }));
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
    });
    connection.onDidChangeWatchedFiles(({ changes }) =>
      session.guardEvent("didChangeWatchedFiles", async () => {
        await service.reloadFiles(changes.map(({ uri }) => session.canonicalUri(uri)));
        // A checkout may have removed whole folders.
        if (changes.some(({ type, uri }) => type === FileChangeType.Created || isOfGit(uri)))
          await service.syncFolders();
        await publisher.everythingChanged();
      }),
    );
  },
};

function isOfGit(uri: string): boolean {
  return /\/\.git\/(?:logs\/)?HEAD$/.test(uri);
}
