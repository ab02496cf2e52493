/** The test module that VS Code runs in its extension host: mocha over the suites in this folder. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

export async function run(): Promise<void> {
  const { default: Mocha } = await import("mocha");
  const mocha = new Mocha({ ui: "tdd", color: false, timeout: 60_000, reporter: "spec" });
  for (const file of readdirSync(__dirname)) {
    if (file.endsWith(".test.cjs")) mocha.addFile(join(__dirname, file));
  }
  mocha.rootHooks({ beforeAll: [workspaceIsOpen] });
  await new Promise<void>((pass, fail) => {
    mocha.run((failures) => (failures > 0 ? fail(new Error(`${failures} failed`)) : pass()));
  });
}

/** Waits for the workspace's folders: on a slow start the extension host runs before they have been read. */
async function workspaceIsOpen(): Promise<void> {
  if ((vscode.workspace.workspaceFolders?.length ?? 0) > 0) return;
  await new Promise<void>((opened) => {
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      listener.dispose();
      opened();
    });
  });
}
