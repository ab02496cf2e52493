/**
 * `npm run conformance -- DIR… [--area A] [--only ID] [--write OUT] [--verbose]`: replays recordings of real Kubernetes and
 * prints what disagrees, a table by area, and the totals. `--keep FILE` writes the list of those that agree.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { replay, scenarioIds } from "./replay.ts";
import { replayApi } from "./replay-api.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: "string" },
    only: { type: "string" },
    write: { type: "string" },
    keep: { type: "string" },
    verbose: { type: "boolean", default: false },
    lines: { type: "string", default: "12" },
  },
});

interface Tally {
  agree: number;
  all: number;
  unrecorded: number;
}
const lineCountMax = values.verbose ? Number.POSITIVE_INFINITY : Number(values.lines);

function report(id: string, lines: readonly string[]): void {
  console.log(id);
  for (const line of lines.slice(0, lineCountMax)) console.log(`  ${line}`);
  if (lines.length > lineCountMax) console.log(`  and ${lines.length - lineCountMax} more`);
}

/** Replays the scenarios of one folder; adds to the tallies by area. */
function replayScenarios(directory: string, tallies: Map<string, Tally>, agreeing: string[]): void {
  for (const id of scenarioIds(directory)) {
    const area = id.split("/")[0] ?? "";
    if (values.area !== undefined && values.area !== area) continue;
    if (values.only !== undefined && values.only !== id) continue;
    const tally = tallies.get(area) ?? { agree: 0, all: 0, unrecorded: 0 };
    tallies.set(area, tally);
    const { recording, differences } = replay(directory, id);
    if (values.write !== undefined && recording !== undefined) {
      const out = path.join(values.write, "recordings", `${id}.json`);
      mkdirSync(path.dirname(out), { recursive: true });
      writeFileSync(out, JSON.stringify(recording));
    }
    if (differences === undefined) tally.unrecorded++;
    else {
      tally.all++;
      if (differences.length > 0) report(id, differences);
      else {
        tally.agree++;
        agreeing.push(id);
      }
    }
  }
}

function sum(tallies: ReadonlyMap<string, Tally>, of: (tally: Tally) => number): number {
  return [...tallies.values()].reduce((total, tally) => total + of(tally), 0);
}

const tallies = new Map<string, Tally>();
const agreeing: string[] = [];
for (const directory of positionals) replayScenarios(directory, tallies, agreeing);
for (const [area, tally] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const unrecorded = tally.unrecorded > 0 ? `, ${tally.unrecorded} without a recording` : "";
  console.log(`${area.padEnd(16)} ${tally.agree} of ${tally.all}${unrecorded}`);
}
if (sum(tallies, (t) => t.unrecorded) > 0) {
  console.log(`${sum(tallies, (t) => t.unrecorded)} scenarios without a recording were run`);
}
if (values.keep !== undefined) {
  writeFileSync(values.keep, `${JSON.stringify(agreeing.sort(), null, 1)}\n`);
}

let apiLine = "";
if (values.area === undefined && values.only === undefined) {
  for (const directory of positionals) {
    if (!existsSync(path.join(directory, "api"))) continue;
    const { agree, total, disagreements } = await replayApi(path.join(directory, "api"));
    for (const { id, differences } of disagreements) report(`api ${id}`, differences);
    apiLine = `api: ${agree} of ${total} agree`;
  }
}
if (apiLine !== "") console.log(apiLine);
console.log(`${sum(tallies, (t) => t.agree)} of ${sum(tallies, (t) => t.all)} agree`);
