/** VS Code's workbench in a headless browser, on a server of its own. */
import type { Browser, Page } from "playwright-core";
import type { Host } from "../../../scripts/vscode/install.ts";
import {
  pageAddress,
  remoteUri,
  type ServerOptions,
  startServer,
} from "../../../scripts/vscode/server.ts";
import { launchChromium } from "./chromium.ts";

export interface WorkbenchOptions extends ServerOptions {
  readonly target?: string | undefined;
  readonly extensionDevelopmentPaths?: readonly string[];
  readonly extensionDevelopmentKind?: string | undefined;
  readonly extensionTestsPath?: string | undefined;
  readonly disableExtensions?: boolean;
  readonly debuggingPort?: string | undefined;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Pretends that this language's pack is installed. Only extensions use it; VS Code's own texts stay English. */
  readonly displayLanguage?: string | undefined;
  /** Gets what the extension host prints, and VS Code's own log. */
  readonly onLog?: (type: string, parts: readonly unknown[]) => void;
  readonly onExit?: (code: unknown) => void;
}

export interface Workbench {
  readonly page: Page;
  readonly port: number;
  /** Resolves with the reason if server, browser or page goes away by itself. */
  readonly gone: Promise<string>;
  close(): Promise<void>;
}

export async function openWorkbench(host: Host, options: WorkbenchOptions): Promise<Workbench> {
  const development = (options.extensionDevelopmentPaths ?? []).length > 0;
  const server = await startServer(host, { ...options, development });
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    await server.close();
  };
  try {
    browser = await launchChromium(options.debuggingPort);
    const page = await openPage(browser, server.port, options);
    const gone = Promise.race([
      server.gone,
      new Promise<string>((tell) => {
        page.on("crash", () => tell("the page crashed"));
        page.on("close", () => tell("the page was closed"));
      }),
    ]);
    return { page, port: server.port, gone, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openPage(browser: Browser, port: number, options: WorkbenchOptions): Promise<Page> {
  const viewport = options.viewport ?? { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport, locale: "en-US" });
  const permissions = ["clipboard-read", "clipboard-write"];
  await context.grantPermissions(permissions, { origin: `http://127.0.0.1:${port}` });
  if (options.displayLanguage !== undefined) {
    await context.addInitScript(
      (language) => Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: language }),
      options.displayLanguage,
    );
  }
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // VS Code's web workbench reports an extension test run through these two functions.
  await page.exposeFunction("codeAutomationLog", (type: string, parts: readonly unknown[]) =>
    options.onLog?.(type, parts),
  );
  await page.exposeFunction("codeAutomationExit", (code: unknown) => options.onExit?.(code));
  const address = pageAddress({ port, target: options.target, payload: payloadOf(port, options) });
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.locator(".monaco-workbench").waitFor({ timeout: 60_000 });
  return page;
}

function payloadOf(
  port: number,
  options: WorkbenchOptions,
): readonly (readonly [string, string])[] {
  const payload: [string, string][] = [];
  for (const path of options.extensionDevelopmentPaths ?? []) {
    payload.push(["extensionDevelopmentPath", remoteUri(port, path)]);
  }
  if (options.extensionTestsPath !== undefined) {
    payload.push(["extensionTestsPath", remoteUri(port, options.extensionTestsPath)]);
  }
  if (options.extensionDevelopmentKind !== undefined) {
    payload.push(["extensionDevelopmentKind", options.extensionDevelopmentKind]);
  }
  if (options.disableExtensions === true) payload.push(["disableExtensions", "true"]);
  payload.push(["skipWelcome", "true"], ["skipReleaseNotes", "true"]);
  return payload;
}
