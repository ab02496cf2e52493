/**
 * An estimate of the memory that an entry takes, including the version of the object that it brings. Unlike the process's own
 * figures it is the same in each run of a scenario. Together with what the components keep a run takes up to twice as much.
 */
import type { Decision } from "./decision.ts";
import type { NewEntry } from "./entry.ts";

const bytesByType: Readonly<Record<NewEntry["type"], number>> = {
  write: 900,
  event: 350,
  call: 600,
  answer: 200,
  request: 200,
  decision: 250,
  refused: 200,
  step: 200,
  limit: 200,
  lifecycle: 200,
};

const bytesOfRule = 200;

export function keptBytes(entry: NewEntry): number {
  const bytes = bytesByType[entry.type];
  return entry.type === "decision" ? bytes + bytesOfRule * ruleCount(entry.decision) : bytes;
}

function ruleCount({ candidates = [] }: Decision): number {
  let count = 0;
  for (const { failed } of candidates) count += failed.length;
  return count;
}
