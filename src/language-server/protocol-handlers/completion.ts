/** textDocument/completion. */
import { CompletionItemKind } from "vscode-languageserver";
import { type CompletionKind, completions } from "../features/completion.ts";
import { linesOf } from "../text-lines.ts";
import type { ProtocolHandler } from "./handler.ts";

const kinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  value: CompletionItemKind.EnumMember,
  object: CompletionItemKind.Reference,
};

export const completionHandler: ProtocolHandler = {
  capabilities: () => ({ completionProvider: { triggerCharacters: [":", " "] } }),
  register: (session) => {
    session.connection.onCompletion(({ textDocument, position }, token) =>
      session.answer("completion", token, [], () => {
        const uri = session.canonicalUri(textDocument.uri);
        const file = session.findFile(uri);
        if (file === undefined) return [];
        const lines = linesOf(file.manifest);
        const found = completions(session.service.analysisOf(uri), file, lines.offsetAt(position));
        return found.map(({ label, kind, detail, documentation, insert, replace }) => ({
          label,
          kind: kinds[kind],
          ...(detail !== undefined && { detail }),
          ...(documentation !== undefined && { documentation }),
          textEdit: { range: lines.rangeOf(replace), newText: insert },
        }));
      }),
    );
  },
};
