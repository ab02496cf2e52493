/**
 * Opens the simulation of the environment that a file belongs to, with the object at a line selected: the line of a
 * code lens, or the cursor's.
 */
import * as vscode from "vscode";
import type { FilePlace, SimulationPanel } from "../panels/simulation-panel.ts";

export function simulateCluster(panel: SimulationPanel, given: unknown): Promise<void> {
  return panel.open(isFilePlace(given) ? given : placeOfCursor());
}

function placeOfCursor(): FilePlace | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    return { uri: editor.document.uri.toString(), line: editor.selection.active.line };
  }
  // An editor that is still loading has a tab already.
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText ? { uri: input.uri.toString(), line: 0 } : undefined;
}

/** A menu passes what it stands on; only a code lens passes a place. */
function isFilePlace(given: unknown): given is FilePlace {
  if (typeof given !== "object" || given === null) return false;
  const { uri, line } = given as { readonly uri?: unknown; readonly line?: unknown };
  return typeof uri === "string" && typeof line === "number";
}
