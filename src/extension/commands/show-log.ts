/** Shows the log without moving the focus. */
import type * as vscode from "vscode";

export function showLog(log: vscode.LogOutputChannel): void {
  log.show(true);
}
