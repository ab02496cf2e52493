/** Explanations as read-only Markdown documents, shown by the editor's own preview. */
import * as vscode from "vscode";
import { columnBeside } from "../column-beside.ts";
import { withFollowedLinks } from "./followed-links.ts";

const scheme = "claimcheck-explanation";
/** How many explanations are kept, for going back to them. */
const countMax = 50;

export class ExplanationDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  readonly onDidChange: vscode.Event<vscode.Uri> = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.path) ??
      vscode.l10n.t("This explanation is no longer available: explain the object again.")
    );
  }

  /** Shows the text beside the file, in place of an explanation with the same title. */
  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title.replaceAll("/", " ")}.md` });
    this.#texts.delete(uri.path);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const shown = folder === undefined ? text : withFollowedLinks(text, folder.uri.toString());
    this.#texts.set(uri.path, shown);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > countMax && oldest !== undefined) this.#texts.delete(oldest);
    this.#changed.fire(uri);
    // The command opens the preview beside the focused group. From a panel that is already beside, go back first.
    if (columnBeside() === vscode.ViewColumn.Active) {
      await vscode.commands.executeCommand("workbench.action.focusPreviousGroup");
    }
    // Not looked up in the list of commands first: the Markdown extension is activated only by the command itself.
    try {
      await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
    } catch {
      await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside });
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
