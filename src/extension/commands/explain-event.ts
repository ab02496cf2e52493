/** Explains events that somebody has copied from a terminal: what is selected, what the clipboard holds, or what is typed. */
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
  if (reply !== null) await documents.show("Explain Event", reply.text);
}

interface Source extends vscode.QuickPickItem {
  /** Absent where the text is still to be typed. */
  readonly text?: string;
}

/** An input box has one line; a whole description comes by the clipboard or the selection. */
async function chooseText(): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.document.getText(editor.selection) ?? "";
  const copied = await vscode.env.clipboard.readText();
  const sources: Source[] = [];
  if (selected.trim() !== "") sources.push(sourceOf("Selected Text", selected));
  if (copied.trim() !== "") sources.push(sourceOf("Clipboard", copied));
  if (sources.length === 0) return await typeText();
  sources.push({ label: "Type or Paste a Line…" });
  const chosen = await vscode.window.showQuickPick(sources, {
    title: "Explain an Event",
    placeHolder: "Text from kubectl describe, kubectl get events or kubectl apply",
  });
  return chosen === undefined ? undefined : (chosen.text ?? (await typeText()));
}

const shownLengthMax = 80;

function sourceOf(label: string, text: string): Source {
  const [first = "", ...others] = text.trim().split("\n");
  const lines = others.length === 0 ? "1 line" : `${others.length + 1} lines`;
  return { label, description: lines, detail: first.slice(0, shownLengthMax), text };
}

function typeText(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "Explain an Event",
    prompt: "A line of kubectl get events or kubectl describe, or the message alone",
    placeHolder: "Warning  FailedScheduling  …  0/3 nodes are available: …",
  });
}
