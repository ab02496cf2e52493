/**
 * `npm run bench [-- NAME]`: each benchmark at 1,000 and 10,000 objects, the median of three runs in this warm process, and how
 * the time grows. Nothing here passes or fails; the figures are for people.
 */
import { bindStatic } from "./bind-static.ts";
import { dynamicPods } from "./dynamic-pods.ts";
import { firstDiagnostics } from "./first-diagnostics.ts";

interface Benchmark {
  readonly name: string;
  readonly unit: string;
  readonly run: (count: number) => number | Promise<number>;
}

const benchmarks: readonly Benchmark[] = [
  { name: "bind-static", unit: "claims with as many static volumes, to rest", run: bindStatic },
  { name: "dynamic-pods", unit: "pods with dynamic claims, to Running", run: dynamicPods },
  {
    name: "first-diagnostics",
    unit: "files, from server start to the first complete diagnostics",
    run: firstDiagnostics,
  },
];

async function median(run: () => number | Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) times.push(await run());
  return times.sort((a, b) => a - b)[1] ?? Number.NaN;
}

const wanted = process.argv[2];
for (const { name, unit, run } of benchmarks) {
  if (wanted !== undefined && wanted !== name) continue;
  await run(100);
  const small = await median(() => run(1000));
  const large = await median(() => run(10_000));
  console.log(`${name.padEnd(18)} ${small.toFixed(0).padStart(6)} ms for 1,000 ${unit}`);
  console.log(
    `${"".padEnd(18)} ${large.toFixed(0).padStart(6)} ms for 10,000, ${(large / small).toFixed(1)} times as long`,
  );
}
