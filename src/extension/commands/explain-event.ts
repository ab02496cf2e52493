/** Explains events copied from a terminal: from the selection, the clipboard, or typed in. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type ExplainEventParams,
  type ExplainEventReply,
  explainEventRequest,
} from "../../protocol/messages.ts";
import { givenText } from "../given-text.ts";
import type { ExplanationDocuments } from "../panels/explanation-documents.ts";

export async function explainEvent(
  client: BaseLanguageClient,
  documents: ExplanationDocuments,
  given: unknown,
): Promise<void> {
  const text = givenText(given) ?? (await chooseText());
  if (text === undefined || text.trim() === "") return;
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  const params: ExplainEventParams = { text, ...(uri !== undefined && { uri }) };
  const reply = await client.sendRequest<ExplainEventReply | null>(explainEventRequest, params);
  if (reply !== null) await documents.show(vscode.l10n.t("Explain Event"), reply.text);
}

interface Source extends vscode.QuickPickItem {
  readonly text: string;
}

/** The selected or copied text, or a line typed or pasted into the list's input field; undefined if none is chosen. */
async function chooseText(): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection) ?? "";
  const copied = await vscode.env.clipboard.readText();
  const sources: Source[] = [];
  if (selected.trim() !== "") sources.push(sourceOf(vscode.l10n.t("Selected Text"), selected));
  if (copied.trim() !== "") sources.push(sourceOf(vscode.l10n.t("Clipboard"), copied));
  const list = vscode.window.createQuickPick<Source>();
  list.title = vscode.l10n.t("Explain an Event");
  list.placeholder = vscode.l10n.t(
    "Type or paste a line of kubectl describe, kubectl get events or kubectl apply",
  );
  list.items = sources;
  list.onDidChangeValue((typed) => {
    // Always shown: the typed text is to be explained, not to filter the list.
    const own = { ...sourceOf(vscode.l10n.t("Typed Text"), typed), alwaysShow: true };
    list.items = typed.trim() === "" ? sources : [own, ...sources];
  });
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => resolve(list.selectedItems[0]?.text));
      list.onDidHide(() => resolve(undefined));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

const shownLengthMax = 80;

function sourceOf(label: string, text: string): Source {
  const [first = "", ...others] = text.trim().split("\n");
  const lines =
    others.length === 0 ? vscode.l10n.t("1 line") : vscode.l10n.t("{0} lines", others.length + 1);
  return { label, description: lines, detail: first.slice(0, shownLengthMax), text };
}
