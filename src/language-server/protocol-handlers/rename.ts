/** textDocument/prepareRename and textDocument/rename. */
import {
  type ChangeAnnotation,
  LSPErrorCodes,
  ResponseError,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { prepareRename, type Rename, type RenameGroup, rename } from "../features/rename.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";
import { rangeIn } from "./to-lsp.ts";
import { toWorkspaceEdit } from "./workspace-edit.ts";

export const renameHandler: ProtocolHandler = {
  capabilities: () => ({ renameProvider: { prepareProvider: true } }),
  register: (session) => {
    session.connection.onPrepareRename((params, token) =>
      session.answerAt<PrepareReply>(
        "prepareRename",
        { ...params, readsFirst: "definitions" },
        token,
        null,
        ({ analysis, file, offset }) => {
          const found = prepareRename(analysis, file, offset);
          if (!found.ok) return refusal(found.message);
          return { range: rangeIn(file, found.value), placeholder: found.value.placeholder };
        },
      ),
    );
    session.connection.onRenameRequest((params, token) =>
      session.answerAt<WorkspaceEdit | ResponseError | null>(
        "rename",
        { ...params, readsFirst: "uses" },
        token,
        null,
        ({ analysis, file, offset }) => {
          const found = rename(analysis, file, offset, params.newName);
          return found.ok ? toEdit(session, found.value) : refusal(found.message);
        },
      ),
    );
  },
};

type PrepareReply =
  | { readonly range: ReturnType<typeof rangeIn>; readonly placeholder: string }
  | ResponseError
  | null;

/** The client shows the message to the user as it is. */
function refusal(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}

function toEdit(session: Session, { title, edits }: Rename): WorkspaceEdit {
  const groups = new Set(edits.map(({ group }) => group));
  const annotations = [...groups].map((group) => [group, annotationOf(group, title)]);
  const changes = edits.map(({ file, ...edit }) => ({ ...edit, uri: file.uri }));
  return toWorkspaceEdit(
    session,
    changes,
    Object.fromEntries(annotations) as Record<RenameGroup, ChangeAnnotation>,
  );
}

const labels: Readonly<Record<RenameGroup, string>> = {
  object: "Rename",
  reference: "Fields that name it",
  derived: "Names that Kubernetes derives from it",
  scenario: "Scenario files",
  kept: "Unchanged names that repeated it through a YAML alias",
};

function annotationOf(group: RenameGroup, title: string): ChangeAnnotation {
  return group === "object"
    ? { label: `Rename ${title}`, description: "A cluster that has the old object keeps it" }
    : { label: labels[group] };
}
