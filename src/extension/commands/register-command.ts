/** The only place where failures of commands are caught: they are logged, and the user is told. */
import * as vscode from "vscode";

export function registerCommand(
  id: string,
  log: vscode.LogOutputChannel,
  run: (argument: unknown) => Promise<void> | void,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (argument: unknown) => {
    try {
      await run(argument);
    } catch (error) {
      log.error(`${id}:`, error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(
        vscode.l10n.t("Claimcheck could not do that; its log says why."),
      );
    }
  });
}
