/** What VS Code runs in its extension host: mocha over the suites beside this file. */
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

/** A slow start runs the extension host before the workspace file has been read. */
async function workspaceIsOpen(): Promise<void> {
  if ((vscode.workspace.workspaceFolders?.length ?? 0) > 0) return;
  await new Promise<void>((opened) => {
    const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      listener.dispose();
      opened();
    });
  });
}
