/**
 * `npm run conformance -- DIR… [--area A] [--only ID] [--write OUT] [--verbose]`: replays recordings of real Kubernetes and
 * prints the disagreements, a table by area, and the totals. `--keep FILE` writes the list of scenarios that agree. Each folder
 * has `scenarios` and `recordings`, or the API server's answers (`create.jsonl`, `update.jsonl`), or such lists in `api`; all
 * answers form the area `api`. Exits with 1 if anything disagrees, with 2 if there is nothing to replay.
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

/** Replays the scenarios of one folder, and adds the results to `tallies` (by area) and `agreeing`. */
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

function foldersOfAnswers(directory: string): readonly string[] {
  const folders = [directory, path.join(directory, "api")];
  const lists = ["create.jsonl", "update.jsonl"];
  return folders.filter((folder) => lists.some((list) => existsSync(path.join(folder, list))));
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

const answers = { agree: 0, all: 0 };
if ((values.area ?? "api") === "api" && values.only === undefined) {
  for (const directory of positionals.flatMap(foldersOfAnswers)) {
    const { agree, total, disagreements } = replayApi(directory);
    for (const { id, differences } of disagreements) report(`api ${id}`, differences);
    answers.agree += agree;
    answers.all += total;
  }
}
if (answers.all > 0) console.log(`api: ${answers.agree} of ${answers.all} agree`);
const scenarios = { agree: sum(tallies, (t) => t.agree), all: sum(tallies, (t) => t.all) };
if (scenarios.all > 0) console.log(`${scenarios.agree} of ${scenarios.all} agree`);
if (scenarios.all + answers.all + sum(tallies, (t) => t.unrecorded) === 0) {
  console.error(
    "Nothing to replay: name a folder with scenarios and recordings, or with create.jsonl.",
  );
  process.exitCode = 2;
} else if (scenarios.agree + answers.agree < scenarios.all + answers.all) process.exitCode = 1;
