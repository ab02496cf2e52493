/** textDocument/didOpen, didChange and didClose: what an editor has open wins over the disk. */
import { TextDocumentSyncKind } from "vscode-languageserver";
import { projectFileName } from "../project/project-file.ts";
import { baseName } from "../workspace/uri.ts";
import type { ProtocolHandler } from "./handler.ts";

export const documentSyncHandler: ProtocolHandler = {
  capabilities: () => ({
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
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
        // A file that was not there is looked for again, as often as somebody edits the file that names it.
        if (baseName(uri) !== projectFileName || !service.hasUnreadImports()) return;
        await service.readImports();
        await publisher.everythingChanged();
      }),
    );
    documents.onDidClose(({ document }) =>
      session.guardEvent("didClose", async () => {
        if (!session.isOfWorkspace(document.uri)) return;
        const uri = session.canonicalUri(document.uri);
        service.closeEditor(uri);
        await publisher.everythingChanged();
        // It may have been opened again by then.
        if (documents.get(document.uri) === undefined) session.forgetClientUri(uri);
      }),
    );
    documents.listen(connection);
  },
};
