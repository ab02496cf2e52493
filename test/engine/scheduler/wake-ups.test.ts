/** Which changes of the cluster make a rejected pod retried at once, by the plugin that rejected it, and which do not. */
import assert from "node:assert/strict";
import type { Pod } from "../../../src/engine/api/types.ts";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const zoneKey = "topology.kubernetes.io/zone";

function inZone(zone: string): { readonly labels: Readonly<Record<string, string>> } {
  return { labels: { [zoneKey]: zone } };
}

/** Returns how often "web" has failed. */
function failures(world: SchedulerWorld): number {
  const events = world.run(100).events("FailedScheduling");
  return events.filter(({ about }) => about === "Pod/default/web").length;
}

function waits(world: SchedulerWorld): void {
  assert.deepEqual([world.nodeOf("web"), failures(world)], [undefined, 1]);
}

function relabel(world: SchedulerWorld, pod: string, labels: Pod["metadata"]["labels"]): void {
  world.change("Pod", pod, (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...labels } },
  }));
}

suite("a pod without enough resources", () => {
  const asking = (cpu: string): Partial<Pod["spec"]> => ({
    containers: [{ name: "main", image: "busybox", resources: { requests: { cpu } } }],
  });
  const small = (): SchedulerWorld =>
    new SchedulerWorld()
      .node("node-a", { allocatable: { cpu: "1" } })
      .pod("web", asking("2"))
      .run(100);
  const resize = (world: SchedulerWorld, allocatable: Readonly<Record<string, string>>): void => {
    world.change(
      "Node",
      "node-a",
      (node) => ({
        ...node,
        status: { ...node.status, allocatable: { ...node.status?.allocatable, ...allocatable } },
      }),
      "status",
    );
  };

  test("is retried for a new node that could hold it", () => {
    const world = small().node("node-b", { allocatable: { cpu: "1999m" } });
    waits(world);
    world.node("node-c", { allocatable: { cpu: "2", pods: "0" } });
    waits(world);
    world.node("node-d", { allocatable: { cpu: "2" } }).run(100);
    assert.equal(world.nodeOf("web"), "node-d");
  });

  test("is retried when a node gets enough of what it requests", () => {
    const world = small();
    resize(world, { memory: "64Gi" });
    waits(world);
    resize(world, { cpu: "1999m" });
    waits(world);
    resize(world, { cpu: "2" });
    assert.equal(world.run(100).nodeOf("web"), "node-a");
  });

  test("is retried when a node allows more pods", () => {
    const world = new SchedulerWorld().node("node-a", { allocatable: { pods: "1" } });
    world.pod("first").run(20).pod("web").run(100);
    waits(world);
    resize(world, { pods: "2" });
    assert.equal(world.run(100).nodeOf("web"), "node-a");
  });
});

suite("a pod rejected by its topology spread", () => {
  const labels = { app: "web" };
  const spread: Partial<Pod["spec"]> = {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        minDomains: 2,
        topologyKey: zoneKey,
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: labels },
      },
    ],
  };
  const oneZone = (): SchedulerWorld =>
    new SchedulerWorld()
      .node("node-a", inZone("a"))
      .pod("first", {}, { labels })
      .pod("other", {}, { labels: { app: "other" } })
      .run(20)
      .pod("web", spread, { labels })
      .run(100);

  test("is retried when a pod that counts is deleted, but not for another pod", () => {
    const world = oneZone().delete("Pod", "other");
    waits(world);
    world.delete("Pod", "first").run(100);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("is retried when a pod that counts is relabeled, but not for another pod", () => {
    const world = oneZone();
    relabel(world, "other", { app: "third" });
    waits(world);
    relabel(world, "first", { app: "third" });
    assert.equal(world.run(100).nodeOf("web"), "node-a");
  });

  test("is retried for a new node with a zone, but not for one without", () => {
    const world = oneZone().node("node-b");
    waits(world);
    world.node("node-c", inZone("c")).run(100);
    assert.equal(world.nodeOf("web"), "node-c");
  });
});

suite("a pod that changes while it waits", () => {
  test("is retried when it tolerates more", () => {
    const taints = [{ key: "dedicated", effect: "NoSchedule" }];
    const world = new SchedulerWorld().node("node-a", { taints }).pod("web").run(100);
    waits(world);
    world.change("Pod", "web", (pod) => ({
      ...pod,
      spec: { ...pod.spec, tolerations: [...(pod.spec.tolerations ?? []), { operator: "Exists" }] },
    }));
    assert.equal(world.run(100).nodeOf("web"), "node-a");
  });

  test("is not retried for tolerations of something that did not reject it", () => {
    const tolerate = (world: SchedulerWorld): SchedulerWorld =>
      world.change("Pod", "web", (pod) => ({
        ...pod,
        spec: {
          ...pod.spec,
          tolerations: [...(pod.spec.tolerations ?? []), { key: "dedicated", operator: "Exists" }],
        },
      }));
    waits(
      tolerate(new SchedulerWorld().node("node-a", { unschedulable: true }).pod("web").run(100)),
    );
    const spread = (nodeTaintsPolicy: "Honor" | "Ignore"): Partial<Pod["spec"]> => ({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: zoneKey, whenUnsatisfiable: "DoNotSchedule", nodeTaintsPolicy },
      ],
    });
    const kept = (policy: "Honor" | "Ignore"): SchedulerWorld =>
      tolerate(new SchedulerWorld().node("node-a").pod("web", spread(policy)).run(100));
    waits(kept("Ignore"));
    assert.equal(failures(kept("Honor")), 2);
  });

  const relabelled = (version: KubernetesVersion): SchedulerWorld => {
    const term = { topologyKey: zoneKey, labelSelector: { matchLabels: { app: "web" } } };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const world = new SchedulerWorld(version).node("node-a", inZone("a"));
    world.pod("shy", { affinity: { podAntiAffinity: required } }).run(20);
    world.pod("web", {}, { labels: { app: "web" } }).run(100);
    waits(world);
    relabel(world, "web", { app: "other" });
    return world.run(100);
  };

  test("since 1.36 is retried when its labels change", () => {
    assert.equal(relabelled("1.36").nodeOf("web"), "node-a");
  });

  test("up to 1.35 is retried only five minutes after its labels change", () => {
    const world = relabelled("1.35");
    waits(world);
    assert.equal(world.run(360_000).nodeOf("web"), "node-a");
  });

  test("is not retried when one of its tolerations lasts longer", () => {
    const taints = [{ key: "dedicated", effect: "NoSchedule" }];
    const toleration = { key: "other", operator: "Exists", effect: "NoExecute" };
    const tolerations = [{ ...toleration, tolerationSeconds: 10 }];
    const world = new SchedulerWorld()
      .node("node-a", { taints })
      .pod("web", { tolerations })
      .run(100);
    waits(world);
    world.change("Pod", "web", (pod) => ({
      ...pod,
      spec: {
        ...pod.spec,
        tolerations: (pod.spec.tolerations ?? []).map((t) => ({ ...t, tolerationSeconds: 20 })),
      },
    }));
    waits(world);
  });
});

suite("a pod whose zone is too full", () => {
  test("is retried when a node's labels move it into another zone or out of its zone", () => {
    const labels = { app: "web" };
    const topologySpreadConstraints = [
      {
        maxSkew: 1,
        topologyKey: zoneKey,
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: labels },
      },
    ];
    const world = (): SchedulerWorld =>
      new SchedulerWorld()
        .node("node-a", inZone("a"))
        .pod("first", {}, { labels })
        .run(20)
        .node("node-b", { ...inZone("b"), unschedulable: true })
        .node("node-c")
        .pod("web", { topologySpreadConstraints }, { labels })
        .run(100);
    const move = (found: SchedulerWorld, node: string, zone: string | undefined): SchedulerWorld =>
      found
        .change("Node", node, ({ metadata, ...rest }) => {
          const { [zoneKey]: _, ...others } = metadata.labels ?? {};
          const moved = { ...others, ...(zone !== undefined && { [zoneKey]: zone }) };
          return { ...rest, metadata: { ...metadata, labels: moved } };
        })
        .run(100);
    waits(world());
    const renamed = world().change("Node", "node-a", ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, labels: { ...metadata.labels, rack: "1" } },
    }));
    waits(renamed);
    assert.equal(move(world(), "node-c", "b").nodeOf("web"), "node-c");
    assert.equal(move(world(), "node-b", undefined).nodeOf("web"), "node-a");
  });
});

suite("a pod rejected by affinity or anti-affinity", () => {
  const term = { topologyKey: zoneKey, labelSelector: { matchLabels: { app: "db" } } };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const beside = (spec: Partial<Pod["spec"]>, app: string): SchedulerWorld =>
    new SchedulerWorld()
      .node("node-a", inZone("a"))
      .pod("db", {}, { labels: { app } })
      .pod("other")
      .run(20)
      .pod("web", spec)
      .run(100);

  test("is retried when the pod that it avoids is deleted, but not for another pod", () => {
    const world = beside({ affinity: { podAntiAffinity: required } }, "db").delete("Pod", "other");
    waits(world);
    world.delete("Pod", "db").run(100);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  // Upstream: podMatchesAllAffinityTerms; kubernetes/kubernetes#139161.
  test("is not retried when a pod is deleted that matches only one of its anti-affinity terms", () => {
    const another = { topologyKey: zoneKey, labelSelector: { matchLabels: { tier: "back" } } };
    const several = { requiredDuringSchedulingIgnoredDuringExecution: [term, another] };
    const world = beside({ affinity: { podAntiAffinity: several } }, "db").delete("Pod", "db");
    waits(world);
    assert.equal(world.run(360_000).nodeOf("web"), "node-a");
  });

  test("is retried when a pod that it must be near is created or gets the labels", () => {
    const world = beside({ affinity: { podAffinity: required } }, "none").pod("third");
    waits(world);
    relabel(world, "other", { app: "none" });
    waits(world);
    relabel(world, "db", { app: "db" });
    assert.equal(world.run(100).nodeOf("web"), "node-a");
    const again = beside({ affinity: { podAffinity: required } }, "none");
    again.pod("late", {}, { labels: { app: "db" } }).run(100);
    assert.equal(again.nodeOf("web"), "node-a");
  });

  test("is retried for any new node if it has anti-affinity, but with affinity only for one with the topology key", () => {
    const shy = beside({ affinity: { podAntiAffinity: required } }, "db")
      .node("node-b")
      .run(100);
    assert.equal(shy.nodeOf("web"), "node-b");
    const social = beside({ affinity: { podAffinity: required } }, "none").node("node-b");
    waits(social);
    assert.equal(failures(social.node("node-c", inZone("c"))), 2);
  });

  test("is not retried for a new node if only other pods have the anti-affinity", () => {
    const world = new SchedulerWorld().node("node-a", inZone("a"));
    world.pod("shy", { affinity: { podAntiAffinity: required } }).run(20);
    world.pod("web", {}, { labels: { app: "db" } }).run(100);
    waits(world.node("node-b", inZone("b")));
    assert.equal(world.delete("Pod", "shy").run(100).nodeOf("web"), "node-a");
  });

  test("up to 1.35 is retried only five minutes after the pod that avoids it is deleted", () => {
    const world = new SchedulerWorld("1.35").node("node-a", inZone("a"));
    world.pod("shy", { affinity: { podAntiAffinity: required } }).run(20);
    world.pod("web", {}, { labels: { app: "db" } }).run(100);
    waits(world.delete("Pod", "shy"));
    assert.equal(world.run(360_000).nodeOf("web"), "node-a");
  });

  // kubernetes/kubernetes#141953.
  test("is retried only five minutes later for pods of namespaces selected by labels", () => {
    const elsewhere = (more: object): Partial<Pod["spec"]> => ({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...more }] },
      },
    });
    const seek = (more: object): SchedulerWorld => {
      const world = new SchedulerWorld().node("node-a", inZone("a")).apply(`
        apiVersion: v1
        kind: Namespace
        metadata: {name: team, namespace: "", labels: {team: data}}`);
      world.pod("web", elsewhere(more)).run(100);
      waits(world);
      return world.pod("db", {}, { namespace: "team", labels: { app: "db" } }).run(100);
    };
    assert.equal(seek({ namespaces: ["team"] }).nodeOf("web"), "node-a");
    assert.equal(seek({ namespaceSelector: {} }).nodeOf("web"), "node-a");
    const world = seek({ namespaceSelector: { matchLabels: { team: "data" } } });
    waits(world);
    assert.equal(world.run(360_000).nodeOf("web"), "node-a");
  });

  /** A "db" pod on a cordoned node, and another node. */
  const late = (): SchedulerWorld =>
    new SchedulerWorld()
      .node("node-a", inZone("a"))
      .pod("db", {}, { labels: { app: "db" } })
      .run(20)
      .change("Node", "node-a", (node) => ({ ...node, spec: { unschedulable: true } }))
      .node("node-b");
  const label = (world: SchedulerWorld, labels: Readonly<Record<string, string>>): void => {
    world.change("Node", "node-b", ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    }));
  };

  test("is retried when a node moves into a zone that its affinity requires, or out of one that it avoids", () => {
    const affinity = { podAffinity: required };
    const seeking = late().pod("web", { affinity }).run(100);
    label(seeking, { rack: "1" });
    waits(seeking);
    label(seeking, { [zoneKey]: "a" });
    assert.equal(seeking.run(100).nodeOf("web"), "node-b");
    const avoiding = late();
    label(avoiding, { [zoneKey]: "a" });
    avoiding
      .run(20)
      .pod("web", { affinity: { podAntiAffinity: required } })
      .run(100);
    label(avoiding, { rack: "1" });
    waits(avoiding);
    label(avoiding, { [zoneKey]: "b" });
    assert.equal(avoiding.run(100).nodeOf("web"), "node-b");
  });

  test("is not retried when a pod that it must be near is deleted, or one that it avoids keeps its labels", () => {
    const seeking = late()
      .pod("web", { affinity: { podAffinity: required } })
      .run(100);
    waits(seeking.delete("Pod", "db"));
    const same = beside({ affinity: { podAntiAffinity: required } }, "db");
    relabel(same, "db", { app: "db", tier: "2" });
    waits(same);
    relabel(same, "db", { app: "other" });
    assert.equal(same.run(100).nodeOf("web"), "node-a");
  });
});

suite("a pod whose disk another pod uses", () => {
  type Volume = NonNullable<Pod["spec"]["volumes"]>[number];
  const using = (volume: Omit<Volume, "name">): Partial<Pod["spec"]> => ({
    volumes: [{ name: "disk", ...volume }],
  });
  const gce = (pdName: string, readOnly = false): Partial<Pod["spec"]> =>
    using({ gcePersistentDisk: { pdName, readOnly } });
  const ebs = (volumeID: string, readOnly = false): Partial<Pod["spec"]> =>
    using({ awsElasticBlockStore: { volumeID, readOnly } });
  const rbd = (
    image: string,
    monitors: readonly string[],
    more: { readonly pool?: string; readonly readOnly?: boolean } = {},
  ): Partial<Pod["spec"]> => using({ rbd: { image, monitors, ...more } });
  const beside = (first: Partial<Pod["spec"]>, second: Partial<Pod["spec"]>): string | undefined =>
    new SchedulerWorld()
      .node("node-a")
      .pod("first", first)
      .run(20)
      .pod("web", second)
      .run(20)
      .nodeOf("web");

  test("cannot be on that pod's node, unless both only read and the disk's type allows that", () => {
    assert.equal(beside(gce("a"), gce("a")), undefined);
    assert.equal(beside(gce("a", true), gce("a")), undefined);
    assert.equal(beside(gce("a", true), gce("a", true)), "node-a");
    assert.equal(beside(gce("a"), gce("b")), "node-a");
    assert.equal(beside(ebs("a", true), ebs("a", true)), undefined);
    assert.equal(beside(ebs("a"), ebs("b")), "node-a");
    assert.equal(beside(gce("a"), ebs("a")), "node-a");
  });

  test("uses the same RBD image if a monitor, the pool and the image are the same", () => {
    assert.equal(beside(rbd("a", ["m", "n"]), rbd("a", ["n", "o"])), undefined);
    assert.equal(beside(rbd("a", ["m"]), rbd("a", ["n"])), "node-a");
    assert.equal(beside(rbd("a", ["m"]), rbd("b", ["m"])), "node-a");
    assert.equal(beside(rbd("a", ["m"], { pool: "rbd" }), rbd("a", ["m"])), undefined);
    assert.equal(beside(rbd("a", ["m"], { pool: "fast" }), rbd("a", ["m"])), "node-a");
    const reading = rbd("a", ["m"], { readOnly: true });
    assert.equal(beside(reading, rbd("a", ["m"])), undefined);
    assert.equal(beside(reading, reading), "node-a");
  });

  test("is retried when that pod is deleted, but not for another pod", () => {
    const world = new SchedulerWorld().node("node-a").pod("first", gce("a")).pod("other", gce("b"));
    world.run(20).pod("web", gce("a")).run(100).delete("Pod", "other");
    waits(world);
    world.delete("Pod", "first").run(100);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("is not retried when a pod of another namespace with that disk is deleted", () => {
    const world = new SchedulerWorld().node("node-a");
    const { runtime } = world;
    world.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: other}");
    world.pod("first", gce("a"), { namespace: "other" }).run(20).pod("web", gce("a")).run(100);
    runtime.as("test", undefined, () =>
      runtime.api.delete("Pod", "other", "first", { gracePeriodSeconds: 0 }),
    );
    world.run(2_000);
    waits(world);
  });
});

suite("a pod that waits because of its volumes", () => {
  type Change = (world: SchedulerWorld) => unknown;
  const claim = (name: string, more: string): string => `
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: ${name}, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
    spec: {storageClassName: slow, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}${more}}`;
  const volume = (name: string, zone: string): string => `
    apiVersion: v1
    kind: PersistentVolume
    metadata: {name: ${name}, labels: {${zoneKey}: ${zone}}}
    spec:
      storageClassName: slow
      accessModes: [ReadWriteOnce]
      capacity: {storage: 1Gi}
      csi: {driver: block.csi.test, volumeHandle: ${name}}`;
  const storageClass = (name: string, mode: string, provisioner = "block.csi.test"): string => `
    apiVersion: storage.k8s.io/v1
    kind: StorageClass
    metadata: {name: ${name}}
    provisioner: ${provisioner}
    volumeBindingMode: ${mode}`;
  const csiNode = (
    name: string,
    annotations: string,
    ...drivers: (readonly [string, number])[]
  ) => `
    apiVersion: storage.k8s.io/v1
    kind: CSINode
    metadata: {name: ${name}, annotations: ${annotations}}
    spec: {drivers: [${drivers.map(([driver, count]) => `{name: ${driver}, nodeID: a, topologyKeys: [], allocatable: {count: ${count}}}`)}]}`;
  const withVolumes = (...volumes: NonNullable<Pod["spec"]["volumes"]>): Partial<Pod["spec"]> => ({
    volumes,
  });
  const using = (claimName: string): Partial<Pod["spec"]> =>
    withVolumes({ name: "data", persistentVolumeClaim: { claimName } });
  const touch = (
    world: SchedulerWorld,
    kind: "PersistentVolumeClaim" | "PersistentVolume",
    name: string,
  ) =>
    world.change(
      kind,
      name,
      (object) =>
        ({
          ...object,
          metadata: {
            ...object.metadata,
            annotations: { ...object.metadata.annotations, touched: "yes" },
          },
        }) as typeof object,
    );
  const anew = (world: SchedulerWorld, name: string, volumeName: string): SchedulerWorld => {
    world.delete("PersistentVolumeClaim", name);
    world.change("PersistentVolumeClaim", name, ({ metadata, ...object }) => ({
      ...object,
      metadata: { ...metadata, finalizers: [] },
    }));
    return world.apply(claim(name, `, volumeName: ${volumeName}`));
  };
  const label = (world: SchedulerWorld, labels: Readonly<Record<string, string>>): SchedulerWorld =>
    world.change("Node", "node-a", (node) => ({
      ...node,
      metadata: { ...node.metadata, labels: { ...node.metadata.labels, ...labels } },
    }));
  const limit = (world: SchedulerWorld, counts: Readonly<Record<string, number>>): SchedulerWorld =>
    world.change("CSINode", "node-a", (object) => ({
      ...object,
      spec: {
        drivers: object.spec.drivers.map((driver) => {
          const count = counts[driver.name];
          return count === undefined ? driver : { ...driver, allocatable: { count } };
        }),
      },
    }));

  /** Its claim finds no volume and has no provisioner; it also has an inline volume of a driver. */
  const unbound = (): SchedulerWorld => {
    const world = new SchedulerWorld().node("node-a");
    world.apply(storageClass("slow", "WaitForFirstConsumer", "kubernetes.io/no-provisioner"));
    world.apply(claim("data", "").replace(/, annotations: .*\}/, "}"));
    world.apply(claim("other", "").replace(/, annotations: .*\}/, "}"));
    world.apply(csiNode("node-a", "{}"));
    for (const driver of ["inline.csi.test", "block.csi.test"])
      world.apply(`
        apiVersion: storage.k8s.io/v1
        kind: CSIDriver
        metadata: {name: ${driver}}
        spec: {storageCapacity: true, volumeLifecycleModes: [Ephemeral]}`);
    world.run(20).pod("web", {
      volumes: [
        { name: "data", persistentVolumeClaim: { claimName: "data" } },
        { name: "inline", csi: { driver: "inline.csi.test" } },
      ],
    });
    return world;
  };
  /** Its volume is in zone b, its node in zone a. */
  const elsewhere = (): SchedulerWorld => {
    const world = new SchedulerWorld().node("node-a", inZone("a"));
    world.apply(storageClass("slow", "Immediate"));
    for (const name of ["data", "other"])
      world.apply(volume(`pv-${name}`, "b")).apply(claim(name, `, volumeName: pv-${name}`));
    return world.run(20).pod("web", using("data"));
  };
  /** Its node has reached the limit for its driver's volumes. */
  const beyond = (): SchedulerWorld => {
    const world = new SchedulerWorld().node("node-a");
    world.apply(csiNode("node-a", "{}", ["block.csi.test", 1], ["other.csi.test", 5]));
    for (const name of ["data", "other"])
      world.apply(volume(`pv-${name}`, "a")).apply(claim(name, `, volumeName: pv-${name}`));
    return world
      .run(20)
      .pod("plain")
      .pod("first", using("other"))
      .run(20)
      .pod("web", using("data"));
  };
  const capacity = `
    apiVersion: storage.k8s.io/v1
    kind: CSIStorageCapacity
    metadata: {name: here, namespace: default}
    storageClassName: slow
    capacity: 5Gi
    nodeTopology: {}`;
  const withoutCapacity = (
    world: SchedulerWorld,
    driver: string,
    storageCapacity: boolean,
  ): SchedulerWorld =>
    world.change("CSIDriver", driver, (object) => ({
      ...object,
      spec: { ...object.spec, storageCapacity },
    }));
  const migrate = (
    world: SchedulerWorld,
    annotations: Readonly<Record<string, string>>,
  ): SchedulerWorld =>
    world.change("CSINode", "node-a", (object) => ({
      ...object,
      metadata: { ...object.metadata, annotations },
    }));

  const cases: readonly (readonly [string, () => SchedulerWorld, boolean, string, Change])[] = [
    ["is unbound", unbound, true, "a new class", (w) => w.apply(storageClass("new", "Immediate"))],
    [
      "is unbound",
      unbound,
      true,
      "a change of a class's allowedTopologies",
      (w) =>
        w.change("StorageClass", "slow", (c) => ({
          ...c,
          allowedTopologies: [{ matchLabelExpressions: [{ key: zoneKey, values: ["a"] }] }],
        })),
    ],
    [
      "is unbound",
      unbound,
      false,
      "a change of a class's annotations",
      (w) =>
        w.change("StorageClass", "slow", (c) => ({
          ...c,
          metadata: { ...c.metadata, annotations: { a: "b" } },
        })),
    ],
    [
      "is unbound",
      unbound,
      true,
      "a change of its claim",
      (w) => touch(w, "PersistentVolumeClaim", "data"),
    ],
    [
      "is unbound",
      unbound,
      false,
      "a change of another claim",
      (w) => touch(w, "PersistentVolumeClaim", "other"),
    ],
    [
      "is unbound",
      unbound,
      true,
      "any new volume",
      (w) => w.apply(volume("new", "a").replace("slow", "other")),
    ],
    ["is unbound", unbound, true, "a new node", (w) => w.node("node-b")],
    ["is unbound", unbound, true, "a node's other labels", (w) => label(w, { rack: "one" })],
    ["is unbound", unbound, true, "a new CSINode", (w) => w.apply(csiNode("node-b", "{}"))],
    [
      "is unbound",
      unbound,
      true,
      "the migration of a plugin to CSI",
      (w) => migrate(w, { "storage.alpha.kubernetes.io/migrated-plugins": "kubernetes.io/cinder" }),
    ],
    [
      "is unbound",
      unbound,
      false,
      "another annotation of a CSINode",
      (w) => migrate(w, { other: "kubernetes.io/cinder" }),
    ],
    ["is unbound", unbound, true, "published capacity", (w) => w.apply(capacity)],
    [
      "is unbound",
      unbound,
      true,
      "the driver of its inline volume ceasing to publish capacity",
      (w) => withoutCapacity(w, "inline.csi.test", false),
    ],
    [
      "is unbound",
      unbound,
      false,
      "another driver ceasing to publish capacity",
      (w) => withoutCapacity(w, "block.csi.test", false),
    ],
    [
      "is elsewhere",
      elsewhere,
      true,
      "a new WaitForFirstConsumer class",
      (w) => w.apply(storageClass("new", "WaitForFirstConsumer")),
    ],
    [
      "is elsewhere",
      elsewhere,
      false,
      "a new Immediate class",
      (w) => w.apply(storageClass("new", "Immediate")),
    ],
    ["is elsewhere", elsewhere, true, "a new node", (w) => w.node("node-b", inZone("c"))],
    ["is elsewhere", elsewhere, true, "a node's other labels", (w) => label(w, { rack: "one" })],
    [
      "is elsewhere",
      elsewhere,
      true,
      "a change of its claim",
      (w) => touch(w, "PersistentVolumeClaim", "data"),
    ],
    [
      "is elsewhere",
      elsewhere,
      false,
      "a change of another claim",
      (w) => touch(w, "PersistentVolumeClaim", "other"),
    ],
    ["is elsewhere", elsewhere, true, "any new volume", (w) => w.apply(volume("new", "c"))],
    [
      "is elsewhere",
      elsewhere,
      false,
      "a change of its volume other than the zone",
      (w) => touch(w, "PersistentVolume", "pv-data"),
    ],
    ["is one too many", beyond, true, "a new CSINode", (w) => w.apply(csiNode("node-b", "{}"))],
    [
      "is one too many",
      beyond,
      true,
      "the recreation of its claim",
      (w) => anew(w, "data", "pv-data"),
    ],
    [
      "is one too many",
      beyond,
      false,
      "the recreation of another claim",
      (w) => anew(w, "other", "pv-other"),
    ],
    [
      "is one too many",
      beyond,
      true,
      "a larger limit of any driver",
      (w) => limit(w, { "other.csi.test": 6 }),
    ],
    ["is one too many", beyond, false, "a smaller limit", (w) => limit(w, { "other.csi.test": 4 })],
    [
      "is one too many",
      beyond,
      false,
      "a change of a CSINode other than its limits",
      (w) => migrate(w, { other: "yes" }),
    ],
    [
      "is one too many",
      beyond,
      false,
      "the end of a pod without volumes",
      (w) => w.delete("Pod", "plain"),
    ],
  ];
  for (const [what, start, isTried, after, change] of cases) {
    test(`is ${isTried ? "" : "not "}retried after ${after} if its volume ${what}`, () => {
      const world = start().run(100);
      waits(world);
      change(world.run(2_000));
      assert.equal(failures(world), isTried ? 2 : 1);
    });
  }
});
