/** textDocument/didOpen, didChange, didSave and didClose: the text in an editor takes precedence over the file. */
import { FileChangeType, TextDocumentSyncKind } from "vscode-languageserver";
import { projectFileName } from "../project/project-file.ts";
import { baseName } from "../workspace/files/uri.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";
import { canWatch, takeFileEvents } from "./watched-files.ts";

export const documentSyncHandler: ProtocolHandler = {
  capabilities: ({ capabilities }) => ({
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: !canWatch(capabilities),
    },
  }),
  register: (session) => {
    const { connection, documents, service, publisher } = session;
    documents.onDidChangeContent(({ document }) =>
      session.guardEvent("didChange", async () => {
        if (!session.isOfWorkspace(document.uri)) return;
        const uri = session.canonicalUri(document.uri);
        session.background.noteEdit();
        session.rememberClientUri(uri, document.uri);
        service.setEditorText(uri, document.getText());
        publisher.fileChanged(uri, document.version);
        if (await readNamedImports(session, uri)) await publisher.everythingChanged();
      }),
    );
    // Clients that watch files report the change anyway.
    documents.onDidSave(({ document: { uri } }) =>
      session.guardEvent("didSave", async () => {
        if (canWatch(session.params?.capabilities ?? {})) return;
        await takeFileEvents(session, [{ uri, type: FileChangeType.Created }]);
      }),
    );
    documents.onDidClose(({ document }) =>
      session.guardEvent("didClose", async () => {
        if (!session.isOfWorkspace(document.uri)) return;
        const uri = session.canonicalUri(document.uri);
        service.closeEditor(uri);
        await readNamedImports(session, uri);
        await publisher.fileClosed(uri);
        // It may have been reopened in the meantime.
        if (documents.get(document.uri) === undefined) session.forgetClientUri(uri);
      }),
    );
    documents.listen(connection);
  },
};

/** If claimcheck.yaml names an import that could not be found, looks for it again. Returns false if there is none. */
async function readNamedImports({ service }: Session, uri: string): Promise<boolean> {
  if (baseName(uri) !== projectFileName || !service.hasUnreadImports()) return false;
  await service.readImports();
  return true;
}
