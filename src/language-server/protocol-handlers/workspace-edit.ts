/** Edits of several files in the form that the client supports: with versions and annotations, if it knows them. */
import type {
  AnnotatedTextEdit,
  ChangeAnnotation,
  ClientCapabilities,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver";
import type { Span } from "../yaml/place.ts";
import type { Session } from "./session.ts";
import { rangeIn } from "./to-lsp.ts";

/** Offsets in the file; a file that does not exist yet counts as empty. */
export interface TextChange extends Span {
  readonly uri: string;
  readonly text: string;
  /** Key of the annotation that the edit belongs to. */
  readonly group?: string;
}

/** Versions let the client refuse edits that were computed for an older text. */
export function toWorkspaceEdit(
  session: Session,
  changes: readonly TextChange[],
  annotations: Readonly<Record<string, ChangeAnnotation>> = {},
  creates: readonly string[] = [],
): WorkspaceEdit {
  const abilities = editAbilities(session.params?.capabilities);
  // The plain form of edits has no annotations.
  const isAnnotated =
    abilities.operations && abilities.annotations && Object.keys(annotations).length > 0;
  const byFile = new Map<string, (TextEdit | AnnotatedTextEdit)[]>();
  for (const { uri, group, text, ...span } of changes) {
    const inFile = byFile.get(uri) ?? [];
    const edit = { range: rangeIn(session.findFile(uri), span), newText: text };
    inFile.push(isAnnotated && group !== undefined ? { ...edit, annotationId: group } : edit);
    byFile.set(uri, inFile);
  }
  const files = [...byFile].map(([uri, edits]) => [session.clientUri(uri), edits] as const);
  if (!abilities.operations) return { changes: Object.fromEntries(files) };
  return {
    documentChanges: [
      ...creates.map((uri) => ({
        kind: "create" as const,
        uri: session.clientUri(uri),
        options: { ignoreIfExists: true },
      })),
      ...files.map(([uri, edits]) => {
        const version = abilities.versions ? session.documents.get(uri)?.version : undefined;
        return { textDocument: { uri, version: version ?? null }, edits };
      }),
    ],
    ...(isAnnotated && { changeAnnotations: annotations }),
  };
}

/** A client that supports file operations also supports document changes, even if it ignores their versions. */
function editAbilities(client: ClientCapabilities | undefined): {
  readonly operations: boolean;
  readonly versions: boolean;
  readonly annotations: boolean;
} {
  const { documentChanges, resourceOperations, changeAnnotationSupport } =
    client?.workspace?.workspaceEdit ?? {};
  const versions = documentChanges === true;
  return {
    operations: versions || resourceOperations !== undefined,
    versions,
    annotations: changeAnnotationSupport !== undefined,
  };
}

/** True if the client can create files. */
export function canCreateFiles(client: ClientCapabilities | undefined): boolean {
  return client?.workspace?.workspaceEdit?.resourceOperations?.includes("create") === true;
}
