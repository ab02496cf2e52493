/**
 * `npm run conformance -- DIR… [--area A] [--only ID] [--write OUT] [--verbose]`: replays recordings of real Kubernetes and
 * prints what disagrees, a table by area, and the totals.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { compareRecordings } from "./agree.ts";
import { type Recording, record } from "./recording.ts";
import { readScenario } from "./scenario-file.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: "string" },
    only: { type: "string" },
    write: { type: "string" },
    verbose: { type: "boolean", default: false },
    lines: { type: "string", default: "12" },
  },
});

interface Tally {
  agree: number;
  all: number;
  unrecorded: number;
}
const tallies = new Map<string, Tally>();
const lineCountMax = values.verbose ? Number.POSITIVE_INFINITY : Number(values.lines);

function* scenarioIds(directory: string): Generator<string> {
  const scenarios = path.join(directory, "scenarios");
  if (!existsSync(scenarios)) return;
  for (const area of readdirSync(scenarios).sort()) {
    if (values.area !== undefined && values.area !== area) continue;
    for (const file of readdirSync(path.join(scenarios, area)).sort()) {
      const id = `${area}/${file.replace(/\.yaml$/, "")}`;
      if (values.only === undefined || values.only === id) yield id;
    }
  }
}

function replay(directory: string, id: string): string[] | undefined {
  const { scenario } = readScenario(directory, id);
  const { recording: got, simulation } = record(id, scenario);
  if (values.write !== undefined) {
    const out = path.join(values.write, "recordings", `${id}.json`);
    mkdirSync(path.dirname(out), { recursive: true });
    writeFileSync(out, JSON.stringify(got));
  }
  if (simulation.stopped) return ["the run was ended by a limit"];
  const file = path.join(directory, "recordings", `${id}.json`);
  if (!existsSync(file)) return undefined;
  return compareRecordings(JSON.parse(readFileSync(file, "utf8")) as Recording, got);
}

for (const directory of positionals) {
  for (const id of scenarioIds(directory)) {
    const area = id.split("/")[0] ?? "";
    const tally = tallies.get(area) ?? { agree: 0, all: 0, unrecorded: 0 };
    tallies.set(area, tally);
    let lines: string[] | undefined;
    try {
      lines = replay(directory, id);
    } catch (error) {
      lines = [
        `crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ];
    }
    if (lines === undefined) {
      tally.unrecorded++;
      continue;
    }
    tally.all++;
    if (lines.length === 0) tally.agree++;
    else {
      console.log(id);
      for (const line of lines.slice(0, lineCountMax)) console.log(`  ${line}`);
      if (lines.length > lineCountMax) console.log(`  and ${lines.length - lineCountMax} more`);
    }
  }
}
let [agree, all, unrecorded] = [0, 0, 0];
for (const [area, tally] of [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(
    `${area.padEnd(16)} ${tally.agree} of ${tally.all}${tally.unrecorded > 0 ? `, ${tally.unrecorded} without a recording` : ""}`,
  );
  agree += tally.agree;
  all += tally.all;
  unrecorded += tally.unrecorded;
}
if (unrecorded > 0) console.log(`${unrecorded} scenarios without a recording ran to rest`);
console.log(`${agree} of ${all} agree`);
