/** textDocument/codeAction. */
import { CodeActionKind, type CodeAction as LspCodeAction } from "vscode-languageserver";
import type { ActionKind, CodeAction } from "../code-actions/code-action.ts";
import { codeActions } from "../features/code-actions.ts";
import { linesOf } from "../text-lines.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";
import { toLspDiagnostic } from "./to-lsp.ts";
import { canCreateFiles, toWorkspaceEdit } from "./workspace-edit.ts";

/** A kind of our own, so that a user can request only these fixes on save. */
const fixAllKind = `${CodeActionKind.SourceFixAll}.claimcheck`;

const kinds: Readonly<Record<ActionKind, CodeActionKind>> = {
  quickfix: CodeActionKind.QuickFix,
  "refactor.rewrite": CodeActionKind.RefactorRewrite,
  "source.fixAll": fixAllKind,
};

export const codeActionHandler: ProtocolHandler = {
  capabilities: () => ({ codeActionProvider: { codeActionKinds: Object.values(kinds) } }),
  register: (session) => {
    session.connection.onCodeAction(({ textDocument, range, context: { only } }, token) =>
      session.answerAt(
        "codeAction",
        { textDocument, position: range.start },
        token,
        [],
        ({ analysis, prediction, file, offset }) => {
          const context = {
            analysis,
            prediction,
            file,
            diagnostics: session.service.knownDiagnostics(file.uri),
            range: { start: offset, end: linesOf(file.manifest).offsetAt(range.end) },
            findFile: session.findFile,
          };
          const canCreate = canCreateFiles(session.params?.capabilities);
          return codeActions(context, (kind) => isAsked(kinds[kind], only))
            .filter(({ creates }) => creates === undefined || canCreate)
            .filter(({ command }) => command === undefined || session.hasCommands)
            .map((action) => toLspAction(session, action));
        },
      ),
    );
  },
};

/** Kinds are hierarchical: `source` includes `source.fixAll.claimcheck`. Source actions are returned only on request. */
function isAsked(kind: CodeActionKind, only: readonly CodeActionKind[] | undefined): boolean {
  if (only === undefined) return !kind.startsWith(CodeActionKind.Source);
  return only.some((wanted) => wanted === "" || `${kind}.`.startsWith(`${wanted}.`));
}

function toLspAction(
  session: Session,
  { title, kind, edits, diagnostic, isPreferred, creates, command }: CodeAction,
): LspCodeAction {
  const { findFile, clientUri } = session;
  const files = new Set(edits.map(({ uri }) => uri));
  const annotations = files.size > 1 ? { [title]: { label: title } } : {};
  const changes = edits.map((edit) => ({ ...edit, group: title }));
  return {
    title,
    kind: kinds[kind],
    ...(isPreferred === true && { isPreferred }),
    ...(command === undefined
      ? { edit: toWorkspaceEdit(session, changes, annotations, creates) }
      : { command: { title, command } }),
    ...(diagnostic !== undefined && {
      diagnostics: [toLspDiagnostic(diagnostic, findFile, clientUri)],
    }),
  };
}
