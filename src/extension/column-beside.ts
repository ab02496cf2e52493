import * as vscode from "vscode";

/**
 * Where a panel goes: beside a file; where another panel is in front beside its file, with that one: a third column would
 * leave none of them room.
 */
export function columnBeside(): vscode.ViewColumn {
  const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
  const isBeside = viewColumn > vscode.ViewColumn.One;
  return isBeside && vscode.window.activeTextEditor === undefined
    ? vscode.ViewColumn.Active
    : vscode.ViewColumn.Beside;
}
