/**
 * Estimates the memory that an entry takes, including the object version that it holds. Unlike the process's own figures, the
 * estimate is the same in each run of a scenario. With the components' own data a run takes up to twice as much.
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
