/** A language server from its start: to the first findings, which need no prediction, and to those of the whole workspace. */
import { ServerProcess, withWorkspace } from "./server-process.ts";

/** Milliseconds for a generated workspace of `fileCount` files; CPU time is that of the server's process, to the end. */
export function firstDiagnostics(fileCount: number): Promise<Readonly<Record<string, number>>> {
  return withWorkspace((directory) => ["--out", directory, "--files", String(fileCount)], start);
}

async function start(directory: string): Promise<Readonly<Record<string, number>>> {
  const started = performance.now();
  const server = new ServerProcess(directory);
  let firstMs = Number.NaN;
  const first = server
    .published(() => true)
    .then(() => {
      firstMs = performance.now() - started;
    });
  const complete = server.predicted();
  await server.initialize();
  await Promise.all([first, complete]);
  const completeMs = performance.now() - started;
  const cpuMs = server.cpuMs();
  const memory = server.memoryMegabytes();
  await server.stop();
  return {
    "first findings": firstMs,
    "complete findings": completeMs,
    CPU: cpuMs,
    "memory, MB": memory,
  };
}
