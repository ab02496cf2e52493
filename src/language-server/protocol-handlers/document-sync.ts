/** textDocument/didOpen, didChange and didClose: what an editor has open wins over the disk. */
import { TextDocumentSyncKind } from "vscode-languageserver";
import type { ProtocolHandler } from "./handler.ts";

export const documentSyncHandler: ProtocolHandler = {
  capabilities: () => ({
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  }),
  register: (session) => {
    const { connection, documents, service, publisher } = session;
    documents.onDidChangeContent(({ document }) =>
      session.guardEvent("didChange", () => {
        const uri = session.canonicalUri(document.uri);
        session.rememberClientUri(uri, document.uri);
        service.setEditorText(uri, document.getText());
        publisher.fileChanged(uri, document.version);
      }),
    );
    documents.onDidClose(({ document }) =>
      session.guardEvent("didClose", async () => {
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
