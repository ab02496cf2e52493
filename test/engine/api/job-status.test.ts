/** Validation of a job's status. */
import assert from "node:assert/strict";
import { refusal, reportAgain } from "./answer.ts";

const conditions = "status.conditions: Invalid value";
const start = "2026-01-01T00:00:00Z";
const later = "2026-01-01T00:01:00Z";

const job = (spec: string, status: string): string => `
apiVersion: batch/v1
kind: Job
metadata: { name: a, namespace: default }
spec: { ${spec}, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } }
status: ${status}
`;

/** A status in which these conditions are true. */
const report = (types: readonly string[], more = ""): string => {
  const list = types.map((type) => `{ type: ${type}, status: "True" }`).join(", ");
  return `{ startTime: ${start}, conditions: [${list}]${more === "" ? "" : `, ${more}`} }`;
};

const started = report([]);
const complete = ["SuccessCriteriaMet", "Complete"];
const failed = ["FailureTarget", "Failed"];
const at = `completionTime: ${later}`;

function told(before: string, after: string, spec = "completions: 3"): string {
  return refusal(reportAgain(job(spec, before), after));
}

suite("A job's status", () => {
  test("must have all that belongs to a finished job", () => {
    assert.equal(told(started, report(complete, at)), "accepted");
    assert.equal(told(started, report(failed)), "accepted");
    assert.equal(
      told("{}", '{ conditions: [{ type: Complete, status: "True" }] }'),
      [
        "status.completionTime: Required value: completionTime is required for Complete jobs",
        `${conditions}: cannot set Complete=True condition without the SuccessCriteriaMet=true condition`,
        "status.startTime: Required value: startTime is required for finished job",
      ].join("\n"),
    );
    assert.equal(
      told(started, report(["Failed"], "active: 1, terminating: 2")),
      [
        `${conditions}: cannot set Failed=True condition without the FailureTarget=true condition`,
        "status.active: Invalid value: 1: active>0 is invalid for finished job",
        "status.terminating: Invalid value: 2: terminating>0 is invalid for finished job",
      ].join("\n"),
    );
    assert.match(told(started, report(failed, "terminating: 1")), /invalid for finished job$/);
    assert.equal(
      told(started, report(failed, "uncountedTerminatedPods: { failed: [a] }")),
      'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["a"]}: must be empty for finished job',
    );
    assert.equal(
      told(
        started,
        '{ startTime: 2026-01-01T00:00:00Z, conditions: [{ type: Complete, status: "False" }] }',
      ),
      "accepted",
    );
    const idle =
      '{ conditions: [{ type: FailureTarget, status: "True" }, { type: Failed, status: "True" }] }';
    assert.equal(told("{}", idle, "completions: 0, suspend: true"), "accepted");
    for (const spec of ["completions: 0", "completions: 1, suspend: true"])
      assert.equal(
        told("{}", idle, spec),
        "status.startTime: Required value: startTime is required for finished job",
      );
  });

  test("must not be both complete and failed", () => {
    assert.equal(
      told(started, report([...complete, ...failed], at)),
      [
        `${conditions}: cannot set Complete=True and Failed=true conditions`,
        `${conditions}: cannot set Complete=True and FailureTarget=true conditions`,
        `${conditions}: cannot set SuccessCriteriaMet=True and Failed=true conditions`,
        `${conditions}: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions`,
      ].join("\n"),
    );
  });

  test("must not end before it started", () => {
    const early = "completionTime: 2025-12-31T00:00:00Z";
    assert.equal(
      told(started, report(complete, early)),
      'status.completionTime: Invalid value: "2025-12-31T00:00:00Z": must be equal to or after `startTime`',
    );
    assert.equal(told(started, report(complete, `completionTime: ${start}`)), "accepted");
    assert.equal(
      told(started, report([], at)),
      `status.completionTime: Invalid value: "${later}": cannot set completionTime when there is no Complete=True condition`,
    );
  });

  test("must not go back", () => {
    assert.equal(
      told(report(complete, at), report([])),
      [
        `${conditions}: cannot disable the terminal Complete=True condition`,
        `${conditions}: cannot disable the SuccessCriteriaMet=True condition`,
      ].join("\n"),
    );
    assert.equal(
      told(report(complete, at), report(complete, "completionTime: 2026-01-01T00:02:00Z")),
      'status.completionTime: Invalid value: "2026-01-01T00:02:00Z": field is immutable',
    );
    assert.equal(
      told(report([], "failed: 2, succeeded: 2"), report([], "failed: 1, succeeded: 1")),
      [
        "status.failed: Invalid value: 1: cannot decrease the failed counter",
        "status.succeeded: Invalid value: 1: cannot decrease the succeeded counter",
      ].join("\n"),
    );
    assert.equal(
      told(report([], "failed: 2"), started),
      "status.failed: Invalid value: 0: cannot decrease the failed counter",
    );
    const elastic = "completionMode: Indexed, completions: 3, parallelism: 3";
    const shrinking = (spec: string): string =>
      told(report([], "succeeded: 2"), report([], "succeeded: 1"), spec);
    assert.equal(shrinking(elastic), "accepted");
    for (const spec of ["completions: 3, parallelism: 3", elastic.replace("m: 3", "m: 2")])
      assert.match(shrinking(spec), /cannot decrease the succeeded counter$/);
    const oldEnd = `${report(["Complete"], at)}`;
    assert.match(
      told(oldEnd, report(complete, at)),
      /for Job already has Complete=true conditions$/,
    );
  });

  test("must keep its start time, unless the job is suspended or has been resumed", () => {
    const refused = (value: string): string =>
      `status.startTime: Invalid value: ${value}: field is immutable for unsuspended job once set`;
    const changed = refused(`"${later}"`);
    assert.equal(told(started, "{}"), refused("null"));
    assert.equal(told(started, started.replace(start, later)), changed);
    assert.equal(told("{}", started), "accepted");
    assert.equal(told(started, "{}", "suspend: true"), "accepted");
    const resumed = `{ startTime: ${later}, conditions: [{ type: Suspended, status: "False" }] }`;
    assert.equal(told(report(["Suspended"]), resumed), "accepted");
    assert.equal(told(started, resumed), changed);
    assert.equal(told(report(["Suspended"]), `{ startTime: ${later} }`), changed);
  });

  test("must have existing indexes, in increasing order", () => {
    const indexed = "completionMode: Indexed, completions: 6, backoffLimitPerIndex: 1";
    const named = (done: string, lost: string): string =>
      told(started, report([], `completedIndexes: "${done}", failedIndexes: "${lost}"`), indexed);
    assert.equal(named("0,2-3", "1,4"), "accepted");
    assert.equal(
      named("0-2,5", "1-3"),
      'status.failedIndexes: Invalid value: "1-3": failedIndexes and completedIndexes overlap at index: 1',
    );
    assert.equal(
      named("7", "2,1"),
      [
        'status.completedIndexes: Invalid value: "7": error parsing completedIndexes: too large index: "7"',
        'status.failedIndexes: Invalid value: "2,1": error parsing failedIndexes: non-increasing order, previous: 2, current: 1',
      ].join("\n"),
    );
    assert.equal(
      told(started, report([], 'completedIndexes: "1", failedIndexes: ""')),
      [
        'status.completedIndexes: Invalid value: "1": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
      ].join("\n"),
    );
    const tooMany = report([], 'completedIndexes: "0-8"');
    assert.equal(
      told(tooMany, tooMany.replace("completed", "active: 1, completed"), indexed),
      "accepted",
    );
  });

  test("must not have an index that is both completed and failed", () => {
    const indexed = "completionMode: Indexed, completions: 6, backoffLimitPerIndex: 1";
    const named = (done: string, lost: string): string =>
      report([], `completedIndexes: "${done}", failedIndexes: "${lost}"`);
    const overlap = (index: number): RegExp =>
      new RegExp(`failedIndexes and completedIndexes overlap at index: ${index}$`);
    for (const [done, lost] of [
      ["3", "1-3"],
      ["1-3", "3"],
      ["2-5", "3"],
      ["3", "1,3"],
      ["0,3", "3"],
      ["x,3", "3"],
      ["3", "x,3"],
    ] as const)
      assert.match(told(started, named(done, lost), indexed), overlap(3));
    assert.equal(told(started, named("4-5", "1"), indexed), "accepted");
    assert.match(told(named("1", ""), named("1", "1"), indexed), overlap(1));
    assert.match(told(named("", "1"), named("1", "1"), indexed), overlap(1));
  });

  test("must have intervals of two increasing indexes", () => {
    const indexed = "completionMode: Indexed, completions: 6";
    const named = (done: string): string =>
      told(started, report([], `completedIndexes: "${done}"`), indexed);
    const at = (done: string, why: string): string =>
      `status.completedIndexes: Invalid value: "${done}": error parsing completedIndexes: ${why}`;
    assert.equal(
      named("1-2-3"),
      at(
        "1-2-3",
        "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'",
      ),
    );
    assert.equal(named("3-3"), at("3-3", "non-increasing order, previous: 3, current: 3"));
  });

  test("must have indexes only if the job has them", () => {
    assert.equal(
      told(started, report([], 'failedIndexes: "7"')),
      'status.failedIndexes: Invalid value: "7": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    );
    assert.equal(told(report([], 'completedIndexes: "1"'), started), "accepted");
  });

  test("may keep what was already invalid", () => {
    const stays = (status: string, spec = "completions: 3"): void => {
      assert.equal(told(`{ ${status} }`, `{ ${status}, succeeded: 1 }`, spec), "accepted");
    };
    const ended = (...types: readonly string[]): string =>
      `conditions: [${types.map((type) => `{ type: ${type}, status: "True" }`).join(", ")}]`;
    stays(
      `${ended("Complete", "Failed")}, active: 1, ready: 2, terminating: 1, uncountedTerminatedPods: { failed: [a] }`,
    );
    stays(ended("Complete", "FailureTarget"));
    stays(`${ended("Complete")}, startTime: ${later}, completionTime: ${start}`);
    const indexes = 'completedIndexes: "1,7", failedIndexes: "1,7"';
    stays(indexes);
    stays(indexes, "completionMode: Indexed, completions: 3, backoffLimitPerIndex: 1");
  });

  test("must list each uncounted pod once", () => {
    assert.equal(
      told(started, report([], 'uncountedTerminatedPods: { succeeded: [a, ""], failed: [b, a] }')),
      [
        'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[1]: Duplicate value: "a"',
      ].join("\n"),
    );
  });

  test("must meet the success policy", () => {
    const policy =
      "completionMode: Indexed, completions: 3, successPolicy: { rules: [{ succeededCount: 1 }] }";
    assert.match(
      told(started, report(["Complete"], at), policy),
      /cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True$/,
    );
    assert.equal(told(started, report([], "active: 1"), policy), "accepted");
  });
});
