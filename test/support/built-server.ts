/** The language server as it is shipped: bundled once per process, for all tests that start it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { LanguageClient } from "./language-client.ts";

let bundle: Promise<string> | undefined;

/** The path of the bundle, which is removed when the process exits. */
export function builtServer(): Promise<string> {
  bundle ??= buildServer();
  return bundle;
}

/** Starts the server in a new process; returns a client of it. */
export async function startBuiltServer(): Promise<LanguageClient> {
  return new LanguageClient(process.execPath, [await builtServer(), "--stdio"]);
}

async function buildServer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-server-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "server.cjs");
  await build({
    entryPoints: ["src/language-server/main.ts"],
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    outfile,
    logLevel: "error",
  });
  return outfile;
}
