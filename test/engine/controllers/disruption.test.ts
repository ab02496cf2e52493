/** PodDisruptionBudgets: their status, and how the eviction sub-resource uses it. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { disruption } from "../../../src/engine/controllers/disruption.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { evict } from "../../../src/engine/store/eviction.ts";
import { bare, controllerIn } from "../../support/bare-objects.ts";
import { Scene } from "../../support/component-scene.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { runs } from "../../support/workloads.ts";
import { SchedulerWorld } from "../scheduler/scheduler-world.ts";

const labels = { app: "web" };

function budget(spec: string, version: KubernetesVersion = "1.36"): SchedulerWorld {
  const world = new SchedulerWorld(version).node("node-a");
  world.runtime.start(disruption);
  return world.apply(`
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata: {name: keep}
    spec: {${spec}, selector: {matchLabels: {app: web}}}`);
}

function runningPod(world: SchedulerWorld, name: string, ready = "True"): void {
  world.pod(name, {}, { labels }).run(20);
  world.change(
    "Pod",
    name,
    (pod) => ({
      ...pod,
      status: {
        ...pod.status,
        phase: "Running",
        conditions: [...(pod.status?.conditions ?? []), { type: "Ready", status: ready }],
      },
    }),
    "status",
  );
  world.run(20);
}

function allowed(world: SchedulerWorld): readonly (number | string | undefined)[] {
  const { status } = world.get("PodDisruptionBudget", "keep");
  return [
    status?.disruptionsAllowed,
    status?.currentHealthy,
    status?.desiredHealthy,
    status?.expectedPods,
    status?.conditions?.[0]?.reason,
  ];
}

suite("disruption controller", () => {
  test("a budget without pods gets an event", () => {
    const world = budget("minAvailable: 1").run(20);
    assert.deepEqual(allowed(world), [0, 0, 1, 0, "InsufficientPods"]);
    assert.equal(world.events("NoPods")[0]?.message, "No matching pods found");
  });

  test("pods above the minimum may be evicted", () => {
    const world = budget("minAvailable: 1");
    runningPod(world, "one");
    assert.deepEqual(allowed(world), [0, 1, 1, 1, "InsufficientPods"]);
    runningPod(world, "two");
    assert.deepEqual(allowed(world), [1, 2, 1, 2, "SufficientPods"]);
  });

  test("maxUnavailable needs controllers that set the number of pods", () => {
    const world = budget("maxUnavailable: 1");
    runningPod(world, "one");
    assert.match(
      world.events("UnmanagedPods")[0]?.message ?? "",
      /^Pods selected by this PodDisruptionBudget \(selector: &LabelSelector\{MatchLabels:map\[string\]string\{app: web,\},MatchExpressions:\[\]LabelSelectorRequirement\{\},\}\) were found to be unmanaged\./,
    );
    assert.deepEqual(allowed(world).slice(0, 4), [0, 1, 0, 0]);
  });

  test("a percentage is one of the controllers' replicas", () => {
    const world = budget("maxUnavailable: 50%");
    world.apply(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: web}
      spec:
        serviceName: web
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: main, image: busybox}]}`);
    const { uid } = world.get("StatefulSet", "web").metadata;
    const owner = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      name: "web",
      uid,
      controller: true,
    };
    world.pod("web-0", {}, { labels, ownerReferences: [owner] }).run(20);
    assert.deepEqual(allowed(world), [0, 0, 1, 3, "InsufficientPods"]);
  });
});

suite("eviction", () => {
  test("a budget without disruptions left refuses in the API server's words", () => {
    const world = budget("minAvailable: 1");
    runningPod(world, "one");
    const answer = evict(world.runtime.api, "default", "one");
    assert.deepEqual(answer, {
      ok: false,
      error: {
        code: 429,
        reason: "TooManyRequests",
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        causes: [
          {
            reason: "DisruptionBudget",
            field: "",
            message: "The disruption budget keep needs 1 healthy pods and has 1 currently",
          },
        ],
      },
    });
  });

  test("a budget with an empty selector protects every pod, one without selector none", () => {
    const world = new SchedulerWorld().node("node-a");
    world.runtime.start(disruption);
    const own = (name: string, spec: string): string => `
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: ${name}}
      spec: {${spec}}`;
    world.apply(own("all", "minAvailable: 1, selector: {}")).apply(own("none", "minAvailable: 1"));
    runningPod(world, "one");
    const answer = evict(world.runtime.api, "default", "one");
    assert.ok(!answer.ok);
    assert.equal(
      answer.error.causes?.[0]?.message,
      "The disruption budget all needs 1 healthy pods and has 1 currently",
    );
  });

  test("from 1.35 on, if the controller has failed, the refusal gives its reason instead of counts", () => {
    const owner = { apiVersion: "batch/v1", kind: "Job", name: "job", uid: "u", controller: true };
    const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } as const;
    const told = (version: KubernetesVersion) => {
      const world = budget("maxUnavailable: 1", version);
      world.pod("one", {}, { labels, ownerReferences: [owner] }).run(20);
      world.change(
        "Pod",
        "one",
        (pod) => ({ ...pod, status: { ...pod.status, ...status } }),
        "status",
      );
      const answer = evict(world.run(20).runtime.api, "default", "one");
      return answer.ok ? undefined : answer.error.causes?.[0]?.message;
    };
    assert.equal(
      told("1.35"),
      "The disruption budget keep does not allow evicting pods currently because it failed sync: jobs.batch does not implement the scale subresource",
    );
    assert.equal(
      told("1.34"),
      "The disruption budget keep needs 0 healthy pods and has 0 currently",
    );
  });

  test("a budget that allows no disruption allows none, however many pods are ready", () => {
    const world = budget("maxUnavailable: 0");
    for (const name of ["one", "two"]) runningPod(world, name);
    assert.equal(evict(world.runtime.api, "default", "one").ok, false);
  });

  test("an eviction uses up the budget before the controller notices it", () => {
    const world = budget("minAvailable: 1");
    for (const name of ["one", "two"]) runningPod(world, name);
    assert.equal(evict(world.runtime.api, "default", "one").ok, true);
    assert.equal(evict(world.runtime.api, "default", "two").ok, false);
    const conditions = world.get("Pod", "one").status?.conditions ?? [];
    assert.equal(
      conditions.find(({ type }) => type === "DisruptionTarget")?.reason,
      "EvictionByEvictionAPI",
    );
    assert.ok(world.get("Pod", "one").metadata.deletionTimestamp);
  });

  test("a pod that was a disruption target already keeps the time, but gets the new reason", () => {
    const world = budget("minAvailable: 0");
    runningPod(world, "one");
    const since = "2025-12-31T00:00:00Z";
    const earlier = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" };
    world.change(
      "Pod",
      "one",
      (pod) => ({
        ...pod,
        status: {
          ...pod.status,
          conditions: [
            { ...earlier, lastTransitionTime: since },
            ...(pod.status?.conditions ?? []),
          ],
        },
      }),
      "status",
    );
    assert.ok(evict(world.runtime.api, "default", "one").ok);
    assert.deepEqual(world.get("Pod", "one").status?.conditions?.[0], {
      type: "DisruptionTarget",
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
      lastTransitionTime: since,
    });
  });

  test("an unready pod may be evicted if enough others are ready", () => {
    const world = budget("minAvailable: 1");
    runningPod(world, "one");
    runningPod(world, "broken", "False");
    assert.equal(evict(world.runtime.api, "default", "broken").ok, true);
  });

  test("if too few are ready, an unready pod may be evicted only if the budget's policy allows it", () => {
    for (const [policy, isLet] of [
      ["IfHealthyBudget", false],
      ["AlwaysAllow", true],
    ] as const) {
      const world = budget(`minAvailable: 2, unhealthyPodEvictionPolicy: ${policy}`);
      runningPod(world, "one");
      runningPod(world, "broken", "False");
      assert.equal(evict(world.runtime.api, "default", "broken").ok, isLet);
      assert.equal(evict(world.runtime.api, "default", "one").ok, false);
    }
  });

  test("an unready pod is not evicted if none is ready, even if the budget needs none", () => {
    const world = budget("minAvailable: 0");
    runningPod(world, "broken", "False");
    assert.equal(evict(world.runtime.api, "default", "broken").ok, false);
  });

  test("a changed budget allows no eviction before the controller has synced it", () => {
    const world = budget("minAvailable: 1");
    runningPod(world, "one");
    world.change("PodDisruptionBudget", "keep", (keep) => ({
      ...keep,
      spec: { ...keep.spec, minAvailable: 0 },
    }));
    const answer = evict(world.runtime.api, "default", "one");
    assert.deepEqual(answer.ok ? undefined : answer.error.causes?.map(({ message }) => message), [
      "The disruption budget keep is still being processed by the server.",
    ]);
    assert.equal(evict(world.run(20).runtime.api, "default", "one").ok, true);
  });

  test("a pod that waits for a node is not protected", () => {
    const world = budget("minAvailable: 1").pod(
      "web",
      { nodeSelector: { disk: "tape" } },
      { labels },
    );
    assert.equal(evict(world.run(20).runtime.api, "default", "web").ok, true);
  });

  test("an eviction fails if two budgets cover the pod", () => {
    const world = budget("minAvailable: 0").apply(`
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: second}
      spec: {minAvailable: 0, selector: {matchLabels: {app: web}}}`);
    runningPod(world, "one");
    const answer = evict(world.runtime.api, "default", "one");
    assert.ok(!answer.ok);
    assert.equal(answer.error.code, 500);
  });
});

suite("what a budget's limits relate to", () => {
  const keep = (spec: object, status: object = {}): KubeObject<"PodDisruptionBudget"> =>
    bare("PodDisruptionBudget", "keep", {
      metadata: { generation: 3 },
      spec: { selector: { matchLabels: labels }, ...spec },
      status,
    });
  const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  const pod = (name: string, owner?: KubeObject, metadata: object = {}): KubeObject<"Pod"> =>
    bare("Pod", name, {
      metadata: {
        labels,
        ...(owner !== undefined && { ownerReferences: [controllerIn(owner)] }),
        ...metadata,
      },
      spec: { nodeName: "n1", containers: [] },
      status: ready,
    });
  const sized = (
    kind: "Deployment" | "ReplicaSet" | "StatefulSet",
    name: string,
    replicas?: number,
    owner?: KubeObject,
  ) =>
    bare(kind, name, {
      metadata: owner === undefined ? {} : { ownerReferences: [controllerIn(owner)] },
      spec: replicas === undefined ? {} : { replicas },
    });
  const sceneOf = (...objects: readonly KubeObject[]): Scene =>
    new Scene([disruption], objects).run(200);
  const statusOf = (scene: Scene) => scene.get("PodDisruptionBudget", "default", "keep")?.status;
  const half = keep({ minAvailable: "50%" });

  test("are the replicas of each controller, counted once, a Deployment's for its ReplicaSets", () => {
    const deployment = sized("Deployment", "web", 6);
    const set = sized("ReplicaSet", "web-1", 4, deployment);
    const stateful = sized("StatefulSet", "db");
    const pods = [pod("a", set), pod("b", set), pod("c", stateful)];
    const status = statusOf(sceneOf(half, deployment, set, stateful, ...pods));
    assert.deepEqual(
      [status?.expectedPods, status?.desiredHealthy, status?.currentHealthy],
      [7, 4, 3],
    );
    const alone = sized("ReplicaSet", "own", 5);
    const most = statusOf(sceneOf(keep({ maxUnavailable: "25%" }), alone, pod("a", alone)));
    assert.deepEqual([most?.expectedPods, most?.desiredHealthy], [5, 3]);
    const none = statusOf(sceneOf(keep({ maxUnavailable: 9 }), alone, pod("a", alone)));
    assert.deepEqual([none?.desiredHealthy, none?.disruptionsAllowed], [0, 1]);
  });

  test("is unknown if a controller is missing or has no scale; then no pod may be evicted", () => {
    const failure = (owner: KubeObject, ...others: readonly KubeObject[]) => {
      const scene = sceneOf(half, pod("a", owner), ...others);
      const status = statusOf(scene);
      const [condition] = status?.conditions ?? [];
      assert.deepEqual(
        [status?.disruptionsAllowed, condition?.status, condition?.reason],
        [0, "False", "SyncFailed"],
      );
      return scene.events[0]
        ?.replace("×2 ", "")
        .replace(
          "PodDisruptionBudget/default/keep Warning CalculateExpectedPodCountFailed Failed to calculate the number of expected pods: ",
          "",
        );
    };
    const set = sized("ReplicaSet", "own", 5);
    const unknown = 'found no controllers for pod "a"';
    assert.equal(failure(set), unknown);
    assert.equal(failure(set, { ...set, metadata: { ...set.metadata, uid: "other" } }), unknown);
    const custom = {
      ...bare("StatefulSet", "db"),
      apiVersion: "apps.kruise.io/v1beta1",
    } as unknown as KubeObject;
    assert.equal(
      failure(custom),
      'no matches for kind "StatefulSet" in version "apps.kruise.io/v1beta1"',
    );
    assert.equal(failure(bare("Node", "n1")), "nodes does not implement the scale subresource");
    assert.equal(
      failure(bare("DaemonSet", "d")),
      "daemonsets.apps does not implement the scale subresource",
    );
    assert.equal(failure(bare("Job", "j")), "jobs.batch does not implement the scale subresource");
  });

  test("are a ReplicaSet's own replicas if its Deployment is gone", () => {
    const deployment = sized("Deployment", "web", 6);
    const set = sized("ReplicaSet", "web-1", 4, deployment);
    assert.equal(statusOf(sceneOf(half, set, pod("a", set)))?.expectedPods, 4);
    const other = { ...deployment, metadata: { ...deployment.metadata, uid: "other" } };
    assert.equal(statusOf(sceneOf(half, set, other, pod("a", set)))?.expectedPods, 4);
  });

  test("a failure stays in the status while the counts are the same", () => {
    const failed = {
      type: "DisruptionAllowed",
      status: "False",
      reason: "SyncFailed",
      message: "?",
    };
    const counts = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 };
    const reasonOf = (status: object) =>
      statusOf(
        sceneOf(
          keep({ minAvailable: 1 }, { ...status, observedGeneration: 3, conditions: [failed] }),
          pod("a"),
        ),
      )?.conditions?.[0]?.reason;
    assert.equal(reasonOf(counts), "SyncFailed");
    assert.equal(reasonOf({ ...counts, expectedPods: 2 }), "InsufficientPods");
  });

  test("counts without a condition get one, and one that contradicts them is corrected", () => {
    const counts = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 };
    const reasonOf = (conditions: object): unknown => {
      const known = { ...counts, observedGeneration: 3, ...conditions };
      return statusOf(sceneOf(keep({ minAvailable: 1 }, known), pod("a")))?.conditions?.[0]?.reason;
    };
    assert.equal(reasonOf({}), "InsufficientPods");
    const wrong = { type: "DisruptionAllowed", status: "True", reason: "SufficientPods" };
    assert.equal(reasonOf({ conditions: [wrong] }), "InsufficientPods");
  });

  test("a pod of several budgets gets an event, and counts in each", () => {
    const second = bare("PodDisruptionBudget", "second", {
      spec: { selector: {}, minAvailable: 2 },
    });
    const scene = sceneOf(keep({ minAvailable: 1 }), second, pod("a"));
    assert.deepEqual(scene.events, [
      'Pod/default/a Warning MultiplePodDisruptionBudgets Pod "default"/"a" matches multiple PodDisruptionBudgets.  Chose "keep" arbitrarily.',
    ]);
    assert.deepEqual(
      [statusOf(scene), scene.get("PodDisruptionBudget", "default", "second")?.status].map(
        (status) => status?.currentHealthy,
      ),
      [1, 1],
    );
  });

  test("pods without a controller are reported, with the selector as Go prints it", () => {
    const matchExpressions = [{ key: "tier", operator: "NotIn", values: ["a", "b"] }];
    const selector = { matchLabels: { zone: "x", app: "web" }, matchExpressions };
    const scene = sceneOf(
      keep({ minAvailable: "50%", selector }),
      pod("a", undefined, { labels: { ...labels, zone: "x" } }),
    );
    assert.match(
      scene.events[0] ?? "",
      /UnmanagedPods Pods selected by this PodDisruptionBudget \(selector: &LabelSelector\{MatchLabels:map\[string\]string\{app: web,zone: x,\},MatchExpressions:\[\]LabelSelectorRequirement\{LabelSelectorRequirement\{Key:tier,Operator:NotIn,Values:\[a b\],\},\},\}\) were found to be unmanaged\./,
    );
  });

  test("an evicted pod does not count for two minutes, unless it is being deleted or gone", () => {
    const disruptedPods = { a: "2026-01-01T00:00:00Z", gone: "2026-01-01T00:00:00Z" };
    const scene = sceneOf(keep({ minAvailable: 1 }, { disruptedPods }), pod("a"), pod("b"));
    assert.deepEqual(statusOf(scene)?.disruptedPods, { a: "2026-01-01T00:00:00Z" });
    assert.deepEqual(
      [statusOf(scene)?.currentHealthy, statusOf(scene)?.disruptionsAllowed],
      [1, 0],
    );
    assert.deepEqual(scene.events, []);
    scene.run(121_000);
    assert.deepEqual(scene.events, [
      "Pod/default/a Warning NotDeleted Pod was expected by PDB default/default to be deleted but it wasn't",
    ]);
    assert.equal(statusOf(scene)?.disruptedPods, undefined);
    assert.deepEqual(
      [statusOf(scene)?.currentHealthy, statusOf(scene)?.disruptionsAllowed],
      [2, 1],
    );
    const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] };
    const left = statusOf(
      sceneOf(keep({ minAvailable: 1 }, { disruptedPods }), pod("a", undefined, leaving)),
    );
    assert.deepEqual([left?.disruptedPods, left?.currentHealthy], [undefined, 0]);
  });

  test("a disruption target stops being one after two minutes, unless it is deleted, has ended, or its kubelet ends it", () => {
    const targets = (
      reason: string,
      phase = "Running",
      leaving: object = {},
    ): readonly (string | undefined)[] => {
      const { metadata, ...rest } = pod("a");
      const condition = {
        type: "DisruptionTarget",
        status: "True",
        reason,
        lastTransitionTime: "2026-01-01T00:00:00Z",
      };
      const marked = {
        ...rest,
        metadata: { ...metadata, ...leaving },
        status: { phase, conditions: [condition] },
      } as KubeObject<"Pod">;
      const scene = sceneOf(marked);
      return [119_000, 2_000].map((ms) => {
        const { status } = scene.run(ms).get("Pod", "default", "a") ?? {};
        return status?.conditions?.find(({ type }) => type === "DisruptionTarget")?.status;
      });
    };
    assert.deepEqual(targets("EvictionByEvictionAPI"), ["True", "False"]);
    assert.deepEqual(targets("TerminationByKubelet"), ["True", "True"]);
    assert.deepEqual(targets("EvictionByEvictionAPI", "Failed"), ["True", "True"]);
    const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["a/b"] };
    assert.deepEqual(targets("EvictionByEvictionAPI", "Running", leaving), ["True", "True"]);
  });

  test("changes of many pods at once are counted at once", () => {
    const names = Array.from({ length: 300 }, (_, i) => `web-${i}`);
    const pods = names.map((name) => bare("Pod", name, { metadata: { labels } }));
    const keep = bare("PodDisruptionBudget", "keep", {
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    const scene = new Scene([disruption], [keep, ...pods]).run(1000);
    const ready = [{ type: "Ready", status: "True" }];
    for (const pod of pods) {
      const status = { phase: "Running", conditions: ready };
      scene.runtime.api.restore({ ...pod, status } as KubeObject<"Pod">);
      scene.run(1);
    }
    scene.run(1000);
    assert.equal(scene.get("PodDisruptionBudget", "default", "keep")?.status?.currentHealthy, 300);
    const writes = scene.runtime.trace.entries.filter(
      (e) => e.type === "write" && e.actor === "disruption-controller",
    );
    assert.ok(writes.length < 30, `${writes.length} writes`);
  });

  testWithFaults(
    "a drain evicts one pod after the other as the budget allows, whatever crashes in between",
    () => {
      const played = play(
        `
      kind: Deployment
      metadata: { name: web }
      spec: { replicas: 2, ${runs("web")} }
      ---
      kind: PodDisruptionBudget
      metadata: { name: keep }
      spec: { minAvailable: 1, selector: { matchLabels: { app: web } } }
    `,
        {
          cluster: { nodes: [{ name: "node-a" }, { name: "node-b", isCordoned: true }] },
          steps: [
            { type: "uncordon", name: "node-b" },
            { type: "drain", name: "node-a" },
            { type: "advance", ms: 60_000 },
          ],
        },
      );
      assert.deepEqual(
        played.list("Pod").map(({ spec }) => spec.nodeName),
        ["node-b", "node-b"],
      );
      const refused = played.requests.filter(
        ({ verb, status }) => verb === "evict" && status === 429,
      );
      assert.equal(refused.length, 1);
      const { disruptionsAllowed, disruptedPods } =
        played.get("PodDisruptionBudget", "keep")?.status ?? {};
      assert.deepEqual([disruptionsAllowed, disruptedPods], [1, undefined]);
    },
  );
});
