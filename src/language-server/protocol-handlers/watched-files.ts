/** workspace/didChangeWatchedFiles: files that others write. */
import {
  type ClientCapabilities,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  type FileEvent,
  WatchKind,
} from "vscode-languageserver";
import type { LanguageService } from "../service.ts";
import { isReadAt } from "../workspace/files/file-system.ts";
import { parentUri } from "../workspace/files/uri.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";

export const watchedFilesHandler: ProtocolHandler = {
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
  const hadFiles = folderTest(service);
  const events = changes
    .map(({ uri, type }) => ({ uri: session.canonicalUri(uri), type }))
    .filter((event) => matters(event) || service.isLoading() || hadFiles(event.uri));
  if (events.length === 0) return;
  await service.reloadFiles(events.map(({ uri }) => uri));
  const hasFiles = folderTest(service);
  if (events.some((event) => mayHaveMoved(event) || hasFiles(event.uri)))
    await service.syncFolders();
  await publisher.everythingChanged();
}

/** Most of what is deleted nobody has read, unless it is a folder. */
function matters({ uri, type }: FileEvent): boolean {
  return type !== FileChangeType.Deleted || isReadAt(uri) || isOfGit(uri);
}

/** Whether files may have come, or gone: a checkout does both. */
function mayHaveMoved({ uri, type }: FileEvent): boolean {
  return type === FileChangeType.Created || isOfGit(uri);
}

/** Whether there are files below something. They are looked through once: clients tell of thousands of events at a time. */
function folderTest({ environments }: LanguageService): (uri: string) => boolean {
  let folders: Set<string> | undefined;
  return (uri) => {
    folders ??= foldersAbove(environments().flatMap(({ files }) => files));
    return folders.has(uri);
  };
}

function foldersAbove(files: readonly WorkspaceFile[]): Set<string> {
  const folders = new Set<string>();
  for (const { uri } of files)
    for (let at = parentUri(uri); at !== "" && !folders.has(at); at = parentUri(at))
      folders.add(at);
  return folders;
}

function isOfGit(uri: string): boolean {
  return /\/\.git(?:ignore|\/(?:logs\/)?HEAD)$/.test(uri);
}
