/** textDocument/didOpen, didChange, didSave and didClose: what an editor has open wins over the disk. */
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
    // Who watches files tells it otherwise, too.
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
        // It may have been opened again by then.
        if (documents.get(document.uri) === undefined) session.forgetClientUri(uri);
      }),
    );
    documents.listen(connection);
  },
};

/** A file that was not there is looked for as often as the text of the file that names it changes; false where none was. */
async function readNamedImports({ service }: Session, uri: string): Promise<boolean> {
  if (baseName(uri) !== projectFileName || !service.hasUnreadImports()) return false;
  await service.readImports();
  return true;
}
