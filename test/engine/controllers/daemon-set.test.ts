/** DaemonSets: which nodes get a pod, and how an update proceeds. */
import assert from "node:assert/strict";
import { daemonSetController } from "../../../src/engine/controllers/daemon-set/daemon-set.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { bare, controllerIn } from "../../support/bare-objects.ts";
import { check } from "../../support/check.ts";
import { Scene } from "../../support/component-scene.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { oneNode, runs } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };
const threeNodes = {
  nodes: [{ name: "node-a" }, { name: "node-b", labels: { disk: "ssd" } }, { name: "node-c" }],
};

function patchTemplate(template: object, more: object = {}): Step {
  return {
    type: "patch",
    object: { kind: "DaemonSet", name: "agent" },
    patch: { spec: { template, ...more } } as never,
  };
}

suite("DaemonSet controller", () => {
  test("puts a pod on the node, whatever crashes in between", () => {
    check(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 1 of 1 ready
      spec: {${runs("agent")}}
      `,
      { cluster: oneNode },
    );
  });

  test("runs one pod on each node, tolerating a node's troubles", () => {
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 3 of 3 ready
      spec: {${runs("agent")}}
      `,
      { cluster: threeNodes },
    );
    const nodes = played.list("Pod").map((pod) => pod.spec.nodeName ?? "");
    assert.deepEqual(nodes.sort(), ["node-a", "node-b", "node-c"]);
    const tolerations = played.list("Pod")[0]?.spec.tolerations?.map((t) => `${t.key}:${t.effect}`);
    assert.deepEqual(tolerations, [
      "node.kubernetes.io/not-ready:NoExecute",
      "node.kubernetes.io/unreachable:NoExecute",
      "node.kubernetes.io/disk-pressure:NoSchedule",
      "node.kubernetes.io/memory-pressure:NoSchedule",
      "node.kubernetes.io/pid-pressure:NoSchedule",
      "node.kubernetes.io/unschedulable:NoSchedule",
    ]);
  });

  test("follows the node selector, even when labels change", () => {
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 2 of 2 ready
      spec: {${runs("agent", "nodeSelector: {disk: ssd}")}}
      `,
      {
        cluster: threeNodes,
        steps: [
          {
            type: "patch",
            object: { kind: "Node", name: "node-c" },
            patch: { metadata: { labels: { disk: "ssd" } } },
          },
          settle,
        ],
      },
    );
    assert.deepEqual(
      played.list("Pod").map((pod) => pod.spec.nodeName),
      ["node-b", "node-c"],
    );
  });

  test("a NoSchedule taint that is not tolerated keeps new pods away, not running ones; from 1.33 on the status shows that later", () => {
    const taints = (...keys: readonly string[]): Step => ({
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { spec: { taints: keys.map((key) => ({ key, effect: "NoSchedule" })) } },
    });
    const touched: Step = {
      type: "patch",
      object: { kind: "DaemonSet", name: "agent" },
      patch: { metadata: { annotations: { touched: "yes" } } },
    };
    const after = (version: "1.32" | "1.33", ...steps: readonly Step[]): unknown => {
      const played = play(`{kind: DaemonSet, metadata: {name: agent}, spec: {${runs("agent")}}}`, {
        version,
        steps: [taints("dedicated"), settle, ...steps, settle],
      });
      assert.equal(played.list("Pod").length, 1);
      const { desiredNumberScheduled, numberMisscheduled } =
        played.get("DaemonSet", "agent")?.status ?? {};
      return { desiredNumberScheduled, numberMisscheduled };
    };
    const asBefore = { desiredNumberScheduled: 1, numberMisscheduled: 0 };
    const misscheduled = { desiredNumberScheduled: 0, numberMisscheduled: 1 };
    assert.deepEqual(after("1.32"), misscheduled);
    assert.deepEqual(after("1.33"), asBefore);
    assert.deepEqual(after("1.33", touched), misscheduled);
    assert.deepEqual(after("1.33", touched, settle, taints()), asBefore);
  });

  testWithFaults("an update replaces the pods node by node", () => {
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 3 of 3 ready
      spec: {${runs("agent")}}
      `,
      {
        cluster: threeNodes,
        steps: [patchTemplate({ metadata: { annotations: { version: "2" } } }), settle],
      },
    );
    let there = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const entry of played.simulation.trace.entries) {
      if (entry.type !== "write" || entry.after?.kind !== "Pod") continue;
      const isReady = (object: typeof entry.before): boolean =>
        object?.kind === "Pod" &&
        object.metadata.deletionTimestamp === undefined &&
        object.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") === true;
      there += Number(isReady(entry.after)) - Number(isReady(entry.before));
      // Counts from the moment when all three were ready.
      if (there === 3 || Number.isFinite(least)) least = Math.min(least, there);
    }
    assert.equal(least, 2);
    for (const pod of played.list("Pod")) assert.equal(pod.metadata.annotations?.["version"], "2");
    assert.equal(played.get("DaemonSet", "agent")?.status?.updatedNumberScheduled, 3);
  });

  testWithFaults(
    "an update with surge deletes each old pod once, when the new one beside it is available",
    () => {
      const surge = { updateStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
      const played = play(
        `
      kind: DaemonSet
      metadata: {name: agent}          #=> 3 of 3 ready
      spec: {${runs("agent")}}
      `,
        {
          cluster: threeNodes,
          steps: [patchTemplate({ metadata: { annotations: { version: "2" } } }, surge), settle],
        },
      );
      const deletions = played.simulation.trace.entries.filter(
        (entry) => entry.type === "event" && entry.reason === "SuccessfulDelete",
      );
      assert.equal(deletions.length, 3);
      assert.equal(played.get("DaemonSet", "agent")?.status?.updatedNumberScheduled, 3);
    },
  );
});

suite("DaemonSet controller on what it finds", () => {
  const set = (spec: object = {}, template: object = {}) =>
    bare("DaemonSet", "agent", {
      status: { observedGeneration: 1 },
      spec: {
        selector: { matchLabels: { app: "agent" } },
        updateStrategy: { type: "OnDelete" },
        template: {
          metadata: { labels: { app: "agent" } },
          spec: { containers: [{ name: "main", image: "app" }], ...template },
        },
        ...spec,
      },
    });
  const node = (name: string, more: object = {}) => bare("Node", name, { metadata: more });
  const pod = (name: string, status: object, more: { metadata?: object; spec?: object } = {}) =>
    bare("Pod", name, {
      metadata: {
        labels: { app: "agent" },
        ownerReferences: [controllerIn(set())],
        ...more.metadata,
      },
      spec: { nodeName: "a", containers: [], ...more.spec },
      status,
    });
  const told = (scene: Scene): readonly string[] =>
    scene.events.map((line) =>
      line.replace("DaemonSet/default/agent ", "").replace(/agent-\S+/, "agent-…"),
    );

  test("a failed pod is deleted at once, later ones after growing pauses, a succeeded one at once", () => {
    const failed = new Scene(
      [daemonSetController],
      [set(), node("a"), pod("x", { phase: "Failed" })],
    );
    assert.deepEqual(told(failed.run(500)), [
      "Warning FailedDaemonPod Found failed daemon pod default/x on node a, will try to kill it",
      "Normal SuccessfulDelete Deleted pod: x",
      "Normal SuccessfulCreate Created pod: agent-…",
    ]);
    const second = failed.runtime.api.store.list("Pod")[0];
    assert.ok(second !== undefined);
    failed.runtime.api.restore({
      ...second,
      spec: { ...second.spec, nodeName: "a" },
      status: { phase: "Failed" },
    });
    // The second fails within the pause of a second after the first, and is checked a whole pause later.
    assert.equal(failed.run(900).events.length, 3);
    assert.equal(failed.run(200).events.length, 6);
    const succeeded = new Scene(
      [daemonSetController],
      [set(), node("a"), pod("x", { phase: "Succeeded" })],
    );
    assert.deepEqual(told(succeeded.run(500)), [
      "Normal SucceededDaemonPod Found succeeded daemon pod default/x on node a, will try to delete it",
      "Normal SuccessfulDelete Deleted pod: x",
      "Normal SuccessfulCreate Created pod: agent-…",
    ]);
  });

  test("of two pods for a node the scheduled one stays, and counts", () => {
    const term = { matchFields: [{ key: "metadata.name", operator: "In", values: ["a"] }] };
    const required = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
    };
    const waiting = { nodeName: undefined, affinity: { nodeAffinity: required } };
    const scene = new Scene(
      [daemonSetController],
      [
        set(),
        node("a"),
        pod("early", { phase: "Pending" }, { spec: waiting }),
        pod(
          "late",
          { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
          { metadata: { creationTimestamp: "2026-01-01T00:01:00Z" } },
        ),
      ],
    ).run(500);
    assert.deepEqual(told(scene), ["Normal SuccessfulDelete Deleted pod: early"]);
    assert.equal(scene.get("DaemonSet", "default", "agent")?.status?.numberReady, 1);
  });

  test("a pod without a node is left alone", () => {
    const scene = new Scene(
      [daemonSetController],
      [set(), pod("nowhere", { phase: "Pending" }, { spec: { nodeName: undefined } })],
    );
    assert.deepEqual(told(scene.run(500)), []);
  });

  test("no generation counts as observed while a created pod is not in the cache", () => {
    // In a terminating namespace pods are requested and never created.
    const { metadata, ...rest } = set();
    const { template } = rest.spec ?? {};
    const revision = bare("ControllerRevision", "agent-1", {
      metadata: {
        labels: { app: "agent", "controller-revision-hash": "1" },
        ownerReferences: [controllerIn(set())],
      },
    });
    const scene = new Scene(
      [daemonSetController],
      [
        set(),
        node("a"),
        {
          ...revision,
          revision: 1,
          data: { spec: { template: { ...template, $patch: "replace" } } },
        },
        bare("Namespace", "default", {
          metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/held"] },
          status: { phase: "Terminating" },
        }),
      ],
    ).run(500);
    const found = scene.get("DaemonSet", "default", "agent");
    assert.equal(found?.status?.desiredNumberScheduled, 1);
    scene.runtime.api.restore({ ...rest, metadata: { ...metadata, generation: 2 } });
    scene.runtime.api.restore(node("b"));
    const { status } = scene.run(500).get("DaemonSet", "default", "agent") ?? {};
    assert.deepEqual([status?.desiredNumberScheduled, status?.observedGeneration], [2, 1]);
  });

  test("a node's deletion is noticed when its pods are deleted, not before", () => {
    const scene = new Scene(
      [daemonSetController],
      [set(), node("a"), node("b"), pod("x", { phase: "Running" })],
    ).run(500);
    const desired = (): number | undefined =>
      scene.get("DaemonSet", "default", "agent")?.status?.desiredNumberScheduled;
    assert.equal(desired(), 2);
    scene.runtime.api.delete("Node", "", "a", {});
    scene.run(500);
    assert.equal(desired(), 2);
    scene.runtime.api.delete("Pod", "default", "x", { gracePeriodSeconds: 0 });
    scene.run(500);
    assert.equal(desired(), 1);
  });

  test("a revision that is deleted or loses its owner is restored at once", () => {
    const scene = new Scene([daemonSetController], [set(), node("a")]).run(500);
    const revision = () => scene.runtime.api.store.list("ControllerRevision")[0];
    const first = revision();
    assert.ok(first !== undefined);
    const { ownerReferences, ...metadata } = first.metadata;
    scene.runtime.api.restore({ ...first, metadata });
    assert.deepEqual(scene.run(500) && revision()?.metadata.ownerReferences, ownerReferences);
    scene.runtime.api.delete("ControllerRevision", "default", first.metadata.name, {});
    assert.equal(scene.run(500) && revision()?.metadata.name, first.metadata.name);
  });

  test("an orphaned revision with its labels is adopted at once, and the current one gets a higher number", () => {
    const scene = new Scene([daemonSetController], [set(), node("a")]).run(500);
    const revisions = () => scene.runtime.api.store.list("ControllerRevision");
    const labels = { app: "agent", "controller-revision-hash": "0" };
    const found = bare("ControllerRevision", "agent-0", { metadata: { labels } });
    scene.runtime.api.restore({ ...found, revision: 1, data: {} });
    scene.run(500);
    assert.deepEqual(
      revisions().map(({ metadata, revision }) => [metadata.ownerReferences?.[0]?.uid, revision]),
      [
        ["agent", 2],
        ["agent", 1],
      ],
    );
  });

  test("the current revision keeps its number while no other one has a higher one", () => {
    const scene = new Scene([daemonSetController], [set(), node("a")]).run(500);
    const revisions = () => scene.runtime.api.store.list("ControllerRevision");
    for (const first of revisions()) scene.runtime.api.restore({ ...first, revision: 5 });
    scene.run(500);
    assert.deepEqual(
      revisions().map(({ revision }) => revision),
      [5],
    );
  });

  test("a revision without the hash label gets its name as hash, which new pods carry", () => {
    const scene = new Scene([daemonSetController], [set(), node("a")]).run(500);
    const [first] = scene.runtime.api.store.list("ControllerRevision");
    assert.ok(first !== undefined);
    const { "controller-revision-hash": _, ...labels } = first.metadata.labels ?? {};
    scene.runtime.api.restore({ ...first, metadata: { ...first.metadata, labels } });
    scene.runtime.api.restore(node("b"));
    scene.run(500);
    const [revision] = scene.runtime.api.store.list("ControllerRevision");
    assert.equal(revision?.metadata.labels?.["controller-revision-hash"], first.metadata.name);
    const hashes = scene.runtime.api.store
      .list("Pod")
      .map(({ metadata }) => metadata.labels?.["controller-revision-hash"]);
    assert.equal(hashes.at(-1), first.metadata.name);
    assert.equal(hashes.length, 2);
  });

  test("with surge, a terminating pod has its successor beside it", () => {
    const leaving = {
      deletionTimestamp: "2026-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 30,
    };
    const created = (maxSurge: number, type = "RollingUpdate"): readonly string[] => {
      const rollingUpdate = { maxSurge, maxUnavailable: 1 - maxSurge };
      const scene = new Scene(
        [daemonSetController],
        [
          set({ updateStrategy: { type, rollingUpdate } }),
          node("a"),
          pod("x", { phase: "Running" }, { metadata: leaving }),
        ],
      );
      return told(scene.run(500)).filter((text) => text.includes("SuccessfulCreate"));
    };
    assert.equal(created(0).length, 0);
    assert.equal(created(1).length, 1);
    assert.equal(created(1, "OnDelete").length, 0);
  });

  test("of several pods on a node the oldest stays, at equal age the first by name", () => {
    const later = { metadata: { creationTimestamp: "2026-01-01T00:01:00Z" } };
    const running = { phase: "Running" };
    const scene = new Scene(
      [daemonSetController],
      [set(), node("a"), pod("c", running), pod("a", running, later), pod("b", running)],
    );
    assert.deepEqual(told(scene.run(500)), [
      "Normal SuccessfulDelete Deleted pod: c",
      "Normal SuccessfulDelete Deleted pod: a",
    ]);
  });

  test("a pod that waits for a deleted node is deleted; one that was on it is left to the pod garbage collector", () => {
    const term = { matchFields: [{ key: "metadata.name", operator: "In", values: ["gone"] }] };
    const required = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
    };
    const scene = new Scene(
      [daemonSetController],
      [
        set(),
        pod("waits", {}, { spec: { nodeName: undefined, affinity: { nodeAffinity: required } } }),
        pod("ran", {}, { spec: { nodeName: "gone" } }),
      ],
    );
    assert.deepEqual(told(scene.run(500)), ["Normal SuccessfulDelete Deleted pod: waits"]);
  });

  test("a pod may stay on a node with a NoSchedule taint, but not on one excluded otherwise", () => {
    const taint = (effect: string) => ({
      ...node("a"),
      spec: { taints: [{ key: "dedicated", effect }] },
    });
    const deleted = (place: object, template: object = {}): readonly string[] =>
      told(
        new Scene(
          [daemonSetController],
          [set({}, template), place as ReturnType<typeof node>, pod("x", { phase: "Running" })],
        ).run(500),
      );
    assert.deepEqual(deleted(taint("NoSchedule")), []);
    assert.deepEqual(deleted(taint("NoExecute")), ["Normal SuccessfulDelete Deleted pod: x"]);
    const elsewhere = ["Normal SuccessfulDelete Deleted pod: x"];
    assert.deepEqual(deleted(node("a"), { nodeName: "b" }), elsewhere);
    assert.deepEqual(deleted(node("a"), { nodeSelector: { disk: "ssd" } }), elsewhere);
    const expression = { key: "disk", operator: "Exists" };
    const required = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
    assert.deepEqual(deleted(node("a"), { affinity: { nodeAffinity } }), elsewhere);
    assert.deepEqual(deleted(node("a"), { nodeName: "a" }), []);
  });

  test("host network pods tolerate a node without network; the template's tolerations are kept", () => {
    const tolerations = [
      {
        key: "node.kubernetes.io/not-ready",
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 5,
      },
      { key: "node.kubernetes.io/unreachable", value: "x", effect: "NoExecute" },
      { key: "mine", operator: "Exists" },
    ];
    const scene = new Scene(
      [daemonSetController],
      [set({}, { hostNetwork: true, tolerations }), node("a")],
    ).run(500);
    const found = scene.runtime.api.store.list("Pod")[0]?.spec.tolerations ?? [];
    assert.deepEqual(
      found.map((t) => [
        t.key?.replace("node.kubernetes.io/", ""),
        t.effect,
        t.value,
        t.tolerationSeconds,
      ]),
      [
        ["not-ready", "NoExecute", undefined, undefined],
        ["unreachable", "NoExecute", "x", undefined],
        ["mine", undefined, undefined, undefined],
        ["unreachable", "NoExecute", undefined, undefined],
        ["disk-pressure", "NoSchedule", undefined, undefined],
        ["memory-pressure", "NoSchedule", undefined, undefined],
        ["pid-pressure", "NoSchedule", undefined, undefined],
        ["unschedulable", "NoSchedule", undefined, undefined],
        ["network-unavailable", "NoSchedule", undefined, undefined],
      ],
    );
  });

  test("a toleration of the template that pods get anyway is not duplicated", () => {
    const own = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" };
    const scene = new Scene(
      [daemonSetController],
      [set({}, { tolerations: [own] }), node("a")],
    ).run(500);
    const found = scene.runtime.api.store.list("Pod")[0]?.spec.tolerations ?? [];
    assert.deepEqual(
      found.filter(({ key }) => key === own.key),
      [own],
    );
  });

  test("an orphaned pod with its labels is adopted, and one that lost them is released and replaced", () => {
    const scene = new Scene(
      [daemonSetController],
      [
        set(),
        node("a"),
        pod("orphan", { phase: "Running" }, { metadata: { ownerReferences: undefined } }),
      ],
    ).run(500);
    const owners = (name: string) =>
      scene.get("Pod", "default", name)?.metadata.ownerReferences?.map(({ uid }) => uid);
    assert.deepEqual(owners("orphan"), ["agent"]);
    const orphan = scene.get("Pod", "default", "orphan");
    assert.ok(orphan !== undefined);
    scene.runtime.api.restore({ ...orphan, metadata: { ...orphan.metadata, labels: {} } });
    scene.run(500);
    assert.equal(owners("orphan"), undefined);
    assert.equal(scene.runtime.api.store.list("Pod").length, 2);
  });

  test("an orphaned pod that comes later is adopted at once if it has the set's labels", () => {
    const scene = new Scene(
      [daemonSetController],
      [set(), node("a"), pod("x", { phase: "Running" })],
    );
    scene.run(500);
    const orphan = (labels: object) =>
      pod("z", { phase: "Pending" }, { metadata: { labels, ownerReferences: undefined } });
    scene.runtime.api.restore(orphan({ app: "other" }));
    assert.deepEqual(told(scene.run(500)), []);
    scene.runtime.api.restore(orphan({ app: "agent" }));
    assert.deepEqual(told(scene.run(500)), ["Normal SuccessfulDelete Deleted pod: z"]);
  });

  test("collisionCount and conditions stay in the status", () => {
    const conditions = [{ type: "Checked", status: "True" }];
    const found = { observedGeneration: 1, collisionCount: 2, conditions };
    const given = bare("DaemonSet", "agent", { spec: set().spec ?? {}, status: found });
    const scene = new Scene([daemonSetController], [given, node("a")]);
    const { status } = scene.run(500).get("DaemonSet", "default", "agent") ?? {};
    assert.equal(status?.currentNumberScheduled, 1);
    assert.deepEqual([status?.collisionCount, status?.conditions], [2, conditions]);
  });

  test("a DaemonSet that selects everything gets an event and creates nothing", () => {
    const scene = new Scene([daemonSetController], [set({ selector: {} }), node("a")]).run(500);
    assert.deepEqual(told(scene), [
      "Warning SelectingAll This daemon set is selecting all pods. A non-empty selector is required.",
    ]);
    assert.deepEqual(scene.writes, []);
  });

  test("pods are available after minReadySeconds, and the status shows that at once", () => {
    const ready = { type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" };
    const scene = new Scene(
      [daemonSetController],
      [set({ minReadySeconds: 5 }), node("a"), pod("x", { phase: "Running", conditions: [ready] })],
    );
    const status = () => scene.get("DaemonSet", "default", "agent")?.status;
    scene.run(4900);
    assert.deepEqual(
      [status()?.numberReady, status()?.numberAvailable, status()?.numberUnavailable],
      [1, undefined, 1],
    );
    scene.run(200);
    assert.deepEqual([status()?.numberAvailable, status()?.numberUnavailable], [1, undefined]);
  });

  test("a pod that is ready later than another is checked minReadySeconds after that one's check", () => {
    const readyAt = (second: number, nodeName: string) => {
      const lastTransitionTime = `2026-01-01T00:00:0${second}Z`;
      const conditions = [{ type: "Ready", status: "True", lastTransitionTime }];
      return pod(nodeName, { phase: "Running", conditions }, { spec: { nodeName } });
    };
    const pending = pod("b", { phase: "Pending" }, { spec: { nodeName: "b" } });
    const scene = new Scene(
      [daemonSetController],
      [set({ minReadySeconds: 5 }), node("a"), node("b"), readyAt(0, "a"), pending],
    ).run(2990);
    scene.runtime.api.restore(readyAt(3, "b"));
    const availableAfter = (ms: number) =>
      scene.run(ms).get("DaemonSet", "default", "agent")?.status?.numberAvailable;
    assert.deepEqual([availableAfter(2500), availableAfter(4000), availableAfter(1000)], [1, 1, 2]);
  });

  test("a surge removes the old pod a second after the new one has been ready for minReadySeconds", () => {
    const ready = { type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" };
    const surging = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    const old = pod(
      "old",
      { phase: "Running", conditions: [ready] },
      { metadata: { creationTimestamp: "2025-12-31T00:00:00Z" } },
    );
    const found = [set({ minReadySeconds: 5, updateStrategy: surging }), node("a"), old];
    const scene = new Scene([daemonSetController], found).run(9990);
    const [next] = scene.runtime.api.store
      .list("Pod")
      .filter(({ metadata }) => metadata.name !== "old");
    assert.ok(next !== undefined);
    const conditions = [{ ...ready, lastTransitionTime: "2026-01-01T00:00:10Z" }];
    scene.runtime.api.restore({
      ...next,
      spec: { ...next.spec, nodeName: "a" },
      status: { phase: "Running", conditions },
    });
    const goes = "Normal SuccessfulDelete Deleted pod: old";
    assert.deepEqual(told(scene.run(5900)).includes(goes), false);
    assert.deepEqual(told(scene.run(200)).includes(goes), true);
  });

  test("going back to an earlier template makes its revision the newest", () => {
    const scene = new Scene([daemonSetController], [set(), node("a")]).run(500);
    const revisions = () =>
      scene.runtime.api.store.list("ControllerRevision").map(({ revision }) => revision);
    const put = (template: object): void => {
      scene.runtime.api.restore({
        ...set({}, template),
        metadata: { ...set().metadata, generation: 2 },
      });
      scene.run(500);
    };
    put({ hostNetwork: true });
    assert.deepEqual(revisions().toSorted(), [1, 2]);
    put({});
    assert.deepEqual(revisions().toSorted(), [2, 3]);
  });
});
