/** textDocument/codeAction. */
import {
  CodeActionKind,
  type CodeAction as LspCodeAction,
  type TextEdit as LspTextEdit,
} from "vscode-languageserver";
import { type CodeAction, codeActions } from "../features/code-actions.ts";
import { linesOf } from "../text-lines.ts";
import { rangeIn, toLspDiagnostic } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";

export const codeActionHandler: ProtocolHandler = {
  capabilities: () => ({ codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] } }),
  register: (session) => {
    session.connection.onCodeAction(({ textDocument, range }, token) =>
      session.answerAt(
        "codeAction",
        { textDocument, position: range.start },
        token,
        [],
        ({ analysis, prediction, file, offset }) => {
          const span = { start: offset, end: linesOf(file.manifest).offsetAt(range.end) };
          const known = session.service.diagnostics(file.uri);
          return codeActions(analysis, prediction, file, known, span).map((action) =>
            toLspAction(session, action),
          );
        },
      ),
    );
  },
};

function toLspAction(session: Session, { title, edits, diagnostic }: CodeAction): LspCodeAction {
  const { findFile, clientUri } = session;
  const changes: Record<string, LspTextEdit[]> = {};
  for (const { uri, text, ...span } of edits) {
    const inFile = (changes[clientUri(uri)] ??= []);
    inFile.push({ range: rangeIn(findFile(uri), span), newText: text });
  }
  return {
    title,
    kind: CodeActionKind.QuickFix,
    edit: { changes },
    ...(diagnostic !== undefined && {
      diagnostics: [toLspDiagnostic(diagnostic, findFile, clientUri)],
    }),
  };
}
