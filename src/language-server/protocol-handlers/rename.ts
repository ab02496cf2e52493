/** textDocument/prepareRename and textDocument/rename. */
import {
  type ChangeAnnotation,
  type ClientCapabilities,
  LSPErrorCodes,
  ResponseError,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver";
import {
  prepareRename,
  type Rename,
  type RenameEdit,
  type RenameGroup,
  rename,
} from "../features/rename.ts";
import { rangeIn } from "../to-lsp.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";

export const renameHandler: ProtocolHandler = {
  capabilities: () => ({ renameProvider: { prepareProvider: true } }),
  register: (session) => {
    session.connection.onPrepareRename((params, token) =>
      session.answerAt<PrepareReply>(
        "prepareRename",
        params,
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
        params,
        token,
        null,
        ({ analysis, file, offset }) => {
          const found = rename(analysis, file, offset, params.newName);
          return found.ok ? toWorkspaceEdit(session, found.value) : refusal(found.message);
        },
      ),
    );
  },
};

type PrepareReply =
  | { readonly range: ReturnType<typeof rangeIn>; readonly placeholder: string }
  | ResponseError
  | null;

/** Shown to the user as it is. */
function refusal(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}

/** Versions let the client refuse what was worked out for an older text. */
function toWorkspaceEdit(session: Session, { title, edits }: Rename): WorkspaceEdit {
  const abilities = editAbilities(session.params?.capabilities);
  const byFile = new Map<string, RenameEdit[]>();
  for (const edit of edits) {
    const inFile = byFile.get(edit.file.uri) ?? [];
    inFile.push(edit);
    byFile.set(edit.file.uri, inFile);
  }
  const toTextEdit = (edit: RenameEdit): TextEdit => ({
    range: rangeIn(edit.file, edit),
    newText: edit.text,
  });
  if (!abilities.documentChanges) {
    const changes = [...byFile].map(([uri, list]) => [
      session.clientUri(uri),
      list.map(toTextEdit),
    ]);
    return { changes: Object.fromEntries(changes) as Record<string, TextEdit[]> };
  }
  const documentChanges = [...byFile].map(([uri, list]) => {
    const spelled = session.clientUri(uri);
    const version = session.documents.get(spelled)?.version ?? null;
    const inFile = list.map((edit) =>
      abilities.annotations ? { ...toTextEdit(edit), annotationId: edit.group } : toTextEdit(edit),
    );
    return { textDocument: { uri: spelled, version }, edits: inFile };
  });
  if (!abilities.annotations) return { documentChanges };
  const groups = new Set(edits.map(({ group }) => group));
  const changeAnnotations = Object.fromEntries(
    [...groups].map((group) => [group, annotationOf(group, title)]),
  );
  return { documentChanges, changeAnnotations };
}

function editAbilities(client: ClientCapabilities | undefined): {
  readonly documentChanges: boolean;
  readonly annotations: boolean;
} {
  const { documentChanges, changeAnnotationSupport } = client?.workspace?.workspaceEdit ?? {};
  return {
    documentChanges: documentChanges === true,
    annotations: changeAnnotationSupport !== undefined,
  };
}

const labels: Readonly<Record<RenameGroup, string>> = {
  object: "Rename",
  reference: "Fields that name it",
  derived: "Names that Kubernetes makes of it",
  scenario: "Scenario files",
};

function annotationOf(group: RenameGroup, title: string): ChangeAnnotation {
  return group === "object"
    ? { label: `Rename ${title}`, description: "A cluster that has the old object keeps it" }
    : { label: labels[group] };
}
