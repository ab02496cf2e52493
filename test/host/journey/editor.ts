/** Opens a workbench with the extension on the example workspace, and acts in it as a person would. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import { installHost } from "../../../scripts/vscode/install.ts";
import { installExtension } from "../../../scripts/vscode/install-extension.ts";
import { openWorkbench } from "../launcher/workbench.ts";
import { copyExamples } from "../workspace-copy.ts";

const root: string = join(import.meta.dirname, "..", "..", "..");
const quickInputAttempts = 4;
const pictures: string = join(root, ".cache", "screenshots");

export interface Editor {
  readonly page: Page;
  /** The simulation page inside the workbench. */
  readonly simulation: FrameLocator;
  /** Returns the frame of the simulation page once it exists, so that scripts can run in it. */
  simulationFrame(): Promise<Frame>;
  /** Opens a file of the workspace through Quick Open. */
  openFile(name: string): Promise<void>;
  runCommand(title: string): Promise<void>;
  /** The last token in the editor's lines that matches the text, read as a regular expression. */
  word(text: string): Locator;
  takePicture(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface EditorOptions {
  readonly theme?: string;
  /** Run the extension in the browser's own extension host, where there is no Node. */
  readonly inBrowser?: boolean;
  /** Use the extension from its package, as users do, instead of from the project's folder. */
  readonly installed?: boolean;
  /** English if absent. */
  readonly displayLanguage?: string;
  /** Where the editor keeps its state for the next start; a temporary folder if absent. */
  readonly userDataDir?: string;
  /** Additional files in the examples' folder, by path; one may replace an example. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
  const { theme = "Default Dark Modern", inBrowser = false, installed = false } = options;
  const host = installHost("current");
  const workspace = copyExamples();
  for (const [path, text] of Object.entries(options.files ?? {})) {
    const file = join(dirname(workspace.file), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const extensionsDir = join(mkdtempSync(join(tmpdir(), "claimcheck-installed-")), "extensions");
  if (installed) installExtension(host, extensionsDir);
  const workbench = await openWorkbench(host, {
    target: workspace.file,
    extensionDevelopmentPaths: installed ? [] : [root],
    extensionsDir,
    userDataDir: options.userDataDir,
    displayLanguage: options.displayLanguage,
    ...(inBrowser ? { extensionDevelopmentKind: "web" } : {}),
    disableWorkspaceTrust: true,
    settings: {
      "workbench.colorTheme": theme,
      "window.commandCenter": false,
      "editor.minimap.enabled": false,
    },
    viewport: { width: 1440, height: 900 },
  });
  const { page } = workbench;
  const simulation = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  /** Opens the quick input with a key, and accepts the row that the text finds. */
  const quickInput = async (key: string, text: string, row: string): Promise<void> => {
    const widget = page.locator(".quick-input-widget");
    // An editor or view that is just being opened takes the focus, and the quick input closes again.
    for (let attempt = 1; ; attempt++) {
      const patience = attempt < quickInputAttempts ? { timeout: 5_000 } : {};
      try {
        await page.keyboard.press(key);
        await widget.locator("input").first().fill(text, patience);
        // Recently opened entries come first, whatever is typed.
        const focused = page.locator(".quick-input-list .monaco-list-row.focused");
        await focused.filter({ hasText: row }).waitFor(patience);
        break;
      } catch (error) {
        if (attempt === quickInputAttempts) throw error;
        if (await widget.isVisible()) await page.keyboard.press("Escape");
      }
    }
    await page.keyboard.press("Enter");
  };
  mkdirSync(pictures, { recursive: true });
  return {
    page,
    simulation,
    simulationFrame: async () => {
      const handle = await simulation.owner().elementHandle();
      const frame = await handle?.contentFrame();
      if (frame === undefined || frame === null) throw new Error("the page has no frame");
      return frame;
    },
    openFile: async (name) => {
      const title = name.split("/").at(-1) ?? name;
      await quickInput("Control+P", name, title);
      await page.getByRole("tab", { name: title }).first().waitFor();
      await page.locator("[id='status.editor.mode']", { hasText: "YAML" }).waitFor();
    },
    runCommand: async (title) => {
      await quickInput("F1", `>${title}`, title);
    },
    word: (text) => page.locator(".view-line span", { hasText: new RegExp(text) }).last(),
    takePicture: async (name) => {
      await page.screenshot({ path: join(pictures, `${name}.png`) });
    },
    close: async () => {
      await workbench.close();
      workspace.remove();
      rmSync(dirname(extensionsDir), { recursive: true, force: true });
    },
  };
}
