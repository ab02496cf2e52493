/** Pods that take the place of less important ones. */
import assert from "node:assert/strict";
import type { Pod } from "../../../src/engine/api/types.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const classes = `
  apiVersion: scheduling.k8s.io/v1
  kind: PriorityClass
  metadata: {name: urgent}
  value: 1000
  ---
  apiVersion: scheduling.k8s.io/v1
  kind: PriorityClass
  metadata: {name: polite}
  value: 1000
  preemptionPolicy: Never
  ---
  apiVersion: scheduling.k8s.io/v1
  kind: PriorityClass
  metadata: {name: middle}
  value: 500`.replaceAll(/^ {2}/gm, "");

const asking = (cpu: string, more: Partial<Pod["spec"]> = {}): Partial<Pod["spec"]> => ({
  containers: [{ name: "main", image: "busybox", resources: { requests: { cpu } } }],
  ...more,
});
const urgent = { priorityClassName: "urgent" };

function crowded(version: KubernetesVersion = "1.36"): SchedulerWorld {
  const world = new SchedulerWorld(version).apply(classes).node("node-a");
  return world.pod("low", asking("3"), { labels: { app: "low" } }).run(20);
}

suite("preemption", () => {
  /** One of the two victims of "high" is gone before the other has been asked to go. */
  function halfway(): { readonly world: SchedulerWorld; readonly other: string } {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("first", asking("2")).pod("second", asking("2")).run(50);
    world.pod("high", asking("4", urgent));
    const isDeleted = (name: string): boolean =>
      world.get("Pod", name).metadata.deletionTimestamp !== undefined;
    while (!isDeleted("first") && !isDeleted("second")) world.run(1);
    const [gone, other] = isDeleted("first") ? ["first", "second"] : ["second", "first"];
    world.delete("Pod", gone ?? "").run(5);
    assert.ok(!isDeleted(other ?? ""), "the other victim is still to be deleted");
    return { world: world.run(100), other: other ?? "" };
  }

  test("while victims are still to be deleted, the end of one of them does not have the pod tried again", () => {
    const { world } = halfway();
    assert.equal(world.events("FailedScheduling").length, 1);
    assert.equal(world.events("Preempted").length, 2);
  });

  test("once it was kept from that it waits for the end of a pod, though a node comes that could take it", () => {
    const { world, other } = halfway();
    assert.equal(world.node("node-b").run(10_000).nodeOf("high"), undefined);
    assert.equal(world.delete("Pod", other).run(2_000).nodeOf("high"), "node-a");
  });

  test("the end of the last victim has the pod tried again, however soon it comes", () => {
    const world = crowded().pod("high", asking("3", urgent));
    const isDeleted = (): boolean =>
      world.get("Pod", "low").metadata.deletionTimestamp !== undefined;
    while (!isDeleted()) world.runtime.loop.step();
    world.delete("Pod", "low").run(2_000);
    assert.equal(world.nodeOf("high"), "node-a");
  });

  test("a less important pod is deleted, told why, and its place taken", () => {
    const world = crowded();
    world.pod("high", asking("3", urgent)).run(10);
    assert.equal(world.messageOf("high"), "0/1 nodes are available: 1 Insufficient cpu.");
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, "node-a");
    const low = world.get("Pod", "low");
    assert.deepEqual(
      low.status?.conditions
        ?.filter(({ type }) => type === "DisruptionTarget")
        .map((c) => [c.status, c.reason, c.message]),
      [
        [
          "True",
          "PreemptionByScheduler",
          "default-scheduler: preempting to accommodate a higher priority pod",
        ],
      ],
    );
    world.run(10);
    assert.ok(world.get("Pod", "low").metadata.deletionTimestamp);
    const [preempted] = world.events("Preempted");
    assert.equal(
      preempted?.message,
      `Preempted by pod ${world.get("Pod", "high").metadata.uid} on node node-a`,
    );
    world.delete("Pod", "low").run(20);
    assert.equal(world.nodeOf("high"), "node-a");
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, undefined);
  });

  test("a victim that is on its way out already is not asked to go", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("low", asking("3"), { finalizers: ["example.com/keep"] }).run(20);
    world.delete("Pod", "low").pod("high", asking("3", urgent)).run(50);
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, "node-a");
    assert.deepEqual(world.events("Preempted"), []);
    assert.deepEqual(
      world.get("Pod", "low").status?.conditions?.map(({ type }) => type),
      ["PodScheduled"],
    );
  });

  test("a victim that cannot be marked is asked again at once", () => {
    const world = crowded();
    const { api } = world.runtime;
    let refusals = 1;
    const patch = api.patch.bind(api);
    api.patch = (kind, namespace, name, subresource, change) => {
      if (name !== "low" || refusals-- <= 0)
        return patch(kind, namespace, name, subresource, change);
      return { ok: false, error: { code: 500, reason: "InternalError", message: "down" } };
    };
    world.pod("high", asking("3", urgent)).run(100);
    assert.equal(refusals, -1);
    assert.equal(world.events("Preempted").length, 1);
    assert.ok(world.get("Pod", "low").metadata.deletionTimestamp);
  });

  test("who was to have the room that a more important pod takes is nominated for it no longer", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    const kept = { finalizers: ["example.com/keep"] };
    world.pod("low-1", asking("2"), kept).pod("low-2", asking("2"), kept).run(50);
    world.pod("between", asking("2", { priorityClassName: "middle" })).run(50);
    assert.equal(world.get("Pod", "between").status?.nominatedNodeName, "node-a");
    world.pod("high", asking("4", urgent)).run(50);
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, "node-a");
    assert.equal(world.get("Pod", "between").status?.nominatedNodeName, undefined);
  });

  const delayed = `
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: {name: later}
  provisioner: block.csi.test
  volumeBindingMode: WaitForFirstConsumer
  ---
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: {name: data}
  spec: {storageClassName: later, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`;

  /** The scheduler waits for the less important pod's volume when the other comes. */
  function preparing(version: KubernetesVersion): SchedulerWorld {
    const world = new SchedulerWorld(version)
      .apply(classes)
      .apply(delayed.replaceAll(/^ {2}/gm, ""));
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    world.node("node-a").pod("low", asking("3", { volumes })).run(50);
    assert.equal(world.nodeOf("low"), undefined);
    return world.pod("high", asking("3", urgent)).run(100);
  }

  test("a pod whose volumes are being bound gives way without being deleted", () => {
    const world = preparing("1.36");
    assert.equal(world.get("Pod", "low").metadata.deletionTimestamp, undefined);
    assert.deepEqual(
      world.events("Preempted").map(({ message }) => message),
      [
        `Preempted by pod ${world.get("Pod", "high").metadata.uid} on node node-a (in kube-scheduler memory).`,
      ],
    );
    assert.equal(
      world.messageOf("low"),
      'running PreBind plugin "VolumeBinding": binding volumes: context canceled',
    );
    world.run(5_000);
    assert.equal(world.nodeOf("high"), "node-a");
    assert.match(world.messageOf("low") ?? "", /Insufficient cpu/);
  });

  test("before 1.36 a pod whose volumes were being bound was deleted to give way", () => {
    const { api } = preparing("1.35").runtime;
    assert.equal(api.store.get("Pod", "default", "low"), undefined);
  });

  for (const [version, when, soon] of [
    ["1.35", "at once", true],
    ["1.34", "when its binding fails", false],
  ] as const) {
    test(`a pod that is deleted while its volumes are bound frees its room ${when} (${version})`, () => {
      const world = new SchedulerWorld(version)
        .apply(classes)
        .apply(delayed.replaceAll(/^ {2}/gm, ""));
      const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
      world.node("node-a").pod("first", asking("3", { volumes })).run(10);
      world.pod("second", asking("3")).run(20_500);
      assert.match(world.messageOf("second") ?? "", /Insufficient cpu/);
      world.delete("Pod", "first").run(100);
      assert.equal(world.nodeOf("second"), soon ? "node-a" : undefined);
      assert.equal(world.run(1_000).nodeOf("second"), "node-a");
    });
  }

  /** How often pods were tried in vain, once "middle" is no longer nominated for the only node. */
  function triesOnceFree(
    version: KubernetesVersion,
    take: (world: SchedulerWorld) => unknown,
  ): readonly number[] {
    const world = new SchedulerWorld(version).apply(classes).node("node-a");
    world.pod("low", asking("3"), { finalizers: ["example.com/keep"] }).run(20);
    world.pod("middle", asking("3", { priorityClassName: "middle" })).run(50);
    world.pod("polite", asking("4", { priorityClassName: "polite" })).pod("minor", asking("4"));
    world.run(20_000);
    const tries = (name: string): number =>
      world.events("FailedScheduling").filter(({ about }) => about === `Pod/default/${name}`)
        .length;
    const names = ["polite", "middle", "minor"];
    const before = names.map(tries);
    take(world);
    world.run(5_000);
    return names.map((name, i) => tries(name) - (before[i] ?? 0));
  }

  test("a pod that loses its nominated node is tried again, with those of the same or a lower priority", () => {
    const take = (world: SchedulerWorld): unknown =>
      world.change(
        "Pod",
        "middle",
        ({ status, ...pod }) => ({ ...pod, status: { conditions: status?.conditions ?? [] } }),
        "status",
      );
    assert.deepEqual(triesOnceFree("1.36", take), [0, 1, 1]);
    assert.deepEqual(triesOnceFree("1.32", take), [0, 0, 0]);
  });

  test("when a pod with a nominated node goes, those of a lower priority are tried again", () => {
    const take = (world: SchedulerWorld): unknown => world.delete("Pod", "middle");
    assert.deepEqual(triesOnceFree("1.36", take), [0, 0, 1]);
    assert.deepEqual(triesOnceFree("1.32", take), [0, 0, 0]);
  });

  test("a pod with a nominated node that is bound wakes those of a lower priority in 1.33 and 1.34", () => {
    const tries = (version: KubernetesVersion): number => {
      const world = new SchedulerWorld(version).apply(classes).node("node-a");
      world.pod("low", asking("3")).run(20);
      world.pod("middle", asking("3", { priorityClassName: "middle" })).run(50);
      world.pod("minor", asking("4")).run(20_000).delete("Pod", "low").run(5_000);
      assert.equal(world.nodeOf("middle"), "node-a");
      return world.events("FailedScheduling").filter((e) => e.about === "Pod/default/minor").length;
    };
    const versions: readonly KubernetesVersion[] = ["1.32", "1.33", "1.34", "1.35"];
    // At first, when "low" is gone, and once more.
    assert.deepEqual(versions.map(tries), [2, 3, 3, 2]);
  });

  const host = "kubernetes.io/hostname";
  const like = { matchLabels: { app: "middle" } };
  const term = { topologyKey: host, labelSelector: like };
  const spread = { ...term, maxSkew: 1, minDomains: 2, whenUnsatisfiable: "DoNotSchedule" };
  const keepingAway: readonly (readonly [string, Partial<Pod["spec"]>])[] = [
    [
      "node(s) didn't match pod anti-affinity rules",
      {
        affinity: {
          podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
        },
      },
    ],
    [
      "node(s) didn't match pod topology spread constraints",
      { topologySpreadConstraints: [spread] },
    ],
  ];
  for (const [reason, spec] of keepingAway) {
    /** Where "shy" is five seconds after the end of a pod like it that was nominated for the only node. */
    const nodeAfterwards = (version: KubernetesVersion): readonly (string | undefined)[] => {
      const labels = { app: "middle" };
      const world = new SchedulerWorld(version).apply(classes).node("node-a");
      world.pod("low", asking("3"), { finalizers: ["example.com/keep"] }).run(20);
      world.pod("middle", asking("3", { priorityClassName: "middle" }), { labels }).run(50);
      world.pod("shy", spec, { labels }).run(20_000);
      assert.ok(world.messageOf("shy")?.includes(`1 ${reason}.`), world.messageOf("shy"));
      world.delete("Pod", "middle").run(5_000);
      return [world.nodeOf("shy"), world.run(360_000).nodeOf("shy")];
    };

    test(`the end of a nominated pod is a way out of "${reason}", but until 1.35 minutes later`, () => {
      assert.deepEqual(nodeAfterwards("1.36"), ["node-a", "node-a"]);
      assert.deepEqual(nodeAfterwards("1.35"), [undefined, "node-a"]);
    });
  }

  test("before 1.35 the nomination outlives the binding", () => {
    const world = crowded("1.34");
    world.pod("high", asking("3", urgent)).run(50).delete("Pod", "low").run(1_500);
    assert.equal(world.nodeOf("high"), "node-a");
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, "node-a");
  });

  test("a polite pod waits", () => {
    const world = crowded()
      .pod("high", asking("3", { priorityClassName: "polite" }))
      .run(50);
    assert.equal(
      world.messageOf("high"),
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.",
    );
    assert.equal(world.events("Preempted").length, 0);
  });

  test("up to 1.33 only preemption has its say", () => {
    const world = crowded("1.33").pod("second", asking("3")).run(50);
    assert.equal(
      world.messageOf("second"),
      "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
    );
  });

  const unhelpful = "Preemption is not helpful for scheduling";
  for (const [version, whenEmpty, whenNot] of [
    ["1.33", "No preemption victims found for incoming pod", "Insufficient cpu"],
    ["1.34", unhelpful, unhelpful],
  ] as const) {
    test(`of a node that even empty is too small is said: ${whenEmpty} (${version})`, () => {
      const world = new SchedulerWorld(version).apply(classes).node("node-a");
      const saysFor = (name: string, said: string): void => {
        const message = world.pod(name, asking("100", urgent)).run(50).messageOf(name);
        assert.ok(message?.endsWith(`preemption: 0/1 nodes are available: 1 ${said}.`), message);
      };
      saysFor("large", whenEmpty);
      world.pod("low", asking("1")).run(50);
      saysFor("as-large", whenNot);
      assert.equal(world.events("Preempted").length, 0);
    });
  }

  test("no more pods go than have to, and the least important ones", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("middle", asking("1", { priorityClassName: "middle" })).run(20);
    for (const name of ["low-1", "low-2", "low-3"]) world.pod(name, asking("1")).run(20);
    world.pod("high", asking("2", urgent)).run(50);
    const doomed = world.events("Preempted").map((e) => e.about);
    assert.equal(doomed.length, 2);
    assert.ok(!doomed.includes("Pod/default/middle"));
  });

  test("where eviction would not help either, the rule that remains is named", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("low", asking("1")).run(20);
    world.pod("equal", asking("2", urgent)).run(20);
    world.pod("high", asking("3", urgent)).run(50);
    assert.equal(
      world.messageOf("high"),
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Insufficient cpu.",
    );
  });

  test("the node whose pods no budget protects is chosen", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a").node("node-b");
    world.apply(`
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: keep}
      spec: {minAvailable: 1, selector: {matchLabels: {app: kept}}}`);
    world.pod("kept", asking("3"), { labels: { app: "kept" } }).run(20);
    world.pod("other", asking("3"), { labels: { app: "other" } }).run(20);
    world.pod("high", asking("3", urgent)).run(50);
    assert.deepEqual(
      world.events("Preempted").map((e) => e.about),
      ["Pod/default/other"],
    );
  });

  test("a nominated pod keeps its room against pods of a lower priority", () => {
    const world = crowded().pod("high", asking("3", urgent)).run(50);
    world.pod("sneaky", asking("3")).run(50).delete("Pod", "low").run(50);
    assert.equal(world.nodeOf("high"), "node-a");
    assert.equal(world.nodeOf("sneaky"), undefined);
  });

  const doomed = (world: SchedulerWorld): readonly string[] =>
    world
      .events("Preempted")
      .map((e) => e.about.replace("Pod/default/", ""))
      .toSorted();
  const labels = { app: "db" };
  const near = (topologyKey: string) => ({
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey, labelSelector: { matchLabels: labels } },
    ],
  });
  const hostname = "kubernetes.io/hostname";

  test("pods that a more important one must not be near give way, those that avoid it too", () => {
    const avoiding = new SchedulerWorld().apply(classes).node("node-a");
    avoiding.pod("db", {}, { labels }).pod("other").run(50);
    avoiding.pod("high", { ...urgent, affinity: { podAntiAffinity: near(hostname) } }).run(50);
    assert.deepEqual(doomed(avoiding), ["db"]);
    const avoided = new SchedulerWorld().apply(classes).node("node-a");
    avoided
      .pod("shy", { affinity: { podAntiAffinity: near(hostname) } })
      .pod("other")
      .run(50);
    avoided.pod("high", urgent, { labels }).run(50);
    assert.deepEqual(doomed(avoided), ["shy"]);
  });

  test("a pod that the more important one wants to be near stays, and only that of its equals helps", () => {
    const affinity = { podAffinity: near(hostname) };
    const crowdedBy = (db: Partial<Pod["spec"]>): readonly string[] => {
      const world = new SchedulerWorld().apply(classes).node("node-a");
      world.pod("db", asking("2", db), { labels }).pod("other", asking("2")).run(50);
      return doomed(world.pod("high", asking("2", { ...urgent, affinity })).run(50));
    };
    assert.deepEqual(crowdedBy(urgent), ["other"]);
    // Without all less important pods it would have no neighbour, and none is put back before that is asked.
    assert.deepEqual(crowdedBy({}), []);
  });

  test("of pods that are spread too unevenly as many go as have to, of its own namespace and labels", () => {
    const spread = {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: hostname,
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: labels },
        },
      ],
    };
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("one", {}, { labels }).pod("two", {}, { labels }).pod("other").run(50);
    world.node("node-b", { allocatable: { cpu: "1" } });
    world.pod("high", asking("2", { ...urgent, ...spread }), { labels }).run(50);
    assert.deepEqual(doomed(world), ["one", "two"]);
    const even = new SchedulerWorld().apply(classes).node("node-a");
    even.pod("one", {}, { labels }).pod("full", asking("3")).run(50);
    even.node("node-b", { allocatable: { cpu: "1" } });
    even.pod("high", asking("2", { ...urgent, ...spread }), { labels }).run(50);
    assert.deepEqual(doomed(even), ["full", "one"]);
  });

  const ofOneClaim = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];

  /** With a bound claim that only one pod may use. */
  function withExclusiveClaim(world: SchedulerWorld): SchedulerWorld {
    const exclusive = delayed
      .replace("WaitForFirstConsumer", "Immediate")
      .replace("ReadWriteOnce]", "ReadWriteOncePod]")
      .replace("spec: {", "spec: {volumeName: pv, ");
    const pv = `
  apiVersion: v1
  kind: PersistentVolume
  metadata: {name: pv}
  spec: {storageClassName: later, accessModes: [ReadWriteOncePod], capacity: {storage: 1Gi}, hostPath: {path: /x}}`;
    world.apply(`${exclusive}\n  ---${pv}`.replaceAll(/^ {2}/gm, ""));
    const bound = { "pv.kubernetes.io/bind-completed": "yes" };
    world.change("PersistentVolumeClaim", "data", (claim) => ({
      ...claim,
      metadata: { ...claim.metadata, annotations: bound },
    }));
    return world;
  }

  test("a pod that has a claim for one pod alone gives way", () => {
    const world = withExclusiveClaim(new SchedulerWorld().apply(classes)).node("node-a");
    world.pod("low", { volumes: ofOneClaim }).pod("other").run(50);
    world.pod("high", { ...urgent, volumes: ofOneClaim }).run(50);
    assert.deepEqual(doomed(world), ["low"]);
  });

  test("a pod that has a claim for one pod alone gives way to one that names the claim twice", () => {
    const world = withExclusiveClaim(new SchedulerWorld().apply(classes)).node("node-a");
    world.pod("low", { volumes: ofOneClaim }).run(50);
    const twice = ["data", "again"].flatMap((name) => ofOneClaim.map((v) => ({ ...v, name })));
    world.pod("high", { ...urgent, volumes: twice }).run(50);
    assert.deepEqual(doomed(world), ["low"]);
  });

  // So it is upstream, whose count of a claim's users knows names alone.
  test("a pod of another namespace gives way whose claim is called like the one for one pod alone", () => {
    const world = withExclusiveClaim(new SchedulerWorld().apply(classes)).node("node-a");
    world.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: other}");
    world.pod("holder", { ...urgent, volumes: ofOneClaim }).run(50);
    const metadata = { name: "bystander", namespace: "other" };
    world.runtime.as("test", undefined, () =>
      world.runtime.api.restore({
        ...world.get("Pod", "holder"),
        metadata: { ...world.get("Pod", "holder").metadata, ...metadata, uid: "uid of bystander" },
        spec: { ...world.get("Pod", "holder").spec, priority: 0 },
      }),
    );
    world
      .run(50)
      .pod("high", { ...urgent, volumes: ofOneClaim })
      .run(50);
    assert.deepEqual(
      world.events("Preempted").map(({ about }) => about),
      ["Pod/other/bystander"],
    );
  });

  test("a claim for one pod alone is not kept for a pod that is only nominated for its node", () => {
    const world = withExclusiveClaim(crowded());
    world.pod("high", asking("3", { ...urgent, volumes: ofOneClaim })).run(50);
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, "node-a");
    assert.equal(world.pod("quick", { volumes: ofOneClaim }).run(50).nodeOf("quick"), "node-a");
    world.delete("Pod", "low").run(2_000);
    assert.deepEqual(doomed(world), ["low", "quick"]);
  });

  // A new pod comes before all that back off, whatever their priority: it must have been rejected by then.
  test("a claim for one pod alone goes to who had its user deleted, though that user is replaced at the moment that it ends", () => {
    const world = withExclusiveClaim(new SchedulerWorld().apply(classes)).node("node-a");
    world.pod("low", { volumes: ofOneClaim }).run(50);
    world.pod("high", { ...urgent, volumes: ofOneClaim }).run(50);
    world.pod("replacement", { volumes: ofOneClaim }).delete("Pod", "low").run(50);
    assert.deepEqual([world.nodeOf("high"), world.nodeOf("replacement")], ["node-a", undefined]);
  });

  test("as long as a victim is on its way out nobody else is asked to go", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("low", asking("2"), { finalizers: ["example.com/keep"] }).run(20);
    world.pod("tiny", asking("1")).run(20).pod("high", asking("3", urgent)).run(50);
    world.delete("Pod", "tiny").run(2000);
    assert.match(
      world.messageOf("high") ?? "",
      /preemption: not eligible due to a terminating pod on the nominated node\.$/,
    );
  });
});
