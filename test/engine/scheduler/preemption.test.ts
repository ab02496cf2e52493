/** How pods preempt pods of lower priority, and when they are tried again. */
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
  /** One of the two victims of "high" is gone before the scheduler has deleted the other. */
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

  test("the end of one victim does not make the pod retried while others are still to be deleted", () => {
    const { world } = halfway();
    assert.equal(world.events("FailedScheduling").length, 1);
    assert.equal(world.events("Preempted").length, 2);
  });

  test("after that it waits for the end of a pod, even if a new node could take it", () => {
    const { world, other } = halfway();
    assert.equal(world.node("node-b").run(10_000).nodeOf("high"), undefined);
    assert.equal(world.delete("Pod", other).run(2_000).nodeOf("high"), "node-a");
  });

  test("the end of the last victim makes the pod retried, even if it comes at once", () => {
    const world = crowded().pod("high", asking("3", urgent));
    const isDeleted = (): boolean =>
      world.get("Pod", "low").metadata.deletionTimestamp !== undefined;
    while (!isDeleted()) world.runtime.loop.step();
    world.delete("Pod", "low").run(2_000);
    assert.equal(world.nodeOf("high"), "node-a");
  });

  test("a pod of lower priority is deleted with a condition and an event, and its place taken", () => {
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

  test("a victim that is already terminating is not deleted again", () => {
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

  test("if a victim's condition cannot be written, preemption is retried at once", () => {
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

  test("a pod loses its nomination if a pod of higher priority takes its room", () => {
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

  /** "high" is created while the scheduler waits for the volume of "low" to be bound. */
  function preparing(version: KubernetesVersion): SchedulerWorld {
    const world = new SchedulerWorld(version)
      .apply(classes)
      .apply(delayed.replaceAll(/^ {2}/gm, ""));
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    world.node("node-a").pod("low", asking("3", { volumes })).run(50);
    assert.equal(world.nodeOf("low"), undefined);
    return world.pod("high", asking("3", urgent)).run(100);
  }

  test("a pod whose volumes are being bound is preempted without being deleted", () => {
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

  test("before 1.36 a pod whose volumes were being bound was deleted", () => {
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

  /** Returns how often pods fail again once "middle" is no longer nominated for the only node. */
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

  test("a pod that loses its nomination is retried, with those of the same or a lower priority", () => {
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

  test("when a nominated pod is deleted, those of lower priority are retried", () => {
    const take = (world: SchedulerWorld): unknown => world.delete("Pod", "middle");
    assert.deepEqual(triesOnceFree("1.36", take), [0, 0, 1]);
    assert.deepEqual(triesOnceFree("1.32", take), [0, 0, 0]);
  });

  test("in 1.33 and 1.34 the binding of a nominated pod makes those of lower priority retried", () => {
    const tries = (version: KubernetesVersion): number => {
      const world = new SchedulerWorld(version).apply(classes).node("node-a");
      world.pod("low", asking("3")).run(20);
      world.pod("middle", asking("3", { priorityClassName: "middle" })).run(50);
      world.pod("minor", asking("4")).run(20_000).delete("Pod", "low").run(5_000);
      assert.equal(world.nodeOf("middle"), "node-a");
      return world.events("FailedScheduling").filter((e) => e.about === "Pod/default/minor").length;
    };
    const versions: readonly KubernetesVersion[] = ["1.32", "1.33", "1.34", "1.35"];
    // The first attempt, one when "low" is gone, and in 1.33 and 1.34 one after the binding.
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
    /** Returns the node of "shy" five seconds and six minutes after a nominated pod that kept it away is deleted. */
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

    test(`the end of a nominated pod resolves "${reason}": at once since 1.36, before that minutes later`, () => {
      assert.deepEqual(nodeAfterwards("1.36"), ["node-a", "node-a"]);
      assert.deepEqual(nodeAfterwards("1.35"), [undefined, "node-a"]);
    });
  }

  test("before 1.35 a pod keeps its nomination after the binding", () => {
    const world = crowded("1.34");
    world.pod("high", asking("3", urgent)).run(50).delete("Pod", "low").run(1_500);
    assert.equal(world.nodeOf("high"), "node-a");
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, "node-a");
  });

  test("a pod with preemptionPolicy Never waits", () => {
    const world = crowded()
      .pod("high", asking("3", { priorityClassName: "polite" }))
      .run(50);
    assert.equal(
      world.messageOf("high"),
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.",
    );
    assert.equal(world.events("Preempted").length, 0);
  });

  test("up to 1.33 the message ends with preemption's result alone", () => {
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
    test(`an empty node that is too small reads "${whenEmpty}" (${version})`, () => {
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

  test("as few pods as possible are preempted, those of the lowest priority", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("middle", asking("1", { priorityClassName: "middle" })).run(20);
    for (const name of ["low-1", "low-2", "low-3"]) world.pod(name, asking("1")).run(20);
    world.pod("high", asking("2", urgent)).run(50);
    const doomed = world.events("Preempted").map((e) => e.about);
    assert.equal(doomed.length, 2);
    assert.ok(!doomed.includes("Pod/default/middle"));
  });

  test("if preemption cannot help either, the message names the rule that still fails", () => {
    const world = new SchedulerWorld().apply(classes).node("node-a");
    world.pod("low", asking("1")).run(20);
    world.pod("equal", asking("2", urgent)).run(20);
    world.pod("high", asking("3", urgent)).run(50);
    assert.equal(
      world.messageOf("high"),
      "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Insufficient cpu.",
    );
  });

  test("preemption chooses the node whose pods no budget protects", () => {
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

  test("pods of lower priority cannot take a nominated pod's room", () => {
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

  test("pods that conflict with anti-affinity are preempted, whichever side has it", () => {
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

  test("a pod that the preemptor must be near is not preempted if its priority is not lower; otherwise nothing helps", () => {
    const affinity = { podAffinity: near(hostname) };
    const crowdedBy = (db: Partial<Pod["spec"]>): readonly string[] => {
      const world = new SchedulerWorld().apply(classes).node("node-a");
      world.pod("db", asking("2", db), { labels }).pod("other", asking("2")).run(50);
      return doomed(world.pod("high", asking("2", { ...urgent, affinity })).run(50));
    };
    assert.deepEqual(crowdedBy(urgent), ["other"]);
    // Preemption first removes all pods of lower priority; without "db" the pod does not fit, so no node is a candidate.
    assert.deepEqual(crowdedBy({}), []);
  });

  test("topology spread preempts as many as necessary of the pods that count for it", () => {
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

  /** Adds a bound claim with access mode ReadWriteOncePod. */
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

  test("a pod that uses a ReadWriteOncePod claim is preempted", () => {
    const world = withExclusiveClaim(new SchedulerWorld().apply(classes)).node("node-a");
    world.pod("low", { volumes: ofOneClaim }).pod("other").run(50);
    world.pod("high", { ...urgent, volumes: ofOneClaim }).run(50);
    assert.deepEqual(doomed(world), ["low"]);
  });

  test("a pod that uses a ReadWriteOncePod claim is preempted by one that names the claim twice", () => {
    const world = withExclusiveClaim(new SchedulerWorld().apply(classes)).node("node-a");
    world.pod("low", { volumes: ofOneClaim }).run(50);
    const twice = ["data", "again"].flatMap((name) => ofOneClaim.map((v) => ({ ...v, name })));
    world.pod("high", { ...urgent, volumes: twice }).run(50);
    assert.deepEqual(doomed(world), ["low"]);
  });

  // As upstream, which counts a claim's users by its name alone.
  test("a pod of another namespace is preempted if its claim has the name of the ReadWriteOncePod claim", () => {
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

  test("a ReadWriteOncePod claim is not reserved for a nominated pod", () => {
    const world = withExclusiveClaim(crowded());
    world.pod("high", asking("3", { ...urgent, volumes: ofOneClaim })).run(50);
    assert.equal(world.get("Pod", "high").status?.nominatedNodeName, "node-a");
    assert.equal(world.pod("quick", { volumes: ofOneClaim }).run(50).nodeOf("quick"), "node-a");
    world.delete("Pod", "low").run(2_000);
    assert.deepEqual(doomed(world), ["low", "quick"]);
  });

  // A new pod is tried before all that back off, whatever their priority, so it must be rejected before "low" ends.
  test("a ReadWriteOncePod claim goes to the preemptor even if its user is replaced as it ends", () => {
    const world = withExclusiveClaim(new SchedulerWorld().apply(classes)).node("node-a");
    world.pod("low", { volumes: ofOneClaim }).run(50);
    world.pod("high", { ...urgent, volumes: ofOneClaim }).run(50);
    world.pod("replacement", { volumes: ofOneClaim }).delete("Pod", "low").run(50);
    assert.deepEqual([world.nodeOf("high"), world.nodeOf("replacement")], ["node-a", undefined]);
  });

  test("no other pod is preempted while a victim is terminating", () => {
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
