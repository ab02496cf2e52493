/**
 * Opens the simulation of an environment with an object selected: the one that a code lens or the list of outcomes passes, else
 * the one at the cursor.
 */
import * as vscode from "vscode";
import type { FilePlace, ListedObject, SimulationPanel } from "../panels/simulation-panel.ts";

export function simulateCluster(panel: SimulationPanel, given: unknown): Promise<void> {
  return panel.open(isTarget(given) ? given : placeOfCursor());
}

function placeOfCursor(): FilePlace | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    return { uri: editor.document.uri.toString(), line: editor.selection.active.line };
  }
  // An editor that is still loading already has a tab.
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText ? { uri: input.uri.toString(), line: 0 } : undefined;
}

/** Menus pass other arguments, such as the URI of a file; only lenses and lists pass a place or an object. */
function isTarget(given: unknown): given is FilePlace | ListedObject {
  if (typeof given !== "object" || given === null) return false;
  const { uri, line, environment } = given as Readonly<Record<string, unknown>>;
  return typeof environment === "string" || (typeof uri === "string" && typeof line === "number");
}
