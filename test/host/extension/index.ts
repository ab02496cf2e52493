/** The test module that VS Code runs in its extension host: mocha over the suites in this folder. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

/** A slow start takes some seconds. */
const openingPatienceMs = 30_000;

export async function run(): Promise<void> {
  if (!(await workspaceIsOpen())) {
    console.error(
      "VS Code has not opened the workspace; its window is reloaded, and the tests begin there",
    );
    await vscode.commands.executeCommand("workbench.action.reloadWindow");
    await new Promise(() => {}); // The reload ends this extension host.
  }
  const { default: Mocha } = await import("mocha");
  const mocha = new Mocha({ ui: "tdd", color: false, timeout: 60_000, reporter: "spec" });
  for (const file of readdirSync(__dirname)) {
    if (file.endsWith(".test.cjs")) mocha.addFile(join(__dirname, file));
  }
  await new Promise<void>((pass, fail) => {
    mocha.run((failures) => (failures > 0 ? fail(new Error(`${failures} failed`)) : pass()));
  });
}

/** Waits for the workspace's folders: on a slow start the extension host runs before they have been read. */
async function workspaceIsOpen(): Promise<boolean> {
  if ((vscode.workspace.workspaceFolders?.length ?? 0) > 0) return true;
  return new Promise<boolean>((end) => {
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => stop(true));
    const impatience = setTimeout(() => stop(false), openingPatienceMs);
    const stop = (opened: boolean): void => {
      listener.dispose();
      clearTimeout(impatience);
      end(opened);
    };
  });
}
