/**
 * Starts a language server twice, the second time with what the first one has kept, and measures the time to the first
 * findings, which need no prediction, and to the last ones.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { ServerProcess, withWorkspace } from "./server-process.ts";

/** Milliseconds for a generated workspace of `fileCount` files; CPU time is that of the server's process until the end. */
export function firstDiagnostics(fileCount: number): Promise<Readonly<Record<string, number>>> {
  return withWorkspace((directory) => ["--out", directory, "--files", String(fileCount)], start);
}

async function start(directory: string): Promise<Readonly<Record<string, number>>> {
  const storageFolder = mkdtempSync(path.join(tmpdir(), "claimcheck-bench-storage-"));
  try {
    const first = await once(directory, storageFolder);
    const again = await once(directory, storageFolder);
    return {
      "first findings": first.firstMs,
      "complete findings": first.lastMs,
      "complete findings at the next start": again.lastMs,
      CPU: first.cpuMs,
      "memory, MB": first.memory,
    };
  } finally {
    rmSync(storageFolder, { recursive: true });
  }
}

/** Runs a server until everything is judged and kept for the next start; `lastMs` is when it last published findings. */
async function once(directory: string, storageFolder: string): Promise<Figures> {
  const started = performance.now();
  const server = new ServerProcess(directory);
  const times: number[] = [];
  server.watch(() => times.push(performance.now() - started));
  const predicted = server.predicted();
  await server.initialize({ storageFolder });
  await predicted;
  const [cpuMs, memory] = [server.cpuMs(), server.memoryMegabytes()];
  // The server writes its results as soon as it has nothing else to do.
  const isKept = (): boolean => readdirSync(storageFolder).some((name) => name.endsWith(".txt"));
  for (let left = 600; !isKept() && left > 0; left--) await setTimeout(50);
  await server.stop();
  return { firstMs: times[0] ?? Number.NaN, lastMs: times.at(-1) ?? Number.NaN, cpuMs, memory };
}

interface Figures {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly cpuMs: number;
  readonly memory: number;
}
