/** workspace/didChangeWatchedFiles: files that others write. */
import {
  type ClientCapabilities,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  WatchKind,
} from "vscode-languageserver";
import type { LanguageService } from "../service.ts";
import { isReadAt } from "../workspace/file-system.ts";
import { isBelow } from "../workspace/uri.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";

export const watchedFilesHandler: ProtocolHandler = {
  capabilities: () => ({}),
  register: (session) => {
    const { connection } = session;
    session.onInitialized((client) => {
      if (!canWatch(client)) return;
      // A commit changes what an edit is compared with, and leaves no other trace.
      const globs = [
        "**/*.{yaml,yml,json}",
        "**/Kustomization",
        "**/{*.tpl,NOTES.txt,.helmignore}",
        "**/charts/*.tgz",
        "**/{.gitignore,.git/HEAD,.git/logs/HEAD}",
      ];
      const watchers = globs.map((globPattern) => ({ globPattern }));
      // Of a folder that is deleted no client tells each file.
      const folders = { globPattern: "**/*", kind: WatchKind.Delete };
      const options = { watchers: [...watchers, folders] };
      void session.ask("watchers of files", () =>
        connection.client.register(DidChangeWatchedFilesNotification.type, options),
      );
    });
    connection.onDidChangeWatchedFiles(({ changes }) =>
      session.guardEvent("didChangeWatchedFiles", () => takeFileEvents(session, changes)),
    );
  },
};

/** Whether the client tells what others write, and what it writes itself. */
export function canWatch({ workspace }: ClientCapabilities): boolean {
  return workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
}

/** Reads anew what has changed on disk. */
export async function takeFileEvents(
  session: Session,
  changes: readonly FileEvent[],
): Promise<void> {
  const { service, publisher } = session;
  const events = changes
    .map(({ uri, type }) => ({ uri: session.canonicalUri(uri), type }))
    .filter((event) => matters(event, service));
  if (events.length === 0) return;
  await service.reloadFiles(events.map(({ uri }) => uri));
  if (events.some((event) => mayHaveMoved(event, service))) await service.syncFolders();
  await publisher.everythingChanged();
}

/** Most of what is deleted nobody has read. */
function matters({ uri, type }: FileEvent, service: LanguageService): boolean {
  if (type !== FileChangeType.Deleted || isReadAt(uri) || isOfGit(uri)) return true;
  return service.isLoading() || hasFiles(uri, service);
}

/** Whether files may have come, or gone with their folder: as a checkout does it, too. */
function mayHaveMoved({ uri, type }: FileEvent, service: LanguageService): boolean {
  return type === FileChangeType.Created || isOfGit(uri) || hasFiles(uri, service);
}

function hasFiles(folder: string, { environments }: LanguageService): boolean {
  return environments().some(({ files }) => files.some(({ uri }) => isBelow(uri, folder)));
}

function isOfGit(uri: string): boolean {
  return /\/\.git(?:ignore|\/(?:logs\/)?HEAD)$/.test(uri);
}
