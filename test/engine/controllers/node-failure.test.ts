/** What happens when a kubelet falls silent: node lifecycle, eviction by taints, pod garbage collection. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { podGarbageCollector } from "../../../src/engine/controllers/pod-gc.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { bare } from "../../support/bare-objects.ts";
import { Scene } from "../../support/component-scene.ts";
import { play } from "../../support/play.ts";
import { testWithFaults } from "../../support/same-end.ts";
import { StorageRun, twoNodes } from "../../support/storage-run.ts";
import { runs } from "../../support/workloads.ts";

const settle: Step = { type: "settle" };
const down: Step = { type: "node", name: "node-a", kubelet: "down" };
const up: Step = { type: "node", name: "node-a", kubelet: "up" };
const zones = {
  nodes: [
    { name: "node-a", zone: "a" },
    { name: "node-b", zone: "b" },
  ],
};

function seconds(count: number): Step {
  return { type: "advance", ms: count * 1000 };
}

const pod = (spec: string): string => `
  kind: Pod
  metadata: {name: web}
  spec: {nodeSelector: {kubernetes.io/hostname: node-a}, containers: [{name: main, image: app}]${spec}}`;

function taints(played: ReturnType<typeof play>): readonly string[] {
  return (played.get("Node", "node-a")?.spec?.taints ?? []).map((t) => `${t.key}:${t.effect}`);
}

suite("node lifecycle", () => {
  test("a new node loses its not-ready taint when its kubelet reports", () => {
    assert.deepEqual(taints(play(pod(""))), []);
  });

  test("after 40 to 50 s without a heartbeat the node is Unknown and tainted, and its pods are not ready", () => {
    const early = play(pod(""), { cluster: zones, steps: [down, seconds(39)] });
    assert.deepEqual(taints(early), []);
    const late = play(pod(""), { cluster: zones, steps: [down, seconds(56)] });
    assert.deepEqual(taints(late), [
      "node.kubernetes.io/unreachable:NoSchedule",
      "node.kubernetes.io/unreachable:NoExecute",
    ]);
    const ready = late.get("Node", "node-a")?.status?.conditions?.find((c) => c.type === "Ready");
    assert.deepEqual(
      [ready?.status, ready?.reason, ready?.message],
      ["Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status."],
    );
    assert.ok(late.events("NodeNotReady").includes("Node is not ready"));
    const podReady = late.get("Pod", "web")?.status?.conditions?.find((c) => c.type === "Ready");
    assert.equal(podReady?.status, "False");
  });

  test("a silent node evicts its pods at once, until 1.33 five seconds later", () => {
    const repelledAt = (version: "1.33" | "1.34"): readonly string[] => {
      const played = play(pod(""), { cluster: zones, version, steps: [down, seconds(70)] });
      return (played.get("Node", "node-a")?.spec?.taints ?? []).map(({ timeAdded = "" }) =>
        timeAdded.slice(-6),
      );
    };
    assert.deepEqual(repelledAt("1.34"), ["01:15Z", "01:15Z"]);
    assert.deepEqual(repelledAt("1.33"), ["01:15Z", "01:20Z"]);
  });

  test("if the only node is down no pods are evicted", () => {
    const played = play(pod(""), { steps: [down, seconds(600)] });
    assert.deepEqual(taints(played), ["node.kubernetes.io/unreachable:NoSchedule"]);
    assert.equal(played.get("Pod", "web")?.metadata.deletionTimestamp, undefined);
  });

  test("a kubelet that comes back clears the taints and cancels evictions", () => {
    const played = play(pod(""), { cluster: zones, steps: [down, seconds(120), up, settle] });
    assert.deepEqual(taints(played), []);
    assert.deepEqual(played.events("TaintManagerEviction"), [
      "Cancelling deletion of Pod default/web",
    ]);
    assert.equal(played.get("Pod", "web")?.metadata.deletionTimestamp, undefined);
  });

  test("a kubelet's return is noticed at the next check of all nodes, at most five seconds later", () => {
    const lastTaints = (afterUp: number): readonly string[] =>
      taints(
        play(pod(""), {
          cluster: zones,
          steps: [down, seconds(120), up, { type: "advance", ms: afterUp }],
        }),
      );
    assert.deepEqual(lastTaints(8_000), ["node.kubernetes.io/unreachable:NoExecute"]);
    assert.deepEqual(lastTaints(12_000), []);
  });

  test("a cordon adds a taint", () => {
    const cordon: Step = {
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { spec: { unschedulable: true } },
    };
    const played = play(pod(""), { steps: [cordon, settle] });
    assert.deepEqual(taints(played), ["node.kubernetes.io/unschedulable:NoSchedule"]);
  });
});

suite("taint eviction", () => {
  test("after five minutes pods are deleted and stay terminating, since no kubelet confirms it", () => {
    const played = play(pod(""), { cluster: zones, steps: [down, seconds(400)] });
    const { metadata, status } = played.get("Pod", "web") ?? {};
    assert.notEqual(metadata?.deletionTimestamp, undefined);
    assert.deepEqual(played.events("TaintManagerEviction"), [
      "Marking for deletion Pod default/web",
    ]);
    const target = status?.conditions?.find((c) => c.type === "DisruptionTarget");
    assert.deepEqual(
      [target?.reason, target?.message],
      ["DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint"],
    );
  });

  const force: Step = {
    type: "delete",
    objects: [{ kind: "Pod", name: "web", grace: 0 }],
  };

  test("a pod's deletion cancels its eviction", () => {
    const early = play(pod(""), { cluster: zones, steps: [down, seconds(30), force, seconds(60)] });
    assert.deepEqual(early.events("TaintManagerEviction"), []);
    const waiting = play(pod(""), {
      cluster: zones,
      steps: [down, seconds(120), force, seconds(1)],
    });
    assert.deepEqual(waiting.events("TaintManagerEviction"), [
      "Cancelling deletion of Pod default/web",
    ]);
    const evicted = play(pod(""), {
      cluster: zones,
      steps: [down, seconds(400), force, seconds(1)],
    });
    assert.deepEqual(evicted.events("TaintManagerEviction"), [
      "Marking for deletion Pod default/web",
    ]);
  });

  test("an eviction outlives the node and is canceled when the pod is gone", () => {
    const gone: Step = { type: "delete", objects: [{ kind: "Node", name: "node-a" }] };
    const evictions = (afterS: number): readonly string[] =>
      play(pod(""), {
        cluster: zones,
        steps: [down, seconds(120), gone, seconds(afterS)],
      }).events("TaintManagerEviction");
    assert.deepEqual(evictions(30), []);
    assert.deepEqual(evictions(90), ["Cancelling deletion of Pod default/web"]);
  });

  test("from 1.33 on a terminating pod is evicted again for another taint", () => {
    const another: Step = {
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { spec: { taints: [{ key: "maintenance", effect: "NoExecute" }] } },
    };
    const evictionCount = (version: "1.32" | "1.33"): number => {
      const { simulation } = play(
        pod(", tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 60}]"),
        { cluster: zones, version, steps: [down, seconds(200), another, seconds(120)] },
      );
      return simulation.trace.entries.filter(
        (e) => e.type === "event" && e.reason === "TaintManagerEviction",
      ).length;
    };
    assert.deepEqual([evictionCount("1.32"), evictionCount("1.33")], [1, 2]);
  });

  test("a node that comes back without its taints cancels evictions", () => {
    const fresh = { apiVersion: "v1", kind: "Node", metadata: { name: "node-a" } };
    const played = play(pod(""), {
      cluster: zones,
      steps: [
        down,
        seconds(120),
        { type: "delete", objects: [{ kind: "Node", name: "node-a" }] },
        { type: "apply", manifests: [fresh] },
        seconds(1),
      ],
    });
    assert.deepEqual(played.events("TaintManagerEviction"), [
      "Cancelling deletion of Pod default/web",
    ]);
  });

  const taint: Step = {
    type: "patch",
    object: { kind: "Node", name: "node-a" },
    patch: { spec: { taints: [{ key: "maintenance", effect: "NoExecute" }] } },
  };

  test("a taint that a pod does not tolerate deletes it at once", () => {
    assert.equal(play(pod(""), { steps: [taint, seconds(5)] }).get("Pod", "web"), undefined);
  });

  test("a pod that tolerates the taint for some time is deleted after that", () => {
    const patient = pod(
      ", tolerations: [{key: maintenance, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]",
    );
    assert.ok(play(patient, { steps: [taint, seconds(50)] }).get("Pod", "web") !== undefined);
    assert.equal(play(patient, { steps: [taint, seconds(65)] }).get("Pod", "web"), undefined);
  });

  test("a pod that tolerates the taint forever stays", () => {
    const bearing = pod(", tolerations: [{operator: Exists}]");
    assert.ok(play(bearing, { steps: [taint, seconds(900)] }).get("Pod", "web") !== undefined);
  });
});

suite("pod garbage collector", () => {
  const outOfService: Step = {
    type: "patch",
    object: { kind: "Node", name: "node-a" },
    patch: {
      spec: {
        taints: [
          { key: "node.kubernetes.io/unreachable", effect: "NoSchedule" },
          { key: "node.kubernetes.io/out-of-service", value: "nodeshutdown", effect: "NoExecute" },
        ],
      },
    },
  };

  test("a terminating pod on an out-of-service node is gone within 20 s", () => {
    const played = play(pod(""), {
      cluster: zones,
      steps: [
        down,
        seconds(60),
        outOfService,
        { type: "delete", objects: [{ kind: "Pod", name: "web" }] },
        seconds(21),
      ],
    });
    assert.equal(played.get("Pod", "web"), undefined);
  });

  test("only terminating pods of an out-of-service node are removed, and only while it is not ready", () => {
    const node = (name: string, ready: string): KubeObject<"Node"> =>
      bare("Node", name, {
        spec: { taints: [{ key: "node.kubernetes.io/out-of-service", effect: "NoSchedule" }] },
        status: { conditions: [{ type: "Ready", status: ready }] },
      });
    const on = (nodeName: string, name: string, metadata = {}): KubeObject<"Pod"> =>
      bare("Pod", name, { metadata, spec: { nodeName, containers: [] } });
    const terminating = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    const objects = [
      ...["True", "False", "Unknown"].map((ready) => node(ready.toLowerCase(), ready)),
      on("false", "stays"),
      ...["true", "false", "unknown"].map((name) => on(name, `of-${name}`, terminating)),
    ];
    const scene = new Scene([podGarbageCollector], objects).run(21_000);
    const left = objects.filter(
      ({ kind, metadata: { name } }) => kind === "Pod" && scene.get("Pod", "default", name),
    );
    assert.deepEqual(
      left.map(({ metadata }) => metadata.name),
      ["stays", "of-true"],
    );
    scene.runtime.api.restore(node("true", "False"));
    assert.equal(scene.run(21_000).get("Pod", "default", "of-true"), undefined);
  });

  test("a terminating pod that never had a node is gone within 20 s, marked as failed", () => {
    const pod = bare("Pod", "web", {
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 30 },
      spec: { containers: [] },
      status: { phase: "Pending" },
    });
    const scene = new Scene([podGarbageCollector], [pod]).run(9_000);
    assert.deepEqual(scene.writes, []);
    assert.deepEqual(scene.run(2000).writes, [
      "pod-garbage-collector-controller update Pod/default/web status",
      "pod-garbage-collector-controller delete Pod/default/web",
    ]);
    const next = { ...pod, metadata: { ...pod.metadata, name: "next", uid: "next" } };
    scene.run(10_000).runtime.api.restore(next);
    assert.equal(scene.run(8000).writes.length, 2);
    assert.equal(scene.run(2000).writes.length, 4);
  });

  test("pods of a deleted node are removed after a quarantine of 40 s", () => {
    const gone: Step = { type: "delete", objects: [{ kind: "Node", name: "node-a" }] };
    const early = play(pod(""), { cluster: zones, steps: [down, gone, seconds(38)] });
    assert.ok(early.get("Pod", "web") !== undefined);
    const late = play(pod(""), { cluster: zones, steps: [down, gone, seconds(85)] });
    assert.equal(late.get("Pod", "web"), undefined);
    const last = late.simulation.trace.entries.findLast(
      (e) => e.type === "write" && e.ref === "Pod/default/web" && e.subresource === "status",
    );
    const conditions =
      last?.type === "write" && last.after?.kind === "Pod" ? last.after.status?.conditions : [];
    const target = conditions?.find((c) => c.type === "DisruptionTarget");
    assert.deepEqual(
      [target?.reason, target?.message],
      ["DeletionByPodGC", "PodGC: node no longer exists"],
    );
  });

  testWithFaults(
    "pods of a deleted node are removed even if the API server refused it at first",
    () => {
      const gone: Step = { type: "delete", objects: [{ kind: "Node", name: "node-a" }] };
      const played = play(pod(""), { cluster: zones, steps: [down, gone, seconds(85)] });
      assert.equal(played.get("Pod", "web"), undefined);
    },
  );

  test("a Deployment's pod is replaced elsewhere while the old one still terminates", () => {
    const played = play(
      `
      kind: Deployment
      metadata: {name: web}          #=> 1 of 1 ready
      spec: {replicas: 1, ${runs("web", "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node-a]}]}}]}}")}}
      `,
      { cluster: zones, steps: [down, seconds(420)] },
    );
    const pods = played
      .list("Pod")
      .map((p) => `${p.spec.nodeName} ${p.metadata.deletionTimestamp !== undefined}`);
    assert.deepEqual(pods, ["node-a true", "node-b false"]);
  });

  test("a StatefulSet creates no second pod of a name while the first still exists", () => {
    const played = play(
      `
      kind: StatefulSet
      metadata: {name: web}
      spec: {serviceName: web, replicas: 1, ${runs("web", "nodeSelector: {kubernetes.io/hostname: node-a}")}}
      `,
      { cluster: zones, steps: [down, seconds(420)] },
    );
    assert.deepEqual(played.names("Pod"), ["web-0"]);
    assert.notEqual(played.get("Pod", "web-0")?.metadata.deletionTimestamp, undefined);
  });
});

suite("a disk on a node that fails", () => {
  const set = `
    kind: StatefulSet
    metadata: {name: web}
    spec:
      serviceName: web
      replicas: 1
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: [{name: main, image: app, volumeMounts: [{name: data, mountPath: /data}]}]}
      volumeClaimTemplates:
        - metadata: {name: data}
          spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`;

  testWithFaults(
    "its pod is replaced when the object is gone, and the disk attached six minutes later",
    () => {
      const run = new StorageRun({ nodes: twoNodes }).apply(set).settle().advance(60);
      const web = (): KubeObject<"Pod"> | undefined => run.get("Pod", "web-0");
      const node = web()?.spec.nodeName ?? "";
      run.step({ type: "node", name: node, kubelet: "down" }).advance(900);
      assert.equal(run.list("Pod").length, 1);
      assert.notEqual(web()?.metadata.deletionTimestamp, undefined);
      run.delete("Pod", "web-0", { grace: 0 }).advance(350);
      assert.notEqual(web()?.spec.nodeName, node);
      assert.equal(web()?.status?.phase, "Pending");
      run.advance(50);
      assert.equal(web()?.status?.phase, "Running");
    },
  );
});

suite("drain", () => {
  test("moves pods to other nodes, except those of DaemonSets, and stops at a budget", () => {
    const played = play(
      `
      kind: DaemonSet
      metadata: {name: agent}          #=> 2 of 2 ready
      spec: {${runs("agent")}}
      ---
      kind: Deployment
      metadata: {name: free}          #=> 1 of 1 ready
      spec: {replicas: 1, ${runs("free")}}
      ---
      kind: Deployment
      metadata: {name: guarded}          #=> 1 of 1 ready
      spec: {replicas: 1, ${runs("guarded", "nodeSelector: {kubernetes.io/hostname: node-a}")}}
      ---
      kind: PodDisruptionBudget
      metadata: {name: guarded}
      spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
      `,
      { cluster: zones, steps: [settle, { type: "drain", name: "node-a" }, settle] },
    );
    const where = played
      .list("Pod")
      .map((p) => `${p.metadata.labels?.["app"]} ${p.spec.nodeName}`)
      .sort();
    assert.deepEqual(where, ["agent node-a", "agent node-b", "free node-b", "guarded node-a"]);
    const refused = played.requests.filter(
      (request) => request.verb === "evict" && request.status === 429,
    );
    assert.equal(refused.length, 1);
    assert.deepEqual(taints(played), ["node.kubernetes.io/unschedulable:NoSchedule"]);
  });

  test("repeats evictions that a budget forbids, as pods start elsewhere", () => {
    const drained = (after: readonly Step[]): readonly (string | undefined)[] =>
      play(
        `
        kind: Deployment
        metadata: {name: guarded}          #=> 2 of 2 ready
        spec: {replicas: 0, ${runs("guarded")}}
        ---
        kind: PodDisruptionBudget
        metadata: {name: guarded}
        spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
        `,
        {
          cluster: zones,
          steps: [
            { type: "cordon", name: "node-b" },
            { type: "scale", object: { kind: "Deployment", name: "guarded" }, replicas: 2 },
            settle,
            { type: "uncordon", name: "node-b" },
            { type: "drain", name: "node-a" },
            ...after,
            settle,
          ],
        },
      )
        .list("Pod")
        .map((pod) => pod.spec.nodeName)
        .sort();
    assert.deepEqual(drained([]), ["node-b", "node-b"]);
    // The uncordon has ended the drain.
    assert.deepEqual(drained([{ type: "uncordon", name: "node-a" }]), ["node-a", "node-b"]);
  });

  test("a cordoned node takes no new pod until it is uncordoned", () => {
    const pod: Step = {
      type: "apply",
      manifests: [
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "web" },
          spec: {
            nodeSelector: { "kubernetes.io/hostname": "node-a" },
            containers: [{ name: "app", image: "nginx" }],
          },
        },
      ],
    };
    const cordon: readonly Step[] = [{ type: "cordon", name: "node-a" }, settle, pod, settle];
    const phase = (steps: readonly Step[]): string | undefined =>
      play("", { cluster: zones, steps }).list("Pod")[0]?.status?.phase;
    assert.equal(phase(cordon), "Pending");
    assert.equal(phase([...cordon, { type: "uncordon", name: "node-a" }, settle]), "Running");
  });
});
