/**
 * The column in which a panel opens: beside the file, or in place of another panel that is active there. A third column would
 * leave too little room for each.
 */
import * as vscode from "vscode";

export function columnBeside(): vscode.ViewColumn {
  const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
  const isBeside = viewColumn > vscode.ViewColumn.One;
  return isBeside && vscode.window.activeTextEditor === undefined
    ? vscode.ViewColumn.Active
    : vscode.ViewColumn.Beside;
}
