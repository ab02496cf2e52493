/** CronJobs: schedules in virtual time, and overlapping runs. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { instantOf, timestamp } from "../../../src/engine/api/timestamp.ts";
import { cronJobController } from "../../../src/engine/controllers/cron-job/cron-job.ts";
import { nextTime, parseSchedule } from "../../../src/engine/controllers/cron-job/schedule.ts";
import type { Manifest, Step } from "../../../src/engine/scenario.ts";
import { Scene } from "../../support/component-scene.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
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

suite("CronJob controller", () => {
  test("creates a Job, named after its minute, at each scheduled time", () => {
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

  test("keeps as many finished Jobs as the history limit allows", () => {
    const spec = `schedule: "*/10 * * * *", successfulJobsHistoryLimit: 1, jobTemplate: {spec: {${ends(0)}}}`;
    const played = play(cronJob(spec), { steps: [minutes(35)] });
    assert.deepEqual(played.names("Job"), ["nightly-29453790"]);
  });

  test("Forbid skips a run while the last one is not finished", () => {
    const spec = `schedule: "*/10 * * * *", concurrencyPolicy: Forbid, jobTemplate: {spec: {${longRun}}}`;
    const played = play(cronJob(spec), { steps: [minutes(25)] });
    assert.deepEqual(played.names("Job"), ["nightly-29453770"]);
    assert.deepEqual(played.events("JobAlreadyActive"), [
      "Not starting job because prior execution is running and concurrency policy is Forbid",
    ]);
  });

  testWithFaults("Replace deletes the last run for the next one", () => {
    const spec = `schedule: "*/10 * * * *", concurrencyPolicy: Replace, jobTemplate: {spec: {${longRun}}}`;
    const played = play(cronJob(spec), { steps: [minutes(25)] });
    assert.deepEqual(played.names("Job"), ["nightly-29453780"]);
  });

  test("a failed run is reported as such, and has its own history limit", () => {
    const spec = `schedule: "*/10 * * * *", failedJobsHistoryLimit: 1, jobTemplate: {spec: {backoffLimit: 0, ${ends(1)}}}`;
    const played = play(cronJob(spec), { steps: [minutes(25)] });
    assert.deepEqual(played.names("Job"), ["nightly-29453780"]);
    assert.deepEqual(played.events("SawCompletedJob"), [
      "Saw completed job: nightly-29453770, condition: Failed",
      "Saw completed job: nightly-29453780, condition: Failed",
    ]);
    assert.deepEqual(played.events("SuccessfulDelete").slice(-1), ["Deleted job nightly-29453770"]);
    const { active, lastSuccessfulTime } = played.get("CronJob", "nightly")?.status ?? {};
    assert.deepEqual([active, lastSuccessfulTime], [undefined, undefined]);
  });

  testWithFaults(
    "a deleted Job is reported missing, and the next run starts even under Forbid",
    () => {
      const spec = `schedule: "*/10 * * * *", concurrencyPolicy: Forbid, jobTemplate: {spec: {${longRun}}}`;
      const target = { kind: "Job", name: "nightly-29453770", grace: 0 } as const;
      const played = play(cronJob(spec), {
        steps: [minutes(15), { type: "delete", objects: [target] }, minutes(10)],
      });
      assert.deepEqual(played.events("MissingJob"), ["Active job went missing: nightly-29453770"]);
      assert.deepEqual(played.names("Job"), ["nightly-29453780"]);
    },
  );

  test("a Job that the quota refuses is reported and retried", () => {
    const quota =
      "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: jobs}\nspec: {hard: {count/jobs.batch: 0}}";
    const spec = `schedule: "*/10 * * * *", jobTemplate: {spec: {${ends(0)}}}`;
    const raise: Step = {
      type: "patch",
      object: { kind: "ResourceQuota", name: "jobs" },
      patch: { spec: { hard: { "count/jobs.batch": "5" } } },
    };
    const setUp = { cluster: { manifests: [parse(quota) as Manifest] } };
    const refused = play(cronJob(spec), { ...setUp, steps: [minutes(12)] });
    assert.deepEqual(refused.events("FailedCreate"), [
      'Error creating job: jobs.batch "nightly-29453770" is forbidden: exceeded quota: jobs, requested: count/jobs.batch=1, used: count/jobs.batch=0, limited: count/jobs.batch=0',
    ]);
    const later = play(cronJob(spec), { ...setUp, steps: [minutes(12), raise, minutes(5)] });
    assert.deepEqual(later.names("Job"), ["nightly-29453770"]);
  });

  test("Jobs get the template's labels and annotations, and their scheduled time", () => {
    const meta = "metadata: {labels: {app: backup}, annotations: {note: hello}}";
    const spec = `schedule: "@hourly", jobTemplate: {${meta}, spec: {${longRun}}}`;
    const played = play(cronJob(spec), { steps: [minutes(61)] });
    const { metadata } = played.list("Job")[0] ?? {};
    assert.equal(metadata?.labels?.["app"], "backup");
    assert.deepEqual(metadata?.annotations, {
      note: "hello",
      "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T01:00:00Z",
    });
    assert.deepEqual(
      played
        .get("CronJob", "nightly")
        ?.status?.active?.map(({ kind, name, uid }) => [kind, name, uid]),
      [["Job", "nightly-29453820", metadata?.uid]],
    );
  });

  test("after a suspension only the latest time counts, and none before the starting deadline", () => {
    const resume: Step = {
      type: "patch",
      object: { kind: "CronJob", name: "nightly" },
      patch: { spec: { suspend: false } },
    };
    const runsOf = (deadline: string): readonly string[] => {
      const spec = `schedule: "*/10 * * * *", suspend: true${deadline}, jobTemplate: {spec: {${longRun}}}`;
      return play(cronJob(spec), { steps: [minutes(35), resume, minutes(1)] }).names("Job");
    };
    assert.deepEqual(runsOf(""), ["nightly-29453790"]);
    assert.deepEqual(runsOf(", startingDeadlineSeconds: 400"), ["nightly-29453790"]);
    assert.deepEqual(runsOf(", startingDeadlineSeconds: 200"), []);
  });

  test("a history limit of 0 deletes a run before its end is reported, but records its success", () => {
    const spec = `schedule: "*/10 * * * *", successfulJobsHistoryLimit: 0, jobTemplate: {spec: {${ends(0)}}}`;
    const played = play(cronJob(spec), { steps: [minutes(15)] });
    assert.deepEqual(played.events("SawCompletedJob"), []);
    assert.deepEqual(played.events("SuccessfulDelete"), ["Deleted job nightly-29453770"]);
    const { active, lastSuccessfulTime } = played.get("CronJob", "nightly")?.status ?? {};
    assert.deepEqual([active, lastSuccessfulTime?.slice(0, 16)], [undefined, "2026-01-01T00:10"]);
  });

  test("times are in the time zone", () => {
    const spec = `schedule: "30 2 * * *", timeZone: Asia/Kolkata, jobTemplate: {spec: {${longRun}}}`;
    const played = play(cronJob(spec), { steps: [minutes(24 * 60)] });
    assert.deepEqual(played.events("SuccessfulCreate")[0], "Created job nightly-29455020");
    assert.equal(
      played.get("CronJob", "nightly")?.status?.lastScheduleTime,
      "2026-01-01T21:00:00Z",
    );
  });

  test("a new schedule does not make up for its past times", () => {
    const spec = `schedule: "0 12 * * *", jobTemplate: {spec: {${longRun}}}`;
    const target = { kind: "CronJob", name: "nightly" } as const;
    const patch = { spec: { schedule: "*/10 * * * *" } };
    const steps: Step[] = [minutes(35), { type: "patch", object: target, patch }];
    assert.deepEqual(play(cronJob(spec), { steps: [...steps, minutes(4)] }).names("Job"), []);
    assert.deepEqual(play(cronJob(spec), { steps: [...steps, minutes(6)] }).names("Job"), [
      "nightly-29453800",
    ]);
  });

  test("more than a hundred missed times are reported", () => {
    const resume: Step = {
      type: "patch",
      object: { kind: "CronJob", name: "nightly" },
      patch: { spec: { suspend: false } },
    };
    const tellings = (count: number): readonly string[] => {
      const spec = `schedule: "* * * * *", suspend: true, jobTemplate: {spec: {${longRun}}}`;
      const played = play(cronJob(spec), { steps: [minutes(count), resume] });
      return played.events("TooManyMissedTimes");
    };
    assert.deepEqual(tellings(99), []);
    assert.deepEqual(tellings(102), [
      "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
    ]);
  });

  test("a suspended CronJob creates no Jobs", () => {
    const spec = `schedule: "*/10 * * * *", suspend: true, jobTemplate: {spec: {${ends(0)}}}`;
    assert.deepEqual(play(cronJob(spec), { steps: [minutes(25)] }).names("Job"), []);
  });
});

suite("CronJob controller on what it finds", () => {
  const controller = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    name: "nightly",
    uid: "cron",
    controller: true,
  };
  const template = {
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "app" }] },
  };
  const cron = (spec: object, status: object = {}): KubeObject<"CronJob"> =>
    ({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: {
        namespace: "default",
        name: "nightly",
        uid: "cron",
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      spec: { schedule: "@hourly", jobTemplate: { spec: { template } }, ...spec },
      status,
    }) as unknown as KubeObject<"CronJob">;
  const job = (name: string, status: object = {}, owner = controller): KubeObject<"Job"> =>
    ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { namespace: "default", name, uid: name, ownerReferences: [owner] },
      spec: { template: {} },
      status,
    }) as unknown as KubeObject<"Job">;
  const ended = (type: string, startTime: string, completionTime?: string): object => ({
    startTime,
    ...(completionTime !== undefined && { completionTime }),
    conditions: [{ type, status: "True" }],
  });
  const hour = 3_600_000;

  test("a running Job of its own that is not in the status is reported as unexpected", () => {
    const scene = new Scene([cronJobController], [cron({}), job("stray")]).run(1000);
    assert.deepEqual(scene.events, [
      "CronJob/default/nightly Warning UnexpectedJob Saw a job that the controller did not create or forgot: stray",
    ]);
  });

  test("lastSuccessfulTime is the latest of all complete Jobs", () => {
    const jobs = [
      job("a", ended("Complete", "2025-12-31T20:00:00Z", "2025-12-31T20:10:00Z")),
      job("b", ended("Complete", "2025-12-31T19:00:00Z", "2025-12-31T21:00:00Z")),
      job("c", ended("Failed", "2025-12-31T22:00:00Z", "2025-12-31T22:10:00Z")),
    ];
    const scene = new Scene([cronJobController], [cron({}), ...jobs]).run(1000);
    const { status } = scene.get("CronJob", "default", "nightly") ?? {};
    assert.equal(status?.lastSuccessfulTime, "2025-12-31T21:00:00Z");
    const later = cron({}, { lastSuccessfulTime: "2025-12-31T23:00:00Z" });
    const unchanged = new Scene([cronJobController], [later, ...jobs]).run(1000);
    assert.deepEqual(unchanged.writes, []);
  });

  test("a success is recorded in the write that removes its Job from the active ones", () => {
    const done = job("a", ended("Complete", "2025-12-31T20:00:00Z", "2025-12-31T20:10:00Z"));
    const active = [{ kind: "Job", name: "a", uid: "a" }];
    const written = new Scene([cronJobController], [cron({}, { active }), done])
      .run(1000)
      .runtime.trace.entries.flatMap((e) =>
        e.type === "write" && e.actor !== "user" ? [(e.after as KubeObject<"CronJob">).status] : [],
      );
    assert.deepEqual(written, [{ lastSuccessfulTime: "2025-12-31T20:10:00Z" }]);
  });

  test("Jobs carry their scheduled time in local time of the zone", () => {
    const timeIn = (timeZone: string) =>
      new Scene([cronJobController], [cron({ timeZone })])
        .run(hour + 1000)
        .runtime.api.store.list("Job")
        .map(
          (made) => made.metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"],
        );
    assert.deepEqual(timeIn("Etc/UTC"), ["2026-01-01T01:00:00Z"]);
    assert.deepEqual(timeIn("Factory"), ["2026-01-01T01:00:00Z"]);
    assert.deepEqual(timeIn("Europe/Berlin"), ["2026-01-01T02:00:00+01:00"]);
    assert.deepEqual(timeIn("America/New_York"), ["2025-12-31T20:00:00-05:00"]);
    assert.deepEqual(timeIn("Asia/Kolkata"), ["2026-01-01T06:00:00+05:30"]);
  });

  test("the oldest Jobs beyond the history limit are deleted, those of equal age by name", () => {
    const jobs = [
      job("d", ended("Complete", "2025-12-31T20:00:00Z")),
      job("c", ended("Complete", "2025-12-31T19:00:00Z")),
      job("b", ended("Complete", "2025-12-31T20:00:00Z")),
      job("a", ended("Failed", "2025-12-31T10:00:00Z")),
      job("e", ended("Complete", "2025-12-31T21:00:00Z")),
    ];
    const limits = { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 };
    const scene = new Scene([cronJobController], [cron(limits), ...jobs]).run(1000);
    assert.deepEqual(scene.events, [
      "CronJob/default/nightly Normal SuccessfulDelete Deleted job c",
      "CronJob/default/nightly Normal SuccessfulDelete Deleted job b",
    ]);
  });

  test("an existing Job of the same time counts as the run only if the CronJob owns it", () => {
    const name = "nightly-29453820";
    const found = (owner: typeof controller): KubeObject<"CronJob"> | undefined =>
      new Scene([cronJobController], [cron({}), job(name, {}, owner)])
        .run(hour + 1000)
        .get("CronJob", "default", "nightly");
    const { active, lastScheduleTime } = found(controller)?.status ?? {};
    assert.deepEqual(
      active?.map((reference) => reference.name),
      [name],
    );
    assert.equal(lastScheduleTime, "2026-01-01T01:00:00Z");
    assert.deepEqual(found({ ...controller, uid: "other" })?.status, {});
  });

  test("a schedule that cannot be parsed is reported, and no Job created", () => {
    const scene = new Scene([cronJobController], [cron({ schedule: "* * * *" })]).run(hour);
    assert.deepEqual(scene.events, [
      'CronJob/default/nightly Warning UnparseableSchedule unparseable schedule: "* * * *" : expected exactly 5 fields, found 4: [* * * *]',
    ]);
  });

  test("a schedule that never comes is reported, and no Job created", () => {
    const scene = new Scene([cronJobController], [cron({ schedule: "59 23 31 2 *" })]).run(hour);
    assert.deepEqual(scene.events, [
      "CronJob/default/nightly Warning InvalidSchedule invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second",
    ]);
  });

  test("an unknown zone and a zone within the schedule are reported", () => {
    const unknown = cron({ timeZone: "Europe/Atlantis" });
    assert.deepEqual(new Scene([cronJobController], [unknown]).run(hour).events, [
      'CronJob/default/nightly Warning UnknownTimeZone invalid timeZone: "Europe/Atlantis": unknown time zone Europe/Atlantis',
    ]);
    const within = cron({ schedule: "TZ=Asia/Kolkata 0 6 * * *" });
    const scene = new Scene([cronJobController], [within]).run(hour);
    assert.deepEqual(scene.events, [
      '×3 CronJob/default/nightly Warning UnsupportedSchedule CRON_TZ or TZ used in schedule "TZ=Asia/Kolkata 0 6 * * *" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      "CronJob/default/nightly Normal SuccessfulCreate Created job nightly-29453790",
    ]);
  });

  test("a CronJob that is being deleted creates nothing", () => {
    const { metadata, ...rest } = cron({});
    const leaving = { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] };
    const scene = new Scene(
      [cronJobController],
      [{ ...rest, metadata: leaving } as KubeObject<"CronJob">],
    );
    assert.deepEqual(scene.run(2 * hour).writes, []);
  });
});

suite("schedules", () => {
  const after = (schedule: string, count = 2, from = "2026-01-01T00:00:00Z"): readonly string[] => {
    const parsed = parseSchedule(schedule);
    const times: string[] = [];
    for (let at = instantOf(from); parsed !== undefined && times.length < count; ) {
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
    ["0 0 */10 * fri", ["2026-01-02T00:00:00Z", "2026-01-09T00:00:00Z", "2026-01-11T00:00:00Z"]],
    ["0 0 */1 * fri", ["2026-01-02T00:00:00Z", "2026-01-09T00:00:00Z"]],
    ["59 22,23 * * *", ["2026-01-01T22:59:00Z", "2026-01-01T23:59:00Z", "2026-01-02T22:59:00Z"]],
    ["0 0 30 2 *", []],
    ["0 0 29 feb ?", ["2028-02-29T00:00:00Z"]],
    ["0 0 29 2 *", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]],
    // A day on which summer time begins at midnight has no midnight.
    ["TZ=America/Santiago 30 2 6 9 *", ["2026-09-06T05:30:00Z"]],
    ["+7,,9 * * * *", ["2026-01-01T00:07:00Z", "2026-01-01T00:09:00Z"]],
    ["5-10/5 1,3 * * mon-tue", ["2026-01-05T01:05:00Z", "2026-01-05T01:10:00Z"]],
  ];
  for (const [schedule, times] of cases) {
    test(`${schedule} comes ${times.length === 0 ? "never" : `at ${times.join(" and ")}`}`, () => {
      assert.deepEqual(after(schedule, Math.max(1, times.length)), times);
    });
  }

  test("a time comes at each interval, in full seconds", () => {
    assert.deepEqual(after("@every 1h30m"), ["2026-01-01T01:30:00Z", "2026-01-01T03:00:00Z"]);
    assert.deepEqual(after("@every 2500ms"), ["2026-01-01T00:00:02Z", "2026-01-01T00:00:04Z"]);
    assert.deepEqual(after("@every 0.1s", 1), ["2026-01-01T00:00:01Z"]);
    assert.deepEqual(after("@every -5m", 1), ["2026-01-01T00:00:01Z"]);
  });

  const inZones: readonly [string, string, string, readonly string[]][] = [
    // The clocks of Berlin go forward at 2:00 on 29 March and back at 3:00 on 25 October.
    [
      "each day",
      "TZ=Europe/Berlin 0 3 * * *",
      "2026-03-28T00:00:00Z",
      ["2026-03-28T02:00:00Z", "2026-03-29T01:00:00Z"],
    ],
    [
      "at a time that is left out, the day after",
      "TZ=Europe/Berlin 30 2 * * *",
      "2026-03-28T12:00:00Z",
      ["2026-03-30T00:30:00Z"],
    ],
    [
      "at a time that comes twice, twice",
      "TZ=Europe/Berlin 30 2 * * *",
      "2026-10-24T12:00:00Z",
      ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"],
    ],
    [
      "each hour, without a pause",
      "TZ=Europe/Berlin 0 * * * *",
      "2026-03-29T00:30:00Z",
      ["2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"],
    ],
    [
      "on a day of the zone",
      "CRON_TZ=America/New_York 0 20 1 * *",
      "2026-01-01T00:00:00Z",
      ["2026-01-02T01:00:00Z", "2026-02-02T01:00:00Z"],
    ],
    // In Santiago the day of 6 September begins at 1:00.
    [
      "where a day has no midnight, at none",
      "TZ=America/Santiago 0 0 * * *",
      "2026-09-05T12:00:00Z",
      ["2026-09-07T03:00:00Z"],
    ],
    [
      "by the clocks of UTC where the zone has no name",
      "TZ= 0 12 * * *",
      "2026-01-01T00:00:00Z",
      ["2026-01-01T12:00:00Z"],
    ],
    [
      "every so often, whatever the zone",
      "TZ=Asia/Kathmandu @every 1h",
      "2026-01-01T00:00:00Z",
      ["2026-01-01T01:00:00Z"],
    ],
  ];
  for (const [title, schedule, from, times] of inZones) {
    test(`${schedule} comes ${title}`, () => {
      assert.deepEqual(after(schedule, times.length, from), times);
    });
  }

  for (const wrong of [
    "* * * *",
    "TZ=Europe/Atlantis 0 0 * * *",
    "60 * * * *",
    "* * 0 * *",
    "a * * * *",
    "*/0 * * * *",
    "5-1 * * * *",
    "1/2/3 * * * *",
    "1-2-3 * * * *",
    "* * * * * *",
    "@every soon",
  ]) {
    test(`${wrong} is no schedule`, () => assert.equal(parseSchedule(wrong), undefined));
  }
});
