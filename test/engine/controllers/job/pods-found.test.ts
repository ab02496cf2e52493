/** What a Job does with pods that it finds: failures, pauses, indexes, order of removal. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { PodBackoff, remainingMs } from "../../../../src/engine/controllers/job/backoff.ts";
import { judge } from "../../../../src/engine/controllers/job/failure-policy.ts";
import {
  awaitingSuccessor,
  failedIndexes,
  indexBackoffMs,
  withFailureCount,
} from "../../../../src/engine/controllers/job/index-failures.ts";
import { parseIndexes } from "../../../../src/engine/controllers/job/indexes.ts";
import { jobController } from "../../../../src/engine/controllers/job/job.ts";
import {
  finishTime,
  hasFailed,
  leastFarFirst,
} from "../../../../src/engine/controllers/job/job-pods.ts";
import { successPolicyMessage } from "../../../../src/engine/controllers/job/success-policy.ts";
import { tallyOf, verdictOf } from "../../../../src/engine/controllers/job/tally.ts";
import { bare, controllerIn } from "../../../support/bare-objects.ts";
import { Scene } from "../../../support/component-scene.ts";

const indexKey = "batch.kubernetes.io/job-completion-index";
const countKey = "batch.kubernetes.io/job-index-failure-count";
const ignoredKey = "batch.kubernetes.io/job-index-ignored-failure-count";
const time = (second: number): string =>
  `2026-01-01T00:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}Z`;

function job(spec: object = {}, status: object = {}): KubeObject<"Job"> {
  return bare("Job", "once", { spec: { template: { spec: {} }, ...spec }, status });
}

interface PodParts {
  readonly phase?: string;
  readonly annotations?: object;
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  /** The second at which each container finished. */
  readonly finished?: readonly (number | undefined)[];
}

function pod(name: string, parts: PodParts = {}): KubeObject<"Pod"> {
  const containerStatuses = (parts.finished ?? []).map((second, at) => ({
    name: `c${at}`,
    state:
      second === undefined
        ? { running: {} }
        : { terminated: { finishedAt: time(second), exitCode: 1 } },
  }));
  return bare("Pod", name, {
    metadata: {
      finalizers: ["batch.kubernetes.io/job-tracking"],
      annotations: parts.annotations,
      ...parts.metadata,
    },
    spec: { nodeName: "a", containers: [], ...parts.spec },
    status: { phase: parts.phase ?? "Failed", containerStatuses, ...parts.status },
  });
}

suite("the time when a Job's pod ended", () => {
  const ready = (status: string) => ({
    conditions: [{ type: "Ready", status, lastTransitionTime: time(30) }],
  });

  test("is when its last container finished", () => {
    assert.equal(finishTime(pod("p", { finished: [10, 20], status: ready("False") })), 20_000);
  });

  test("is when its sidecar finished, which stops after the others", () => {
    const sidecar = (state: object): object => ({
      initContainerStatuses: [{ name: "side", state }],
      ...ready("False"),
    });
    const stopped = sidecar({ terminated: { finishedAt: time(25), exitCode: 0 } });
    assert.equal(finishTime(pod("p", { finished: [20], status: stopped })), 25_000);
    const running = sidecar({ running: {} });
    assert.equal(finishTime(pod("p", { finished: [20], status: running })), 30_000);
  });

  test("is when its init containers finished, if another container has not", () => {
    const initContainerStatuses = [
      { name: "init", state: { terminated: { finishedAt: time(12), exitCode: 1 } } },
    ];
    const waiting = { initContainerStatuses, ...ready("False") };
    assert.equal(finishTime(pod("p", { finished: [undefined], status: waiting })), 12_000);
    const deleted = { deletionTimestamp: time(80), deletionGracePeriodSeconds: 30 };
    const running = { initContainerStatuses, ...ready("True") };
    const evicted = pod("p", { finished: [undefined], status: running, metadata: deleted });
    assert.equal(finishTime(evicted), 12_000);
  });

  test("is when it was no longer ready, if a container has not finished", () => {
    assert.equal(
      finishTime(pod("p", { finished: [10, undefined], status: ready("False") })),
      30_000,
    );
    assert.equal(finishTime(pod("p", { status: ready("True") })), 0);
  });

  test("is its deletion without the grace period, or else its creation", () => {
    const deleted = { deletionTimestamp: time(50), deletionGracePeriodSeconds: 30 };
    assert.equal(finishTime(pod("p", { metadata: deleted })), 20_000);
    assert.equal(finishTime(pod("p", { metadata: { creationTimestamp: time(5) } })), 5000);
  });
});

suite("pauses of a Job", () => {
  const failedAt = (...seconds: readonly number[]) =>
    seconds.map((second) => pod(`f${second}`, { finished: [second] }));
  const succeededAt = (second: number) => [pod("s", { phase: "Succeeded", finished: [second] })];

  test("double from ten seconds to ten minutes, counted from the last failure", () => {
    const waits = [0, 1, 2, 3, 6, 7, 8].map((failures) =>
      remainingMs({ failures, lastFailureAt: 1000 }, 1000),
    );
    assert.deepEqual(waits, [0, 10_000, 20_000, 40_000, 320_000, 600_000, 600_000]);
    assert.equal(remainingMs({ failures: 1, lastFailureAt: 1000 }, 8000), 3000);
    assert.equal(remainingMs({ failures: 1, lastFailureAt: 1000 }, 60_000), 0);
  });

  test("count failures since the last success, and begin at the last failure", () => {
    const backoff = new PodBackoff();
    const first = backoff.after("k", [], failedAt(10, 30));
    assert.deepEqual(first, { failures: 2, lastFailureAt: 30_000 });
    assert.deepEqual(backoff.after("k", [], []), { failures: 0, lastFailureAt: 0 });
    backoff.keep("k", first);
    assert.deepEqual(backoff.after("k", [], failedAt(40)), { failures: 3, lastFailureAt: 40_000 });
    assert.deepEqual(backoff.after("k", [], failedAt(20)), { failures: 3, lastFailureAt: 20_000 });
    assert.equal(backoff.after("k", [], []).failures, 2);
    assert.equal(backoff.after("k", succeededAt(50), []).failures, 0);
    assert.equal(backoff.after("k", succeededAt(35), failedAt(32, 35, 40)).failures, 1);
    backoff.forget("k");
    assert.equal(backoff.after("k", [], []).failures, 0);
  });
});

suite("what counts as a failure", () => {
  const leaving = { metadata: { deletionTimestamp: time(1) } };

  test("a terminating pod, unless only failed ones are replaced", () => {
    const running = pod("p", { phase: "Running", ...leaving });
    assert.ok(hasFailed(job(), running));
    assert.ok(!hasFailed(job({ podReplacementPolicy: "Failed" }), running));
    assert.ok(!hasFailed(job({ podFailurePolicy: { rules: [] } }), running));
    assert.ok(!hasFailed(job(), pod("p", { phase: "Succeeded", ...leaving })));
    assert.ok(!hasFailed(job(), pod("p", { phase: "Running" })));
  });

  const rule = (action: string, more: object) =>
    job({ podFailurePolicy: { rules: [{ action, ...more }] } });
  const exited = (exitCode: number, name = "main", init = false) => {
    const statuses = [{ name, state: { terminated: { exitCode } } }];
    return pod("p", {
      status: init
        ? { containerStatuses: [], initContainerStatuses: statuses }
        : { containerStatuses: statuses },
    });
  };

  test("exit codes are checked for all containers, or for one; 0 does not count", () => {
    const on = (onExitCodes: object, found: KubeObject<"Pod">) =>
      judge(rule("FailJob", { onExitCodes }), found).failsJob;
    const text = (name: string, code: number) =>
      `Container ${name} for pod default/p failed with exit code ${code} matching FailJob rule at index 0`;
    assert.equal(on({ operator: "In", values: [3] }, exited(3)), text("main", 3));
    assert.equal(on({ operator: "In", values: [3] }, exited(3, "init", true)), text("init", 3));
    assert.equal(on({ operator: "In", values: [3] }, exited(4)), undefined);
    assert.equal(on({ operator: "NotIn", values: [3] }, exited(4)), text("main", 4));
    assert.equal(on({ operator: "NotIn", values: [3] }, exited(0)), undefined);
    assert.equal(
      on({ containerName: "main", operator: "In", values: [3] }, exited(3)),
      text("main", 3),
    );
    assert.equal(
      on({ containerName: "main", operator: "In", values: [3] }, exited(3, "side")),
      undefined,
    );
  });

  test("conditions are matched by type and status, which defaults to True", () => {
    const on = (pattern: object, status = "True") => {
      const conditions = [{ type: "DisruptionTarget", status }];
      const given = rule("FailJob", { onPodConditions: [pattern] });
      return judge(given, pod("p", { status: { conditions } })).failsJob;
    };
    const text = "Pod default/p has condition DisruptionTarget matching FailJob rule at index 0";
    assert.equal(on({ type: "DisruptionTarget", status: "True" }), text);
    assert.equal(on({ type: "DisruptionTarget" }), text);
    assert.equal(on({ type: "DisruptionTarget", status: "False" }), undefined);
    assert.equal(on({ type: "DisruptionTarget", status: "False" }, "False"), text);
    assert.equal(on({ type: "Ready" }), undefined);
    const both = ["ConfigIssue", "DisruptionTarget"].map((type) => ({ type, status: "True" }));
    const given = rule("FailJob", { onPodConditions: both.toReversed() });
    assert.equal(
      judge(given, pod("p", { status: { conditions: both } })).failsJob,
      text.replace("DisruptionTarget", "ConfigIssue"),
    );
  });

  test("the first matching rule decides", () => {
    const onExitCodes = { operator: "In", values: [3] };
    const rules = [
      { action: "FailJob", onExitCodes: { operator: "In", values: [4] } },
      { action: "Ignore", onExitCodes },
      { action: "FailIndex", onExitCodes },
    ];
    const of = (given: readonly object[], code = 3) =>
      judge(job({ podFailurePolicy: { rules: given } }), exited(code));
    assert.deepEqual(of(rules), { isCounted: false, failsIndex: false });
    assert.deepEqual(of(rules.slice(2)), { isCounted: true, failsIndex: true });
    assert.deepEqual(of([{ action: "Count", onExitCodes }, ...rules]), {
      isCounted: true,
      failsIndex: false,
    });
    assert.deepEqual(of(rules, 5), { isCounted: true, failsIndex: false });
  });

  test("with OnFailure the restarts of unfinished pods count", () => {
    const spec = { template: { spec: { restartPolicy: "OnFailure" } } };
    const restarted = (phase: string, ...counts: readonly number[]) => {
      const [first = 0, ...others] = counts.map((restartCount) => ({ restartCount }));
      return pod("p", {
        phase,
        status: { initContainerStatuses: [first], containerStatuses: others },
      });
    };
    const reason = (limit: number, given: object, ...pods: readonly KubeObject<"Pod">[]) => {
      const found = job({ ...given, backoffLimit: limit });
      return verdictOf(found, pods, tallyOf(found, pods, new Set()), 0)?.reason;
    };
    assert.equal(reason(3, spec, restarted("Running", 1, 2)), "BackoffLimitExceeded");
    assert.equal(reason(3, spec, restarted("Pending", 1, 2)), "BackoffLimitExceeded");
    assert.equal(reason(4, spec, restarted("Running", 1, 2)), undefined);
    assert.equal(reason(0, spec, restarted("Running", 0, 1)), "BackoffLimitExceeded");
    assert.equal(reason(0, spec, restarted("Running", 0, 0)), undefined);
    assert.equal(reason(3, spec, restarted("Succeeded", 5, 5)), undefined);
    assert.equal(reason(3, {}, restarted("Running", 5, 5)), undefined);
  });
});

suite("failures of an index", () => {
  const perIndex = job({ completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 2 });
  const at = (name: string, index: number, count: number, more: PodParts = {}) =>
    pod(name, { annotations: { [indexKey]: String(index), [countKey]: String(count) }, ...more });

  test("are too many when the limit is reached; recorded ones stay", () => {
    assert.deepEqual([...failedIndexes(perIndex, [at("a", 0, 1), at("b", 1, 2)])], [1]);
    const noted = job({ ...perIndex.spec }, { failedIndexes: "2" });
    assert.deepEqual([...failedIndexes(noted, [])], [2]);
    const counted = at("c", 0, 2, { metadata: { finalizers: [] } });
    assert.deepEqual([...failedIndexes(perIndex, [counted, at("d", 7, 2)])], []);
    assert.deepEqual([...failedIndexes(job({ completions: 3 }), [at("a", 0, 9)])], []);
  });

  test("are kept on the last failed pod until its successor exists", () => {
    const waiting = (settled: readonly number[], ...pods: readonly KubeObject<"Pod">[]) =>
      [...awaitingSuccessor(perIndex, pods, new Set(settled))].map(
        ([i, p]) => `${i} ${p.metadata.name}`,
      );
    assert.deepEqual(waiting([], at("a", 0, 0), at("b", 0, 1), at("c", 1, 0)), ["0 b", "1 c"]);
    assert.deepEqual(waiting([], at("b", 0, 1), at("a", 0, 0)), ["0 b"]);
    assert.deepEqual(
      waiting([], at("a", 0, 1, { finished: [20] }), at("b", 0, 1, { finished: [10] })),
      ["0 a"],
    );
    assert.deepEqual(waiting([1], at("a", 1, 0), at("r", 0, 0, { phase: "Running" })), []);
  });

  test("delay its next pod more each time", () => {
    assert.equal(indexBackoffMs(undefined, 0), 0);
    assert.equal(indexBackoffMs(at("a", 0, 0, { finished: [5] }), 5000), 10_000);
    const ignored = { [indexKey]: "0", [countKey]: "1", [ignoredKey]: "1" };
    assert.equal(indexBackoffMs(pod("a", { annotations: ignored, finished: [5] }), 5000), 40_000);
  });

  test("are passed on, ignored ones separately", () => {
    const ignoring = job({
      ...perIndex.spec,
      podFailurePolicy: {
        rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }],
      },
    });
    const next = (predecessor: KubeObject<"Pod"> | undefined) =>
      withFailureCount(
        { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [] } },
        ignoring,
        predecessor,
      ).metadata.annotations;
    assert.deepEqual(next(undefined), { [countKey]: "0" });
    assert.deepEqual(next(at("a", 0, 1)), { [countKey]: "2" });
    const conditions = [{ type: "DisruptionTarget", status: "True" }];
    const disrupted = at("a", 0, 1, { status: { conditions } });
    assert.deepEqual(next(disrupted), { [countKey]: "1", [ignoredKey]: "1" });
    const broken = pod("a", { annotations: { [indexKey]: "0", [countKey]: "many" } });
    assert.deepEqual(next(broken), { [countKey]: "1" });
  });
});

suite("success before all is done", () => {
  const met = (rules: readonly object[], succeeded: readonly number[]) =>
    successPolicyMessage(job({ completions: 5, successPolicy: { rules } }), new Set(succeeded));

  test("names the first rule that is met", () => {
    const rules = [{ succeededIndexes: "0-1" }, { succeededCount: 2 }];
    assert.equal(met(rules, [0]), undefined);
    assert.equal(met(rules, [0, 1]), "Matched rules at index 0");
    assert.equal(met(rules, [3, 4]), "Matched rules at index 1");
    assert.equal(met([{ succeededIndexes: "7", succeededCount: 0 }], [0]), undefined);
    assert.equal(met([{ succeededIndexes: "0-3", succeededCount: 2 }], [0, 4]), undefined);
    assert.equal(
      met([{ succeededIndexes: "0-3", succeededCount: 2 }], [0, 3]),
      "Matched rules at index 0",
    );
    assert.equal(met([{ succeededCount: 0 }], []), undefined);
    assert.deepEqual([...parseIndexes("0-1", 5)], [0, 1]);
  });
});

suite("surplus pods of a Job", () => {
  test("are removed by progress: node, phase, readiness; then by restarts and age", () => {
    const ready = (second: number) => ({
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: time(second) }],
    });
    const restarts = (restartCount: number) => ({
      status: { containerStatuses: [{ name: "main", restartCount, state: { running: {} } }] },
    });
    const made = (second: number) => ({ metadata: { creationTimestamp: time(second) } });
    const pods = [
      pod("ready long", { phase: "Running", status: ready(1) }),
      pod("ready", { phase: "Running", status: ready(2) }),
      pod("running", { phase: "Running" }),
      pod("restarted", { phase: "Running", ...restarts(1) }),
      pod("restarted more", { phase: "Running", ...restarts(2) }),
      pod("silent", { phase: "Unknown" }),
      pod("old", { phase: "Pending", ...made(1) }),
      pod("young", { phase: "Pending", ...made(2) }),
      pod("young b", { phase: "Pending", ...made(2) }),
      pod("without node", { phase: "Pending", spec: { nodeName: undefined } }),
    ];
    const order = [
      ...["without node", "young", "young b", "old", "silent"],
      ...["restarted more", "restarted", "running", "ready", "ready long"],
    ];
    assert.deepEqual(
      leastFarFirst(pods).map(({ metadata }) => metadata.name),
      order,
    );
    assert.deepEqual(
      leastFarFirst([...pods].reverse()).map(({ metadata }) => metadata.name),
      order,
    );
  });
});

suite("pods that a Job controller finds", () => {
  const labels = { app: "once" };
  const owner = (spec: object = {}, status: object = {}): KubeObject<"Job"> =>
    job(
      {
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { restartPolicy: "Never", containers: [{ name: "main", image: "app" }] },
        },
        ...spec,
      },
      status,
    );
  const owned = (name: string, parts: PodParts = {}): KubeObject<"Pod"> =>
    pod(name, {
      ...parts,
      metadata: { labels, ownerReferences: [controllerIn(owner())], ...parts.metadata },
    });
  const finalizersIn = (scene: Scene, name: string) =>
    scene.get("Pod", "default", name)?.metadata.finalizers;
  const complete = { conditions: [{ type: "Complete", status: "True" }] };

  test("lose the finalizer if no Job counts them: without a Job, of a deleted one, and of a finished one", () => {
    const tracked = ["batch.kubernetes.io/job-tracking"];
    const running = { phase: "Running" };
    const lost = pod("lost", {
      ...running,
      metadata: { finalizers: tracked, labels: { app: "x" } },
    });
    assert.deepEqual(finalizersIn(new Scene([jobController], [lost]).run(1000), "lost"), undefined);
    const gone = new Scene([jobController], [owned("gone", running)]).run(1000);
    assert.deepEqual(finalizersIn(gone, "gone"), undefined);
    const over = new Scene([jobController], [owner({}, complete), owned("late", running)]).run(
      1000,
    );
    assert.deepEqual(finalizersIn(over, "late"), undefined);
    const foreign = { ...controllerIn(owner()), apiVersion: "example/v1", uid: "other" };
    const theirs = owned("theirs", {
      ...running,
      metadata: { labels, ownerReferences: [foreign] },
    });
    const left = new Scene(
      [jobController],
      [{ ...theirs, metadata: { ...theirs.metadata, finalizers: tracked } }],
    );
    assert.deepEqual(finalizersIn(left.run(1000), "theirs"), tracked);
    const counted = new Scene([jobController], [owner(), owned("mine", running)]).run(1000);
    assert.deepEqual(finalizersIn(counted, "mine"), tracked);
  });

  test("lose the finalizer when their Job is marked as finished", () => {
    const scene = new Scene([jobController], [owner(), owned("mine", { phase: "Running" })]).run(
      1000,
    );
    const found = scene.get("Job", "default", "once");
    assert.ok(found !== undefined);
    scene.runtime.api.restore({ ...found, status: { ...found.status, ...complete } });
    assert.deepEqual(finalizersIn(scene.run(2000), "mine"), undefined);
  });

  test("are surplus if two have the same index, or one that the Job does not have", () => {
    const indexed = { completionMode: "Indexed", completions: 2, parallelism: 2 };
    const at = (name: string, index: number, phase: string) =>
      owned(name, { phase, annotations: { [indexKey]: String(index) } });
    const scene = new Scene(
      [jobController],
      [
        owner(indexed),
        at("first", 0, "Running"),
        at("second", 0, "Pending"),
        at("other", 1, "Running"),
        at("beyond", 2, "Running"),
      ],
    ).run(100);
    const deleted = scene.events.map((line) => line.replace("Job/default/once ", ""));
    assert.deepEqual(deleted.toSorted(), [
      "Normal SuccessfulDelete Deleted pod: beyond",
      "Normal SuccessfulDelete Deleted pod: second",
    ]);
  });

  test("that failed count once they have lost the finalizer, and not while they wait for a successor", () => {
    const perIndex = { completionMode: "Indexed", completions: 1, backoffLimitPerIndex: 1 };
    const noted = owner(
      { ...perIndex, parallelism: 0 },
      { uncountedTerminatedPods: { failed: ["first"] } },
    );
    const first = owned("first", { finished: [0], annotations: { [indexKey]: "0" } });
    const scene = new Scene([jobController], [noted, first]).run(100);
    const { failed, uncountedTerminatedPods } = scene.get("Job", "default", "once")?.status ?? {};
    assert.deepEqual([failed, uncountedTerminatedPods], [undefined, { failed: ["first"] }]);
  });

  test("that failed are counted and delay new ones, even if one keeps its finalizer for now", () => {
    const failed = ["first", "second"].map((name) => owned(name, { finished: [0] }));
    const conflictOnWrite = { component: "job-controller", write: 2 };
    const scene = new Scene([jobController], [owner({ completions: 2 }), ...failed], {
      fault: { conflictOnWrite },
    }).run(500);
    const counts = (): unknown => {
      const { failed: known, uncountedTerminatedPods } =
        scene.get("Job", "default", "once")?.status ?? {};
      return [known, uncountedTerminatedPods?.failed?.length];
    };
    assert.deepEqual(counts(), [1, 1]);
    scene.run(15_000);
    assert.deepEqual(counts(), [2, undefined]);
    const made = (): boolean => scene.events.some((line) => line.includes("SuccessfulCreate"));
    assert.ok(!made());
    scene.run(10_000);
    assert.ok(made());
  });

  test("that still run when a success policy is met are deleted, and do not count as failed", () => {
    const successPolicy = { rules: [{ succeededIndexes: "0" }] };
    const indexed = { completionMode: "Indexed", completions: 2, parallelism: 2, successPolicy };
    const at = (name: string, index: number, phase: string) =>
      owned(name, {
        phase,
        annotations: { [indexKey]: String(index) },
        spec: { terminationGracePeriodSeconds: 30 },
      });
    const scene = new Scene(
      [jobController],
      [owner(indexed), at("done", 0, "Succeeded"), at("other", 1, "Running")],
    ).run(5000);
    const status = () => {
      const { conditions, failed, succeeded, terminating } =
        scene.get("Job", "default", "once")?.status ?? {};
      return [conditions?.map(({ type }) => type), failed, succeeded, terminating];
    };
    assert.deepEqual(status(), [["SuccessCriteriaMet"], undefined, 1, 1]);
    scene.runtime.api.delete("Pod", "default", "other", { gracePeriodSeconds: 0 });
    scene.run(5000);
    assert.deepEqual(status(), [["SuccessCriteriaMet", "Complete"], undefined, 1, 0]);
  });

  test("of an Indexed Job do not count without a valid index", () => {
    const indexed = { completionMode: "Indexed", completions: 2, backoffLimit: 0 };
    const at = (name: string, index: string) => owned(name, { annotations: { [indexKey]: index } });
    const failing = (...pods: readonly KubeObject<"Pod">[]) => {
      const found = owner(indexed);
      return verdictOf(found, pods, tallyOf(found, pods, new Set()), 0)?.reason;
    };
    assert.equal(failing(owned("none"), at("beyond", "2"), at("odd", "x")), undefined);
    assert.equal(failing(at("second", "1")), "BackoffLimitExceeded");
  });

  test("that succeeded no longer count if an Indexed Job gets fewer completions", () => {
    const found = (completedIndexes: string) =>
      new Scene(
        [jobController],
        [
          owner(
            { completionMode: "Indexed", completions: 2, parallelism: 2 },
            { completedIndexes, succeeded: 3 },
          ),
        ],
      )
        .run(1000)
        .get("Job", "default", "once")?.status;
    const { completedIndexes, succeeded, active } = found("0,5,6") ?? {};
    assert.deepEqual([completedIndexes, succeeded, active], ["0", 1, 1]);
    const none = found("4-6") ?? {};
    assert.deepEqual(
      [none.completedIndexes, none.succeeded, none.active],
      [undefined, undefined, 2],
    );
  });

  test("that succeeded beyond the completions are reported", () => {
    const told = (...names: readonly string[]) =>
      new Scene(
        [jobController],
        [owner(), ...names.map((name) => owned(name, { phase: "Succeeded", finished: [1] }))],
      )
        .run(5000)
        .events.map((line) => line.split(" ")[2]);
    assert.deepEqual(told("a"), ["Completed"]);
    assert.deepEqual(told("a", "b"), ["TooManySucceededPods", "Completed"]);
  });
});
