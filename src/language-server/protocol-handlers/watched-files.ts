/** workspace/didChangeWatchedFiles: files that change outside of the editor. */
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
      // A commit changes what edits are compared with, but no file of the workspace.
      const globs = [
        "**/*.{yaml,yml,json}",
        "**/Kustomization",
        "**/{*.tpl,NOTES.txt,.helmignore}",
        "**/charts/*.tgz",
        "**/{.gitignore,.git/HEAD,.git/logs/HEAD}",
      ];
      const watchers = globs.map((globPattern) => ({ globPattern }));
      // If a folder is deleted, clients do not report each file in it.
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

/** True if the client reports changes of files, be they by others or by itself. */
export function canWatch({ workspace }: ClientCapabilities): boolean {
  return workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
}

/** Reads changed files again. */
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

/** Most deleted paths were never read, unless they were folders with files. */
function matters({ uri, type }: FileEvent): boolean {
  return type !== FileChangeType.Deleted || isReadAt(uri) || isOfGit(uri);
}

/** True if files may have appeared or vanished: a checkout does both. */
function mayHaveMoved({ uri, type }: FileEvent): boolean {
  return type === FileChangeType.Created || isOfGit(uri);
}

/**
 * Returns a test whether there are files below a folder. The folders are collected only once, because clients report thousands
 * of events at a time.
 */
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
