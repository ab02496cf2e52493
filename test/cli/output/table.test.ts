import assert from "node:assert/strict";
import { humanDuration } from "../../../src/cli/output/table.ts";

suite("durations", () => {
  const second = 1_000;
  const minute = 60 * second;
  const hour = 60 * minute;
  const day = 24 * hour;
  for (const [ms, text] of [
    [119 * second, "119s"],
    [2 * minute, "2m"],
    [2 * minute + 5 * second, "2m5s"],
    [10 * minute + 5 * second, "10m"],
    [179 * minute, "179m"],
    [3 * hour, "3h"],
    [7 * hour + 59 * minute, "7h59m"],
    [8 * hour + 59 * minute, "8h"],
    [47 * hour, "47h"],
    [2 * day + hour, "2d1h"],
    [8 * day + hour, "8d"],
    [729 * day, "729d"],
    [730 * day, "2y"],
    [800 * day, "2y70d"],
    [2920 * day, "8y"],
    [-1 * second, "0s"],
    [-2 * second, "<invalid>"],
  ] as const)
    test(`are as short as kubectl's: ${text}`, () => assert.equal(humanDuration(ms), text));
});
