/** CronJobs: schedules in virtual time, and what is done when runs overlap. */
import assert from "node:assert/strict";
import {
  longTime,
  nextTime,
  parseSchedule,
} from "../../../src/engine/controllers/cron-job/schedule.ts";
import { timestamp } from "../../../src/engine/runtime/timestamp.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { play } from "../../support/play.ts";
import { ends } from "../../support/workloads.ts";

const longRun =
  "template: {spec: {restartPolicy: Never, containers: [{name: main, image: app, command: [sleep, '90000']}]}}";

function cronJob(spec: string): string {
  return `
    kind: CronJob
    metadata: {name: nightly}
    spec: {${spec}}`;
}

function minutes(count: number): Step {
  return { type: "advance", ms: count * 60_000 };
}

suite("CronJob controller", function () {
  this.timeout(20_000);

  test("makes a Job named after its minute at each time of the schedule", () => {
    const played = play(cronJob(`schedule: "*/10 * * * *", jobTemplate: {spec: {${ends(0)}}}`), {
      steps: [minutes(25)],
    });
    assert.deepEqual(played.names("Job"), ["nightly-29453770", "nightly-29453780"]);
    assert.deepEqual(played.events("SuccessfulCreate").slice(0, 1), [
      "Created job nightly-29453770",
    ]);
    assert.deepEqual(played.events("SawCompletedJob"), [
      "Saw completed job: nightly-29453770, condition: Complete",
      "Saw completed job: nightly-29453780, condition: Complete",
    ]);
    assert.equal(
      played.get("CronJob", "nightly")?.status?.lastScheduleTime,
      "2026-01-01T00:20:00Z",
    );
  });

  test("keeps as many finished Jobs as its history allows", () => {
    const spec = `schedule: "*/10 * * * *", successfulJobsHistoryLimit: 1, jobTemplate: {spec: {${ends(0)}}}`;
    const played = play(cronJob(spec), { steps: [minutes(35)] });
    assert.deepEqual(played.names("Job"), ["nightly-29453790"]);
  });

  test("Forbid leaves out a run while the last one is not done", () => {
    const spec = `schedule: "*/10 * * * *", concurrencyPolicy: Forbid, jobTemplate: {spec: {${longRun}}}`;
    const played = play(cronJob(spec), { steps: [minutes(25)] });
    assert.deepEqual(played.names("Job"), ["nightly-29453770"]);
    assert.deepEqual(played.events("JobAlreadyActive"), [
      "Not starting job because prior execution is running and concurrency policy is Forbid",
    ]);
  });

  test("Replace ends the last run for the next", () => {
    const spec = `schedule: "*/10 * * * *", concurrencyPolicy: Replace, jobTemplate: {spec: {${longRun}}}`;
    const played = play(cronJob(spec), { steps: [minutes(25)] });
    assert.deepEqual(played.names("Job"), ["nightly-29453780"]);
  });

  test("a suspended CronJob makes none", () => {
    const spec = `schedule: "*/10 * * * *", suspend: true, jobTemplate: {spec: {${ends(0)}}}`;
    assert.deepEqual(play(cronJob(spec), { steps: [minutes(25)] }).names("Job"), []);
  });
});

suite("schedules", () => {
  const after = (schedule: string, count = 2): readonly string[] => {
    const parsed = parseSchedule(schedule);
    const times: string[] = [];
    for (let at = 0; parsed !== undefined && times.length < count; ) {
      const next = nextTime(parsed, at);
      if (next === undefined) break;
      times.push(timestamp(next));
      at = next;
    }
    return times;
  };

  const cases: readonly [string, readonly string[]][] = [
    ["*/15 * * * *", ["2026-01-01T00:15:00Z", "2026-01-01T00:30:00Z"]],
    ["0 2 * * *", ["2026-01-01T02:00:00Z", "2026-01-02T02:00:00Z"]],
    ["@weekly", ["2026-01-04T00:00:00Z", "2026-01-11T00:00:00Z"]],
    ["30 4 1 * *", ["2026-01-01T04:30:00Z", "2026-02-01T04:30:00Z"]],
    ["0 0 13 * fri", ["2026-01-02T00:00:00Z", "2026-01-09T00:00:00Z"]],
    ["0 0 29 feb ?", ["2028-02-29T00:00:00Z"]],
    ["5-10/5 1,3 * * mon-tue", ["2026-01-05T01:05:00Z", "2026-01-05T01:10:00Z"]],
  ];
  for (const [schedule, times] of cases) {
    test(`${schedule} comes at ${times.join(" and ")}`, () => {
      assert.deepEqual(after(schedule, times.length), times);
    });
  }

  test("a missed time is told in words", () => {
    assert.equal(longTime(86_400_000 + 180_000), "Fri, 02 Jan 2026 00:03:00 +0000");
  });

  for (const wrong of [
    "* * * *",
    "60 * * * *",
    "* * 0 * *",
    "a * * * *",
    "*/0 * * * *",
    "5-1 * * * *",
  ]) {
    test(`${wrong} is no schedule`, () => assert.equal(parseSchedule(wrong), undefined));
  }
});
