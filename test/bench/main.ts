/**
 * `npm run bench [-- NAME]` runs each benchmark at two sizes in this warm process, and prints the median of its runs and how
 * the time grows; peer.ts measures another language server beside ours. This process has as large a young generation as the
 * extension gives the server, in which the engine runs. Nothing here passes or fails; the figures are for people.
 */
import { bindStatic } from "./bind-static.ts";
import { dynamicPods } from "./dynamic-pods.ts";
import { firstDiagnostics } from "./first-diagnostics.ts";
import { keystrokeInFile, keystrokeInWorkspace } from "./keystroke.ts";
import { besideAnother } from "./peer.ts";
import { traceMoments } from "./trace-moments.ts";
import { validation } from "./validation.ts";

/** Measured figures by name: milliseconds, unless the name has a unit. */
type Times = Readonly<Record<string, number>>;

interface Benchmark {
  readonly name: string;
  readonly unit: string;
  readonly sizes: readonly [number, number];
  readonly runCount: number;
  readonly run: (count: number) => Promise<Times>;
}

const simulationSizes = [1000, 10_000] as const;
const traceSizes = [100_000, 1_000_000] as const;
const editorSizes = [100, 1000] as const;

const benchmarks: readonly Benchmark[] = [
  {
    name: "bind-static",
    unit: "claims with as many static volumes",
    sizes: simulationSizes,
    runCount: 3,
    run: async (count) => ({ "to rest": bindStatic(count) }),
  },
  {
    name: "dynamic-pods",
    unit: "pods with dynamic claims",
    sizes: simulationSizes,
    runCount: 3,
    run: async (count) => ({ "to Running": dynamicPods(count) }),
  },
  {
    name: "trace-moments",
    unit: "steps of a trace",
    sizes: traceSizes,
    runCount: 1,
    run: async (count) => traceMoments(count),
  },
  {
    name: "first-diagnostics",
    unit: "files from server start",
    sizes: simulationSizes,
    runCount: 3,
    run: firstDiagnostics,
  },
  {
    name: "keystroke",
    unit: "files in the workspace",
    sizes: editorSizes,
    runCount: 1,
    run: keystrokeInWorkspace,
  },
  {
    name: "keystroke-in-file",
    unit: "documents in the file",
    sizes: editorSizes,
    runCount: 1,
    run: keystrokeInFile,
  },
  {
    name: "validation",
    unit: "files of manifests",
    sizes: editorSizes,
    runCount: 1,
    run: validation,
  },
];

async function medians({ run, runCount }: Benchmark, count: number): Promise<Times> {
  const runs: Times[] = [];
  for (let i = 0; i < runCount; i++) runs.push(await run(count));
  const names = Object.keys(runs[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(runs.map((times) => times[name]))]));
}

function median(times: readonly (number | undefined)[]): number {
  const sorted = times.map((time) => time ?? Number.NaN).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function round(ms: number): string {
  return ms.toFixed(ms < 100 ? 1 : 0).padStart(8);
}

const [wanted, ...options] = process.argv.slice(2);
if (wanted === "peer") await besideAnother(options);
for (const benchmark of benchmarks) {
  const { name, unit, sizes, run } = benchmark;
  if (wanted !== undefined && wanted !== name) continue;
  await run(100);
  const [few, many] = sizes;
  const small = await medians(benchmark, few);
  const large = await medians(benchmark, many);
  console.log(`${name}: ms for ${few} and ${many} ${unit}, and how many times as long`);
  for (const [what, ms = Number.NaN] of Object.entries(small)) {
    const times = large[what] ?? Number.NaN;
    console.log(`  ${what.padEnd(34)}${round(ms)}${round(times)}  × ${(times / ms).toFixed(1)}`);
  }
}
