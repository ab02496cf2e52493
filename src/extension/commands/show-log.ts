/** Shows the log, without taking the focus from where it is. */
import type * as vscode from "vscode";

export function showLog(log: vscode.LogOutputChannel): void {
  log.show(true);
}
