/** Entry point of the command line: connects the program to the process. */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { fileText } from "../language-server/workspace/files/file-text.ts";
import { optimizeLater } from "../protocol/server-process.ts";
import { visibleText } from "../protocol/visible-text.ts";
import { isServerCommand } from "./options.ts";
import { run } from "./run.ts";
import type { Terminal } from "./terminal.ts";

declare const claimcheckVersion: string | undefined;

for (const flag of optimizeLater(process.versions.v8)) setFlagsFromString(flag);

const terminal: Terminal = {
  cwd: process.cwd(),
  heapBytesMax: getHeapStatistics().heap_size_limit,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  },
  readInput,
};

/** Reads to the end. Not by `readFileSync`, which fails if standard input is non-blocking and empty for a moment. */
async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return fileText(Buffer.concat(chunks));
}

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (isServerCommand(argv)) {
    if (!argv.includes("--stdio")) process.argv.push("--stdio");
    await import("../language-server/main.ts");
    return;
  }
  const version = typeof claimcheckVersion === "string" ? claimcheckVersion : "development";
  process.exitCode = await run(argv, terminal, version);
}

process.stdout.on("error", unwritten);

/** A reader that stops early, such as `head`, is no failure. Others, such as a full disk, are reported, but as no bug. */
function unwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") return;
  process.stderr.write(`claimcheck: cannot write: ${message}\n`);
  process.exitCode = 3;
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `claimcheck failed; this is a bug of Claimcheck, not of your manifests.\n${visibleText(text)}\n`,
  );
  process.exitCode = 3;
});
