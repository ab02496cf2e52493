/** Runs all checks one after the other, even after a failure. The last line has the totals. */
import { spawn } from "node:child_process";

interface Stage {
  readonly name: string;
  readonly script: string;
  /** True if the stage prints mocha's totals; other stages count as one check. */
  readonly hasTests: boolean;
}

interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const stages: readonly Stage[] = [
  { name: "types", script: "types", hasTests: false },
  { name: "lint", script: "lint", hasTests: false },
  { name: "dead code", script: "knip", hasTests: false },
  { name: "bundles", script: "build", hasTests: false },
  { name: "unit tests", script: "test:unit", hasTests: true },
  { name: "random clusters", script: "test:fuzz", hasTests: false },
  { name: "tests in VS Code", script: "test:host", hasTests: true },
];

function run(stage: Stage): Promise<Totals> {
  return new Promise((end) => {
    console.log(`\n== ${stage.name} (npm run ${stage.script})`);
    const child = spawn("npm", ["run", "--silent", stage.script], {
      stdio: ["ignore", "pipe", "inherit"],
      shell: process.platform === "win32",
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      process.stdout.write(chunk);
      output += chunk.toString();
    });
    child.on("close", (status) => end(totalsOf(stage, output, status === 0)));
  });
}

/** A stage with a bad exit status counts as at least one failure, even if it printed none. */
function totalsOf(stage: Stage, output: string, ok: boolean): Totals {
  const passed = stage.hasTests ? sumOf(output, /^\s*(\d+) passing\b/gm) : Number(ok);
  const failed = stage.hasTests ? sumOf(output, /^\s*(\d+) failing\b/gm) : Number(!ok);
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

function sumOf(output: string, pattern: RegExp): number {
  return [...output.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}

const started = performance.now();
const outcomes: { readonly stage: Stage; readonly totals: Totals; readonly seconds: number }[] = [];
for (const stage of stages) {
  const from = performance.now();
  const totals = await run(stage);
  outcomes.push({ stage, totals, seconds: (performance.now() - from) / 1000 });
}

console.log("");
for (const { stage, totals, seconds } of outcomes) {
  const verdict = totals.failed === 0 ? "ok" : "FAILED";
  const counts = stage.hasTests ? `, ${totals.passed} passed, ${totals.failed} failed` : "";
  console.log(`${verdict.padEnd(6)} ${stage.name} (${seconds.toFixed(1)} s${counts})`);
}
console.log(`all in ${((performance.now() - started) / 1000).toFixed(0)} s`);
const passed = outcomes.reduce((sum, { totals }) => sum + totals.passed, 0);
const failed = outcomes.reduce((sum, { totals }) => sum + totals.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
