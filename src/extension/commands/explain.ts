/**
 * Shows everything that is known about an object: the one that a link or a lens names, the one selected on the simulation
 * page if that has the focus, or the one at the cursor.
 */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { type ExplainParams, type ExplainReply, explainRequest } from "../../protocol/messages.ts";
import type { ExplanationDocuments } from "../panels/explanation-documents.ts";
import type { SimulationPanel } from "../panels/simulation-panel.ts";

export async function explain(
  client: BaseLanguageClient,
  documents: ExplanationDocuments,
  { selected }: Pick<SimulationPanel, "selected">,
  given: unknown,
): Promise<void> {
  const params = isExplainParams(given) ? given : (selected ?? paramsOfCursor());
  const reply =
    params === undefined
      ? null
      : await client.sendRequest<ExplainReply | null>(explainRequest, params);
  if (reply === null) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "Nothing to explain here: put the cursor on a volume, a claim, a class or an object that uses one.",
      ),
    );
    return;
  }
  await documents.show(vscode.l10n.t("Explain {0}", reply.ref), reply.text);
}

/** The place of the cursor: in the active editor, or in one that is visible beside the active panel. */
function paramsOfCursor(): ExplainParams | undefined {
  const editor =
    vscode.window.activeTextEditor ??
    vscode.window.visibleTextEditors.find(({ document }) =>
      /^(?:yaml|json|helm)$/.test(document.languageId),
    );
  if (editor === undefined) return undefined;
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line, character } };
}

/** Menus pass other arguments, such as the URI of a file; only links and lenses pass a place or an object. */
function isExplainParams(given: unknown): given is ExplainParams {
  if (typeof given !== "object" || given === null) return false;
  const { uri, position, environment, ref } = given as Readonly<Record<string, unknown>>;
  return (
    (typeof uri === "string" && typeof position === "object" && position !== null) ||
    (typeof environment === "string" && typeof ref === "string")
  );
}
