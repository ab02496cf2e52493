/** What the node lifecycle controller does with nodes that it finds: taints, conditions, events. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { nodeLifecycleController } from "../../../src/engine/controllers/node-lifecycle/node-lifecycle.ts";
import { readyCondition } from "../../../src/engine/matching/node-state.ts";
import { bare } from "../../support/bare-objects.ts";
import { Scene } from "../../support/component-scene.ts";

suite("node controller", () => {
  const node = (name: string, ready: string | undefined, taint?: string): KubeObject<"Node"> =>
    bare("Node", name, {
      spec: taint === undefined ? {} : { taints: [{ key: taint, effect: "NoExecute" }] },
      status: ready === undefined ? {} : { conditions: [{ type: "Ready", status: ready }] },
    });
  const repelling = (scene: Scene, name: string): readonly string[] =>
    (scene.get("Node", "", name)?.spec?.taints ?? [])
      .filter(({ effect }) => effect === "NoExecute")
      .map(({ key }) => key);
  const notReady = "node.kubernetes.io/not-ready";
  const unreachable = "node.kubernetes.io/unreachable";

  test("a node that becomes not ready instead of unreachable gets the other taint at once, even if another node waits", () => {
    const nodes = [
      ...["a", "b", "c"].map((name) => node(name, "True")),
      node("first", "False"),
      node("second", "False"),
      node("known", "False", unreachable),
    ];
    const scene = new Scene([nodeLifecycleController], nodes).run(1_000);
    assert.deepEqual(
      ["first", "second", "known"].map((name) => repelling(scene, name)),
      [[notReady], [], [notReady]],
    );
  });

  test("a node that recovers before its turn leaves it to the next, and a tainted one uses up none", () => {
    const nodes = [
      ...["a", "b", "c"].map((name) => node(name, "True")),
      node("first", "False"),
      node("known", "Unknown", unreachable),
      node("second", "False"),
      node("third", "True"),
    ];
    const scene = new Scene([nodeLifecycleController], nodes).run(7_000);
    scene.runtime.api.restore(node("second", "True"));
    scene.runtime.api.restore(node("third", "False"));
    assert.deepEqual(repelling(scene.run(4_000), "third"), [notReady]);
  });

  test("nodes deleted while their zone's evictions were stopped have used up their turns when another fails much later", () => {
    const nodes = [
      ...["a", "b"].map((name) => node(name, "True")),
      ...["c", "d", "e"].map((name) => node(name, "False")),
    ];
    const scene = new Scene([nodeLifecycleController], nodes).run(1_000);
    for (const name of ["c", "d", "e"]) scene.runtime.api.delete("Node", "", name, {});
    scene.run(46_000).runtime.api.restore(node("a", "False"));
    assert.deepEqual(repelling(scene.run(4_000), "a"), [notReady]);
  });

  test("if everything is down no taint replaces another", () => {
    const scene = new Scene([nodeLifecycleController], [node("known", "False", unreachable)]);
    assert.deepEqual(repelling(scene.run(7_000), "known"), []);
  });

  test("if everything was down, the first node is tainted ten seconds after another recovers", () => {
    const silent = [node("a", "Unknown"), node("b", "Unknown")];
    const scene = new Scene([nodeLifecycleController], silent).run(7_000);
    scene.runtime.api.restore(node("b", "True"));
    assert.deepEqual(repelling(scene.run(12_000), "a"), []);
    assert.deepEqual(repelling(scene.run(2_000), "a"), [unreachable]);
  });

  test("if everything was down, a node that fails later is tainted without waiting", () => {
    const scene = new Scene([nodeLifecycleController], [node("a", "False"), node("b", "False")]);
    const become = (name: string, ready: string): KubeObject =>
      scene.runtime.api.restore(node(name, ready));
    scene.run(6_000);
    become("a", "True");
    become("b", "True");
    scene.run(15_000);
    become("a", "False");
    assert.deepEqual(repelling(scene.run(5_000), "a"), [notReady]);
  });

  test("if everything was down, a silent node gets its whole grace period again", () => {
    const scene = new Scene([nodeLifecycleController], [node("a", "False"), node("b", "False")]);
    scene.run(31_000).runtime.api.restore(node("b", "True"));
    const ready = (): string | undefined => readyCondition(scene.get("Node", "", "a"))?.status;
    assert.equal(scene.run(50_000) && ready(), "False");
    assert.equal(scene.run(10_000) && ready(), "Unknown");
  });

  test("a zone that was down with all others stays as it is when a new zone comes up", () => {
    const of = (zone: string, name: string, ready: string): KubeObject<"Node"> =>
      bare("Node", name, {
        metadata: { labels: { "topology.kubernetes.io/zone": zone } },
        status: { conditions: [{ type: "Ready", status: ready }] },
      });
    const downIn = (zone: string): readonly string[] => {
      const scene = new Scene([nodeLifecycleController], [of("old", "a", "False")]).run(6_000);
      scene.runtime.api.restore(of(zone, "b", "True"));
      return repelling(scene.run(40_000), "a");
    };
    assert.deepEqual([downIn("old"), downIn("new")], [[notReady], []]);
  });

  test("why a node's pods are not evicted is recorded: too much of its zone is down, or everything", () => {
    const decided = (...nodes: readonly KubeObject<"Node">[]): readonly string[] => {
      const { trace } = new Scene([nodeLifecycleController], nodes).run(7_000).runtime;
      return trace.entries.flatMap((entry) =>
        entry.type === "decision" ? `${entry.about} ${entry.decision.reason}` : [],
      );
    };
    const down = ["c", "d", "e"].map((name) => node(name, "False"));
    assert.deepEqual(
      decided(node("a", "True"), node("b", "True"), ...down),
      ["c", "d", "e"].map((name) => `Node//${name} PartialDisruption`),
    );
    assert.deepEqual(
      decided(...down),
      ["c", "d", "e"].map((name) => `Node//${name} FullDisruption`),
    );
    assert.deepEqual(decided(node("a", "True"), node("b", "True"), node("c", "False")), []);
  });

  test("a removed taint is back at the next check", () => {
    const nodes = [node("a", "Unknown", unreachable), node("b", "True")];
    const scene = new Scene([nodeLifecycleController], nodes).run(7_000);
    scene.runtime.api.restore(node("a", "Unknown"));
    assert.deepEqual(repelling(scene.run(2_000), "a"), []);
    assert.deepEqual(repelling(scene.run(2_000), "a"), [unreachable]);
  });

  test("a node without a Ready condition has a minute from its creation", () => {
    const old = node("old", undefined);
    const created = { ...old.metadata, creationTimestamp: "2025-12-31T00:00:00Z" };
    const scene = new Scene(
      [nodeLifecycleController],
      [{ ...old, metadata: created }, node("new", undefined)],
    );
    const readyOf = (name: string): string | undefined =>
      readyCondition(scene.get("Node", "", name))?.status;
    scene.run(11_000);
    assert.deepEqual([readyOf("old"), readyOf("new")], ["Unknown", undefined]);
    scene.run(60_000);
    assert.equal(readyOf("new"), "Unknown");
  });

  test("for a node without a kubelet a written Ready condition with a new lastHeartbeatTime is a heartbeat", () => {
    const said = (lastHeartbeatTime?: string): KubeObject<"Node"> =>
      bare("Node", "a", {
        status: {
          conditions: [
            { type: "Ready", status: "True", ...(lastHeartbeatTime && { lastHeartbeatTime }) },
          ],
        },
      });
    const scene = new Scene([nodeLifecycleController], []).run(11_000);
    const ready = (): string | undefined => readyCondition(scene.get("Node", "", "a"))?.status;
    scene.runtime.api.restore(said());
    assert.equal(scene.run(58_000) && ready(), "True");
    assert.equal(scene.run(2_000) && ready(), "Unknown");
    scene.runtime.api.restore(said());
    assert.equal(scene.run(5_000) && ready(), "Unknown");
    scene.runtime.api.restore(said("2026-01-01T00:01:00Z"));
    assert.equal(scene.run(52_000) && ready(), "True");
    assert.equal(scene.run(8_000) && ready(), "Unknown");
  });

  test("a node's first Ready condition is a heartbeat even without a time", () => {
    const nodes = [node("a", undefined), node("b", "True")];
    const scene = new Scene([nodeLifecycleController], nodes).run(31_000);
    scene.runtime.api.restore(node("a", "True"));
    const ready = (): string | undefined => readyCondition(scene.get("Node", "", "a"))?.status;
    assert.equal(scene.run(53_000) && ready(), "True");
    assert.equal(scene.run(7_000) && ready(), "Unknown");
  });

  test("a silent node is not late at the end of its grace period, even if that is when nodes are checked", () => {
    const scene = new Scene([nodeLifecycleController], [node("a", "True"), node("b", "True")]);
    scene.run(53_000).runtime.api.restore(node("b", "False"));
    const ready = (): string | undefined => readyCondition(scene.get("Node", "", "a"))?.status;
    assert.equal(scene.run(5_000) && ready(), "True");
    assert.equal(scene.run(4_000) && ready(), "Unknown");
  });

  test("until 1.33 an unreachable node evicts pods five seconds after it is noticed, one without a Ready condition at once", () => {
    const repelsAtOnce = (ready: string | undefined, version: "1.33" | "1.34"): boolean => {
      const well = ["b", "c"].map((name) => node(name, "True"));
      const scene = new Scene([nodeLifecycleController], [node("a", ready), ...well], { version });
      scene.run(30_000);
      for (const { metadata } of well) {
        const conditions = [
          { type: "Ready", status: "True", lastHeartbeatTime: "2026-01-01T00:00:30Z" },
        ];
        scene.runtime.api.restore(bare("Node", metadata.name, { status: { conditions } }));
      }
      const secondsUntil = (holds: () => boolean): number => {
        for (let seconds = 0; seconds < 60; seconds++, scene.run(1_000))
          if (holds()) return seconds;
        return Number.NaN;
      };
      secondsUntil(() => readyCondition(scene.get("Node", "", "a"))?.status === "Unknown");
      return secondsUntil(() => repelling(scene, "a").length > 0) < 5;
    };
    assert.deepEqual([repelsAtOnce("True", "1.33"), repelsAtOnce("True", "1.34")], [false, true]);
    assert.deepEqual(
      [repelsAtOnce(undefined, "1.33"), repelsAtOnce(undefined, "1.34")],
      [true, true],
    );
  });

  test("taints are in the order of their conditions, a cordon's last", () => {
    const ailing = bare("Node", "a", {
      spec: { unschedulable: true },
      status: {
        conditions: [
          { type: "DiskPressure", status: "True" },
          { type: "Ready", status: "False" },
          { type: "NetworkUnavailable", status: "True" },
          { type: "PIDPressure", status: "False" },
        ],
      },
    });
    const scene = new Scene([nodeLifecycleController], [ailing]).run(100);
    assert.deepEqual(
      scene.get("Node", "", "a")?.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`),
      [
        "node.kubernetes.io/disk-pressure:NoSchedule",
        "node.kubernetes.io/not-ready:NoSchedule",
        "node.kubernetes.io/network-unavailable:NoSchedule",
        "node.kubernetes.io/unschedulable:NoSchedule",
      ],
    );
  });

  test("the beta labels of operating system and architecture follow the stable ones", () => {
    const [os, arch] = ["kubernetes.io/os", "kubernetes.io/arch"];
    const labelsOf = (labels: object): unknown =>
      new Scene([nodeLifecycleController], [bare("Node", "a", { metadata: { labels } })])
        .run(100)
        .get("Node", "", "a")?.metadata.labels;
    const both = { [os]: "linux", [`beta.${os}`]: "linux" };
    assert.deepEqual(labelsOf({ [os]: "linux" }), both);
    assert.deepEqual(labelsOf({ [os]: "linux", [`beta.${os}`]: "windows" }), both);
    assert.deepEqual(labelsOf({ ...both, [arch]: "arm64" }), {
      ...both,
      [arch]: "arm64",
      [`beta.${arch}`]: "arm64",
    });
    assert.deepEqual(labelsOf({ [`beta.${arch}`]: "arm" }), { [`beta.${arch}`]: "arm" });
    const scene = new Scene([nodeLifecycleController], [bare("Node", "a")]).run(100);
    scene.runtime.api.restore(bare("Node", "a", { metadata: { labels: { [os]: "linux" } } }));
    assert.deepEqual(scene.run(100).get("Node", "", "a")?.metadata.labels, both);
  });

  test("a silent node's conditions do not change again once they are Unknown", () => {
    const conditionsOf = (ready: string): readonly string[] =>
      new Scene([nodeLifecycleController], [node("a", ready)])
        .run(70_000)
        .get("Node", "", "a")
        ?.status?.conditions?.map(({ type, reason = "" }) => `${type} ${reason}`.trim()) ?? [];
    assert.deepEqual(conditionsOf("False"), [
      "Ready NodeStatusUnknown",
      "MemoryPressure NodeStatusNeverUpdated",
      "DiskPressure NodeStatusNeverUpdated",
      "PIDPressure NodeStatusNeverUpdated",
    ]);
    assert.deepEqual(conditionsOf("Unknown"), ["Ready"]);
  });

  test("added and deleted nodes are reported at the next check, except those that existed before", () => {
    const scene = new Scene([nodeLifecycleController], [node("old", "True")]);
    const told = (): readonly string[] => scene.events.filter((text) => /Regist|Remov/.test(text));
    const { api } = scene.run(6_000).runtime;
    api.restore(node("new", "True"));
    api.restore(node("brief", "True"));
    scene.run(100);
    api.delete("Node", "", "brief", {});
    assert.deepEqual(told(), []);
    scene.run(5_000);
    const registered =
      "Node//new Normal RegisteredNode Node new event: Registered Node new in Controller";
    assert.deepEqual(told(), [registered]);
    api.delete("Node", "", "old", {});
    scene.run(5_000);
    assert.deepEqual(told(), [
      registered,
      "Node//old Normal RemovingNode Node old event: Removing Node old from Controller",
    ]);
  });
});
