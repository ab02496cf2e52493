/** Jobs: completions, failures, indexes, suspension, and that each pod is counted once. */
import assert from "node:assert/strict";
import { formatIndexes, parseIndexes } from "../../../src/engine/controllers/job/indexes.ts";
import type { KubernetesVersion, Step } from "../../../src/engine/scenario.ts";
import { check } from "../../support/check.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { StorageRun } from "../../support/storage-run.ts";
import { ends, oneNode } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };

function job(mark: string, spec: string): string {
  return `
    kind: Job
    metadata: {name: once}          #=> ${mark}
    spec: {${spec}}`;
}

const lasting =
  "template: {spec: {restartPolicy: Never, containers: [{name: main, image: app, command: [sleep, '900']}]}}";

suite("Job controller", () => {
  test("counts each pod once, whatever crashes in between and however late it is seen", () => {
    check(job("Complete 6 succeeded, 0 failed", `completions: 6, parallelism: 3, ${ends(0)}`), {
      cluster: oneNode,
    });
  });

  test("counts the failures of each index once, whatever crashes in between", () => {
    const indexed = "completionMode: Indexed, completions: 2, parallelism: 2";
    check(job("Failed 0 succeeded, 2 failed", `${indexed}, backoffLimitPerIndex: 0, ${ends(1)}`), {
      cluster: oneNode,
    });
  });

  test("is complete after the requested number of successes, with no more pods than parallelism at a time", () => {
    const played = play(
      job("Complete 3 succeeded, 0 failed", `completions: 3, parallelism: 2, ${ends(0)}`),
    );
    assert.deepEqual(played.events("Completed"), ["Job completed"]);
    const { status } = played.get("Job", "once") ?? {};
    assert.deepEqual(
      status?.conditions?.map((c) => [c.type, c.reason, c.message]),
      [
        ["SuccessCriteriaMet", "CompletionsReached", "Reached expected number of succeeded pods"],
        ["Complete", "CompletionsReached", "Reached expected number of succeeded pods"],
      ],
    );
    assert.deepEqual(status?.uncountedTerminatedPods, {});
    for (const pod of played.list("Pod")) assert.equal(pod.metadata.finalizers, undefined);
  });

  test("fails when its pods fail more often than backoffLimit, with growing pauses", () => {
    const played = play(job("Failed 0 succeeded, 3 failed", `backoffLimit: 2, ${ends(1)}`), {
      steps: [{ type: "advance", ms: 60_000 }],
    });
    assert.deepEqual(played.events("BackoffLimitExceeded"), [
      "Job has reached the specified backoff limit",
    ]);
    const made = played.simulation.trace.entries.filter(
      (e) => e.type === "event" && e.reason === "SuccessfulCreate",
    );
    const [first = 0, second = 0, third = 0] = made.map((e) => e.at);
    assert.ok(second - first >= 10_000 && third - second >= 20_000);
  });

  test("a failed pod beside a ready one counts only once it may be replaced, except in 1.34 and 1.35", () => {
    const failed = { subresource: "status", patch: { status: { phase: "Failed" } } } as const;
    // Makes the kubelet sync the pod before it corrects the phase.
    const touched = { patch: { metadata: { annotations: { seen: "yes" } } } };
    const seen = (version: KubernetesVersion): readonly unknown[] => {
      const run = new StorageRun({ version });
      run.apply(job("", `completions: 2, parallelism: 2, ${lasting}`)).advance(10);
      const [pod] = run.list("Pod");
      const name = pod?.metadata.name ?? "";
      for (const change of [failed, touched])
        run.step({ type: "patch", object: { kind: "Pod", name }, ...change });
      const counts = [5, 15].map((seconds) => {
        const { active, ready, failed } = run.advance(seconds).get("Job", "once")?.status ?? {};
        return [active, ready, failed];
      });
      return [...counts, run.get("Pod", name)?.metadata.finalizers];
    };
    const late = [[2, 2, undefined], [2, 2, 1], undefined];
    const atOnce = [[1, 1, 1], [2, 2, 1], undefined];
    assert.deepEqual((["1.32", "1.33", "1.34", "1.35", "1.36"] as const).map(seen), [
      late,
      late,
      atOnce,
      atOnce,
      late,
    ]);
  });

  test("a failure policy fails the Job at once, or ignores the failure", () => {
    const rule = (action: string): string =>
      `podFailurePolicy: {rules: [{action: ${action}, onExitCodes: {operator: In, values: [3]}}]}`;
    const failed = play(job("Failed 0 succeeded, 1 failed", `${rule("FailJob")}, ${ends(3)}`));
    const [message] = failed.events("PodFailurePolicy");
    assert.match(
      message ?? "",
      /^Container main for pod default\/once-\S+ failed with exit code 3 matching FailJob rule at index 0$/,
    );
    const ignored = job(
      "Active 0 succeeded, 0 failed",
      `backoffLimit: 0, ${rule("Ignore")}, ${ends(3)}`,
    );
    assert.equal(play(ignored).names("Pod").length > 1, true);
  });

  test("ends at its deadline", () => {
    const played = play(
      job("Failed 0 succeeded, 1 failed", `activeDeadlineSeconds: 30, ${lasting}`),
      {
        steps: [{ type: "advance", ms: 60_000 }],
      },
    );
    assert.deepEqual(played.events("DeadlineExceeded"), [
      "Job was active longer than specified deadline",
    ]);
  });

  test("ends at its deadline even if its pods are refused, and without pods if the deadline is 0", () => {
    const quota = `
      kind: ResourceQuota
      metadata: {name: none}
      spec: {hard: {pods: "0"}}
      ---`;
    const refused = play(
      `${quota}${job("Failed 0 succeeded, 0 failed", `activeDeadlineSeconds: 100, ${lasting}`)}`,
      { steps: [{ type: "advance", ms: 110_000 }] },
    );
    const { entries } = refused.simulation.trace;
    const ended = entries.find((e) => e.type === "event" && e.reason === "DeadlineExceeded");
    assert.ok((ended?.at ?? 0) < 105_000);
    const hasty = play(job("Failed 0 succeeded, 0 failed", `activeDeadlineSeconds: 0, ${lasting}`));
    assert.deepEqual(hasty.events("SuccessfulCreate"), []);
  });

  test("many Jobs whose pods are refused retry independently", () => {
    const quota = "{kind: ResourceQuota, metadata: {name: none}, spec: {hard: {pods: '0'}}}";
    const jobs = Array.from(
      { length: 130 },
      (_, i) => `{kind: Job, metadata: {name: j${i}}, spec: {${lasting}}}`,
    );
    const played = play([quota, ...jobs].join("\n---\n"));
    const tries = played.simulation.trace.entries.flatMap((e) =>
      e.type === "event" && e.reason === "FailedCreate" ? [e] : [],
    );
    const fourthAfterMs = jobs.map((_, i) => {
      const [first, , , fourth] = tries.filter((e) => e.about === `Job/default/j${i}`);
      return (fourth?.at ?? Number.NaN) - (first?.at ?? 0);
    });
    assert.ok(Math.max(...fourthAfterMs) < 8000);
  });

  test("a suspended Job has no pods until it is resumed", () => {
    const resume: Step = {
      type: "patch",
      object: { kind: "Job", name: "once" },
      patch: { spec: { suspend: false } },
    };
    const suspended = play(job("Suspended 0 succeeded, 0 failed", `suspend: true, ${ends(0)}`));
    assert.deepEqual(suspended.names("Pod"), []);
    assert.deepEqual(suspended.events("Suspended"), ["Job suspended"]);
    const resumed = play(job("Complete 1 succeeded, 0 failed", `suspend: true, ${ends(0)}`), {
      steps: [resume, settle],
    });
    assert.deepEqual(resumed.events("Resumed"), ["Job resumed"]);
  });

  testWithFaults("pods that a suspension or lower parallelism removes have not failed", () => {
    const runs = `parallelism: 3, ${lasting}`;
    const patch = (spec: Readonly<Record<string, number | boolean>>): Step => ({
      type: "patch",
      object: { kind: "Job", name: "once" },
      patch: { spec },
    });
    const suspended = play(job("Suspended 0 succeeded, 0 failed", runs), {
      steps: [settle, patch({ suspend: true }), settle],
    });
    assert.deepEqual(suspended.names("Pod"), []);
    assert.equal(suspended.get("Job", "once")?.status?.startTime, undefined);
    const older = play(job("Suspended 0 succeeded, 0 failed", runs), {
      version: "1.35",
      steps: [settle, patch({ suspend: true }), settle],
    });
    assert.ok(older.get("Job", "once")?.status?.startTime !== undefined);
    const narrowed = play(job("Active 0 succeeded, 0 failed", runs), {
      steps: [settle, patch({ parallelism: 1 }), settle],
    });
    assert.equal(narrowed.names("Pod").length, 1);
    assert.equal(narrowed.get("Job", "once")?.status?.active, 1);
  });

  test("a suspended Job's resources and placement may be changed, those of a Job with pods may not", () => {
    const change = (spec: Extract<Step, { type: "patch" }>["patch"]): Step => ({
      type: "patch",
      object: { kind: "Job", name: "once" },
      patch: { spec },
    });
    const main = { name: "main", image: "app", command: ["sleep", "900"] };
    const containers = [{ ...main, resources: { requests: { cpu: "1m" } } }];
    const moved = change({ template: { spec: { nodeSelector: { disk: "fast" }, containers } } });
    const held = play(job("Suspended 0 succeeded, 0 failed", lasting), {
      steps: [settle, change({ suspend: true }), settle, moved],
    });
    const spec = held.get("Job", "once")?.spec?.template.spec;
    assert.deepEqual(spec?.nodeSelector, { disk: "fast" });
    assert.deepEqual(spec?.containers[0]?.resources, { requests: { cpu: "1m" } });
    const running = play(job("Active 0 succeeded, 0 failed", lasting), { steps: [settle, moved] });
    assert.equal(running.get("Job", "once")?.spec?.template.spec?.nodeSelector, undefined);
  });

  test("a Job that another controller manages is left alone", () => {
    const managed = "managedBy: example.com/queue";
    const played = play(job("Active 0 succeeded, 0 failed", `${managed}, ${ends(0)}`));
    assert.deepEqual(played.names("Pod"), []);
  });

  test("an indexed Job gives each pod its index", () => {
    const played = play(
      job(
        "Complete 3 succeeded, 0 failed",
        `completionMode: Indexed, completions: 3, parallelism: 3, ${ends(0)}`,
      ),
    );
    assert.equal(played.get("Job", "once")?.status?.completedIndexes, "0-2");
    const [pod] = played.list("Pod");
    assert.equal(pod?.spec.hostname, "once-0");
    assert.equal(pod?.metadata.annotations?.["batch.kubernetes.io/job-completion-index"], "0");
    assert.deepEqual(pod?.spec.containers[0]?.env?.at(-1)?.name, "JOB_COMPLETION_INDEX");
  });

  test("the names of its pods contain their index, however long the Job's name is", () => {
    const name = "x".repeat(60);
    const fixture = job("gone", `completionMode: Indexed, completions: 2, ${ends(0)}`)
      .replace("once", name)
      .replace(/#=>.*/, "");
    const names = play(fixture).names("Pod");
    assert.deepEqual(
      names.map((full) => full.slice(0, -5)),
      [0, 1].map((index) => `${"x".repeat(55)}-${index}-`),
    );
  });

  test("every container of an indexed Job gets the index, unless it sets the variable itself", () => {
    const init = "initContainers: [{name: prepare, image: app, command: [sh, -c, exit 0]}]";
    const own = "env: [{name: JOB_COMPLETION_INDEX, value: mine}]";
    const [pod] = play(
      job("Complete 1 succeeded, 0 failed", `completionMode: Indexed, completions: 1, ${ends(0)}`)
        .replace("containers:", `${init}, containers:`)
        .replace("image: app,", `$& ${own},`),
    ).list("Pod");
    const variables = [...(pod?.spec.initContainers ?? []), ...(pod?.spec.containers ?? [])].map(
      ({ name, env = [] }) => `${name} ${env.map((e) => `${e.name}=${e.value ?? "its index"}`)}`,
    );
    assert.deepEqual(variables, [
      "prepare JOB_COMPLETION_INDEX=mine",
      "main FAKE_EXIT=0@1,JOB_COMPLETION_INDEX=its index",
    ]);
  });

  test("failures can be limited per index, with separate pauses", () => {
    const played = play(
      job(
        "Failed 0 succeeded, 4 failed",
        `completionMode: Indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 1, ${ends(1)}`,
      ),
      { steps: [{ type: "advance", ms: 60_000 }] },
    );
    assert.deepEqual(played.events("FailedIndexes"), ["Job has failed indexes"]);
    assert.equal(played.get("Job", "once")?.status?.failedIndexes, "0,1");
    const counts = played
      .list("Pod")
      .map((pod) => pod.metadata.annotations?.["batch.kubernetes.io/job-index-failure-count"]);
    assert.deepEqual(counts.sort(), ["0", "0", "1", "1"]);
  });

  test("the only missing index is retried when its pause is over", () => {
    const once = "completionMode: Indexed, completions: 1, backoffLimitPerIndex: 1";
    const played = play(job("Failed 0 succeeded, 2 failed", `${once}, ${ends(1)}`));
    assert.deepEqual(played.events("FailedIndexes"), ["Job has failed indexes"]);
  });

  test("too many failed indexes, or a FailIndex policy, end it", () => {
    const indexed = "completionMode: Indexed, completions: 3, backoffLimitPerIndex: 0";
    const many = play(
      job("Failed 0 succeeded, 2 failed", `${indexed}, maxFailedIndexes: 1, ${ends(1)}`),
    );
    assert.deepEqual(many.events("MaxFailedIndexesExceeded"), [
      "Job has exceeded the specified maximal number of failed indexes",
    ]);
    const rule =
      "podFailurePolicy: {rules: [{action: FailIndex, onExitCodes: {operator: In, values: [3]}}]}";
    const policy = "completionMode: Indexed, completions: 1, backoffLimitPerIndex: 5";
    const failed = play(job("Failed 0 succeeded, 1 failed", `${policy}, ${rule}, ${ends(3)}`));
    assert.deepEqual(failed.events("FailedIndexes"), ["Job has failed indexes"]);
  });

  test("a success policy ends it before all indexes are done", () => {
    const rules = (rule: string): string => `successPolicy: {rules: [{${rule}}]}`;
    const indexed = "completionMode: Indexed, completions: 5, parallelism: 1";
    for (const [rule, end] of [
      ["succeededCount: 2", "Complete 2 succeeded, 0 failed"],
      ["succeededIndexes: '0,2'", "Complete 3 succeeded, 0 failed"],
      ["succeededIndexes: '1-4', succeededCount: 1", "Complete 2 succeeded, 0 failed"],
      ["succeededIndexes: '0,2-4', succeededCount: 2", "Complete 3 succeeded, 0 failed"],
    ] as const) {
      const played = play(job(end, `${indexed}, ${rules(rule)}, ${ends(0)}`));
      const conditions = played.get("Job", "once")?.status?.conditions ?? [];
      assert.deepEqual(
        conditions.map((c) => [c.type, c.reason, c.message]),
        [
          ["SuccessCriteriaMet", "SuccessPolicy", "Matched rules at index 0"],
          ["Complete", "SuccessPolicy", "Matched rules at index 0"],
        ],
      );
    }
  });

  test("a success policy may name any number of indexes", () => {
    const rule = "successPolicy: {rules: [{succeededIndexes: 1-1999999999, succeededCount: 2}]}";
    const indexed = "completionMode: Indexed, completions: 2000000000, parallelism: 1";
    play(job("Complete 3 succeeded, 0 failed", `${indexed}, ${rule}, ${ends(0)}`));
  });

  test("without completions the first success ends it", () => {
    play(job("Complete 2 succeeded, 0 failed", `parallelism: 2, completions: null, ${ends(0)}`));
  });

  testWithFaults("a finished Job is deleted after its time to live", () => {
    const played = play(job("gone", `ttlSecondsAfterFinished: 30, ${ends(0)}`), {
      steps: [{ type: "advance", ms: 60_000 }],
    });
    assert.deepEqual(played.names("Pod"), []);
  });

  test("pods orphaned by their Job's deletion lose the finalizer", () => {
    const orphaned = play(job("gone", lasting), {
      steps: [
        settle,
        {
          type: "delete",
          objects: [{ kind: "Job", name: "once", propagationPolicy: "Orphan" }],
        },
        settle,
      ],
    });
    const [pod] = orphaned.list("Pod");
    assert.equal(pod?.metadata.ownerReferences, undefined);
    assert.equal(pod?.metadata.finalizers, undefined);
  });

  test("a pod deleted before it is finished counts as a failure, or not at all if disruptions are ignored", () => {
    const drained = (spec: string): readonly unknown[] => {
      const fixture = `
        kind: Job
        metadata: {name: once}
        spec: {${spec}, ${lasting}}`;
      const steps: readonly Step[] = [{ type: "drain", name: "node-a" }, settle];
      const { failed, succeeded, active, conditions } =
        play(fixture, { cluster: oneNode, steps }).get("Job", "once")?.status ?? {};
      return [failed, succeeded, active, conditions];
    };
    const policy = "rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]";
    assert.deepEqual(drained("backoffLimit: 3"), [1, undefined, 1, undefined]);
    assert.deepEqual(drained(`backoffLimit: 0, podFailurePolicy: {${policy}}`), [
      undefined,
      undefined,
      1,
      undefined,
    ]);
  });

  test("pods of a deleted Job lose the finalizer", () => {
    const played = play(job("gone", lasting), {
      steps: [{ type: "delete", objects: [{ kind: "Job", name: "once" }] }, settle],
    });
    assert.deepEqual(played.names("Pod"), []);
  });
});

suite("completion indexes", () => {
  test("are written as ranges", () => {
    assert.equal(formatIndexes([5, 0, 1, 2, 7]), "0-2,5,7");
    assert.equal(formatIndexes([0, 1]), "0,1");
    assert.equal(formatIndexes([]), "");
  });

  test("are read back below the number of completions", () => {
    assert.deepEqual([...parseIndexes("0-2,5,7", 6)], [0, 1, 2, 5]);
  });
});
