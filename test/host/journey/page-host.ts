/** Opens the simulation page in a plain browser, under its real content security policy, with a stand-in for VS Code. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Page } from "playwright-core";
import { pageHtml } from "../../../src/extension/panels/page-html.ts";
import type { FromPage, ToPage } from "../../../src/protocol/page-messages.ts";
import { launchChromium } from "../launcher/chromium.ts";

const files: string = join(import.meta.dirname, "..", "..", "..", "dist", "webview");

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".ttf": "font/ttf",
};

export interface PageHost {
  readonly page: Page;
  /** Errors on the browser's console, and uncaught ones thrown in the page. */
  readonly complaints: readonly string[];
  send(message: ToPage): Promise<void>;
  /** Resolves with the page's next message of that type; each message is returned once. */
  next<T extends FromPage["type"]>(type: T): Promise<Extract<FromPage, { type: T }>>;
  close(): Promise<void>;
}

/** `engine` replaces the script of the engine's worker; null means that it cannot be found. */
export async function openPage(engine?: string | null): Promise<PageHost> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname.slice(1);
    const origin = `http://${request.headers.host ?? ""}`;
    if (path === "engine-worker.js" && engine === null) {
      response.writeHead(404).end();
      return;
    }
    const body =
      path === ""
        ? pageHtml({ address: (file) => `${origin}/${file}`, origin, language: "en", texts: {} })
        : path === "engine-worker.js" && typeof engine === "string"
          ? engine
          : readFileSync(join(files, path));
    response.setHeader("content-type", types[extname(path)] ?? "text/html").end(body);
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const { port } = server.address() as AddressInfo;
  const browser = await launchChromium();
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  const messages = new MessageQueue();
  await page.exposeFunction("tellTest", (message: FromPage) => messages.add(message));
  await page.addInitScript({ path: join(import.meta.dirname, "stand-in-for-vscode.js") });
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(() => {
    const { style } = document.documentElement;
    style.setProperty("--vscode-font-family", "sans-serif");
    style.setProperty("--vscode-font-size", "13px");
  });
  return {
    page,
    complaints,
    send: (message) =>
      page.evaluate((text) => window.postMessage(JSON.parse(text), "*"), JSON.stringify(message)),
    next: (type) => messages.next(type),
    close: async () => {
      await browser.close();
      await new Promise((down) => server.close(down));
    },
  };
}

class MessageQueue {
  readonly #messages: FromPage[] = [];
  readonly #waiting: { readonly type: string; readonly give: (message: FromPage) => void }[] = [];

  add(message: FromPage): void {
    const index = this.#waiting.findIndex(({ type }) => type === message.type);
    if (index < 0) this.#messages.push(message);
    else this.#waiting.splice(index, 1)[0]?.give(message);
  }

  next<T extends FromPage["type"]>(type: T): Promise<Extract<FromPage, { type: T }>> {
    const index = this.#messages.findIndex((message) => message.type === type);
    const [found] = index < 0 ? [] : this.#messages.splice(index, 1);
    return new Promise((give) => {
      const accept = give as (message: FromPage) => void;
      if (found === undefined) this.#waiting.push({ type, give: accept });
      else accept(found);
    });
  }
}
