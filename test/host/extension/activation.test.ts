import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { judgeOverlayCommand, judgeValuesCommand } from "../../../src/protocol/messages.ts";

suite("activation", () => {
  test("opening a manifest activates the extension", async () => {
    const extension = vscode.extensions.getExtension("claimcheck.claimcheck");
    assert.ok(extension !== undefined);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  test("besides the contributed commands only those of code lenses and of the view are registered", async () => {
    const extension = vscode.extensions.getExtension("claimcheck.claimcheck");
    const contributed: readonly { readonly command: string }[] =
      extension?.packageJSON.contributes.commands;
    const known = await vscode.commands.getCommands(true);
    assert.deepEqual(
      known
        .filter((command) => command.startsWith("claimcheck."))
        .filter((command) => !command.startsWith("claimcheck.outcome."))
        .sort(),
      [
        ...contributed.map(({ command }) => command),
        judgeOverlayCommand,
        judgeValuesCommand,
      ].sort(),
    );
  });
});
