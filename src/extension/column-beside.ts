/**
 * Where a panel opens: beside the file, or in the column of another panel that is in front there. A third column would leave too
 * little room for any of them.
 */
import * as vscode from "vscode";

export function columnBeside(): vscode.ViewColumn {
  const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
  const isBeside = viewColumn > vscode.ViewColumn.One;
  return isBeside && vscode.window.activeTextEditor === undefined
    ? vscode.ViewColumn.Active
    : vscode.ViewColumn.Beside;
}
