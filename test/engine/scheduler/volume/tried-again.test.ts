/** What makes pods that wait for volumes retried: the cases of queue.go of the scheduler's integration tests. */
import assert from "node:assert/strict";
import type { KubernetesVersion } from "../../../../src/engine/scenario.ts";
import { SchedulerWorld } from "../scheduler-world.ts";

const zoneKey = "topology.kubernetes.io/zone";

interface VolumeGiven {
  readonly zone?: string;
  /** A label that the volume's node affinity requires. */
  readonly node?: readonly [string, string];
  readonly source?: string;
}

function volume(name: string, given: VolumeGiven = {}): string {
  const { zone, node, source = "hostPath: {path: /tmp}" } = given;
  const labels = zone === undefined ? "" : `, labels: {${zoneKey}: ${zone}}`;
  const term = node && `{key: ${node[0]}, operator: In, values: [${node[1]}]}`;
  return `
    apiVersion: v1
    kind: PersistentVolume
    metadata: {name: ${name}${labels}}
    spec:
      accessModes: [ReadWriteMany]
      capacity: {storage: 1Mi}
      ${source}
      ${term ? `nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [${term}]}]}}` : ""}`;
}

function claim(name: string, volumeName = "", mode = "ReadWriteMany"): string {
  const bound = `, annotations: {pv.kubernetes.io/bind-completed: "yes"}`;
  return `
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: ${name}${volumeName === "" ? "" : bound}}
    spec:
      accessModes: [${mode}]
      resources: {requests: {storage: 1Mi}}
      volumeName: "${volumeName}"`;
}

const using = (claimName: string): Parameters<SchedulerWorld["pod"]>[1] => ({
  volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
});

const attachment = (name: string, attacher: string, volumeName: string): string => `
  apiVersion: storage.k8s.io/v1
  kind: VolumeAttachment
  metadata: {name: ${name}}
  spec: {attacher: ${attacher}, nodeName: node-a, source: {persistentVolumeName: ${volumeName}}}`;

const csiNode = (driver: string, count: number): string => `
  apiVersion: storage.k8s.io/v1
  kind: CSINode
  metadata: {name: node-a}
  spec: {drivers: [{name: ${driver}, nodeID: a, topologyKeys: [], allocatable: {count: ${count}}}]}`;

const capacity = (field: string): string => `
  apiVersion: storage.k8s.io/v1
  kind: CSIStorageCapacity
  metadata: {name: room, namespace: default}
  storageClassName: some
  ${field}`;

const inZone = (zone: string): { readonly labels: Readonly<Record<string, string>> } => ({
  labels: { [zoneKey]: zone },
});
const bind = (world: SchedulerWorld, name: string, volumeName: string): SchedulerWorld =>
  world.change("PersistentVolumeClaim", name, ({ metadata, spec, ...object }) => ({
    ...object,
    metadata: { ...metadata, annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
    spec: { ...spec, volumeName },
  }));

/** Deletes an object despite its finalizers, and recreates it. */
function anew(
  world: SchedulerWorld,
  kind: "PersistentVolume" | "PersistentVolumeClaim",
  name: string,
  manifest: string,
): SchedulerWorld {
  world.change(
    kind,
    name,
    (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }) as typeof object,
  );
  return world.delete(kind, name).apply(manifest);
}

/** Applies a change half a minute after the pods were rejected, and returns those that are retried. */
function triedAgain(
  world: SchedulerWorld,
  pods: readonly string[],
  change: (world: SchedulerWorld) => unknown,
): readonly string[] {
  const attempts = (pod: string): number =>
    world.events("FailedScheduling").filter(({ about }) => about === `Pod/default/${pod}`).length;
  world.run(200);
  const before = new Map(pods.map((pod) => [pod, attempts(pod)]));
  for (const pod of pods)
    assert.deepEqual([world.nodeOf(pod), before.get(pod)], [undefined, 1], pod);
  change(world.run(30_000));
  world.run(300);
  return pods.filter((pod) => world.nodeOf(pod) !== undefined || attempts(pod) > 1);
}

suite("pods that wait for a volume in their zone", () => {
  const zoned = (): SchedulerWorld => new SchedulerWorld().node("node-a", inZone("a"));

  test("a pod is retried when the volume that its claim names is created", () => {
    const world = zoned().apply(claim("data", "pv")).run(20).pod("web", using("data"));
    const tried = triedAgain(world, ["web"], (w) => w.apply(volume("pv", { zone: "a" })));
    assert.deepEqual([tried, world.nodeOf("web")], [["web"], "node-a"]);
  });

  test("a pod is retried when its volume gets another zone, but not for another label", () => {
    const start = (): SchedulerWorld =>
      zoned()
        .apply(volume("pv", { zone: "b" }))
        .apply(claim("data", "pv"))
        .run(20)
        .pod("web", using("data"));
    const label = (labels: Readonly<Record<string, string>>) => (world: SchedulerWorld) =>
      world.change("PersistentVolume", "pv", (object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
      }));
    assert.deepEqual(triedAgain(start(), ["web"], label({ [zoneKey]: "a" })), ["web"]);
    assert.deepEqual(triedAgain(start(), ["web"], label({ unrelated: "yes" })), []);
  });

  test("only the pod whose claim is created or bound is retried", () => {
    const start = (): SchedulerWorld =>
      zoned()
        .apply(volume("pv", { zone: "b" }))
        .run(20);
    const pods = (world: SchedulerWorld): SchedulerWorld =>
      world.pod("web", using("data")).pod("other", using("none"));
    const come = triedAgain(pods(start()), ["web", "other"], (w) => w.apply(claim("data", "pv")));
    assert.deepEqual(come, ["web"]);
    const unbound = pods(start().apply(claim("data")).run(20));
    assert.deepEqual(
      triedAgain(unbound, ["web", "other"], (w) => bind(w, "data", "pv")),
      ["web"],
    );
  });
});

suite("pods that wait for a ReadWriteOncePod volume", () => {
  test("only the pod whose claim is created is retried", () => {
    const world = new SchedulerWorld().node("node-a").apply(volume("pv")).run(20);
    world.pod("web", using("data")).pod("other", using("none"));
    const tried = triedAgain(world, ["web", "other"], (w) =>
      w.apply(claim("data", "pv", "ReadWriteOncePod")),
    );
    assert.deepEqual(tried, ["web"]);
  });

  test("only the pod that shares the claim with a deleted pod is retried", () => {
    const world = new SchedulerWorld().node("node-a").apply(volume("pv"));
    world
      .apply(claim("data", "pv", "ReadWriteOncePod"))
      .run(20)
      .pod("first", using("data"))
      .run(50);
    world.pod("web", using("data")).pod("other", using("none"));
    const tried = triedAgain(world, ["web", "other"], (w) => w.delete("Pod", "first"));
    assert.deepEqual([tried, world.nodeOf("web")], [["web"], "node-a"]);
  });
});

suite("a pod whose volume is accessible from no node", () => {
  const start = (node: readonly [string, string]): SchedulerWorld =>
    new SchedulerWorld()
      .node("node-a", { labels: { rack: "one" } })
      .apply(volume("pv", { node }))
      .apply(claim("data", "pv"))
      .run(20)
      .pod("web", using("data"));

  test("goes to a new node with the volume's label", () => {
    const world = start(["rack", "two"]);
    triedAgain(world, ["web"], (w) => w.node("node-b", { labels: { rack: "two" } }));
    assert.equal(world.nodeOf("web"), "node-b");
  });

  test("goes to a node that gets the volume's label", () => {
    const world = start(["rack", "two"]);
    triedAgain(world, ["web"], (w) =>
      w.change("Node", "node-a", ({ metadata, ...node }) => ({
        ...node,
        metadata: { ...metadata, labels: { ...metadata.labels, rack: "two" } },
      })),
    );
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("goes to the node where its volume is recreated", () => {
    const world = start(["rack", "two"]);
    triedAgain(world, ["web"], (w) =>
      anew(w, "PersistentVolume", "pv", volume("pv", { node: ["rack", "one"] })),
    );
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("goes to its node when the volume's affinity changes from the beta zone label to the current one", () => {
    const world = new SchedulerWorld().node("node-a", inZone("a"));
    world.apply(volume("pv", { node: ["failure-domain.beta.kubernetes.io/zone", "a"] }));
    world.apply(claim("data", "pv")).run(20).pod("web", using("data"));
    triedAgain(world, ["web"], (w) =>
      w.change("PersistentVolume", "pv", ({ spec, ...object }) => ({
        ...object,
        spec: {
          ...spec,
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: zoneKey, operator: "In", values: ["a"] }] },
              ],
            },
          },
        },
      })),
    );
    assert.equal(world.nodeOf("web"), "node-a");
  });
});

suite("pods whose claims are not bound", () => {
  const start = (room = ""): SchedulerWorld =>
    new SchedulerWorld()
      .node("node-a")
      .apply(room)
      .apply(volume("pv"))
      .apply(claim("data"))
      .apply(claim("other"))
      .run(20)
      .pod("web", using("data"))
      .pod("other", using("other"));

  test("only the pod whose claim is bound or recreated is retried", () => {
    const pods = ["web", "other"];
    assert.deepEqual(
      triedAgain(start(), pods, (w) => bind(w, "data", "pv")),
      ["web"],
    );
    assert.deepEqual(
      triedAgain(start(), pods, (w) =>
        anew(w, "PersistentVolumeClaim", "data", claim("data", "pv")),
      ),
      ["web"],
    );
  });

  for (const field of ["capacity", "maximumVolumeSize"] as const) {
    test(`all are retried when a published ${field} grows, and none when it shrinks`, () => {
      const world = (): SchedulerWorld => start(capacity(`${field}: 10Mi`));
      const set = (size: string) => (w: SchedulerWorld) =>
        w.change("CSIStorageCapacity", "room", (object) => ({ ...object, [field]: size }));
      assert.deepEqual(triedAgain(world(), ["web", "other"], set("20Mi")), ["web", "other"]);
      assert.deepEqual(triedAgain(world(), ["web", "other"], set("5Mi")), []);
    });
  }
});

suite("a pod whose node has reached its volume limit", () => {
  const driver = "block.csi.test";
  const full = (): SchedulerWorld => {
    const world = new SchedulerWorld().node("node-a").apply(csiNode(driver, 1));
    for (const name of ["one", "two"])
      world
        .apply(volume(name, { source: `csi: {driver: ${driver}, volumeHandle: ${name}}` }))
        .apply(claim(name, name));
    return world.run(20).pod("first", using("one")).run(50).pod("web", using("two"));
  };

  test("goes there when a pod with a volume of the driver is deleted", () => {
    const world = full();
    triedAgain(world, ["web"], (w) => w.delete("Pod", "first"));
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("goes there when the limit grows", () => {
    const world = full();
    triedAgain(world, ["web"], (w) =>
      w.change("CSINode", "node-a", ({ spec, ...object }) => ({
        ...object,
        spec: { drivers: spec.drivers.map((d) => ({ ...d, allocatable: { count: 2 } })) },
      })),
    );
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("is retried when any VolumeAttachment is deleted, if it has a claim", () => {
    const world = full().apply(attachment("of-another", "other.csi.test", "elsewhere"));
    const tried = triedAgain(world, ["web"], (w) => w.delete("VolumeAttachment", "of-another"));
    assert.deepEqual(tried, ["web"]);
  });

  /** A pod with an ephemeral volume; an attachment that no pod uses takes the last place on the only node. */
  function withOwnVolume(version: KubernetesVersion): SchedulerWorld {
    const world = new SchedulerWorld(version).node("node-a").apply(csiNode("block.csi.test", 1));
    for (const name of ["left", "own"])
      world.apply(volume(name, { source: `csi: {driver: block.csi.test, volumeHandle: ${name}}` }));
    world.apply(attachment("of-nobody", "block.csi.test", "left"));
    const resources = { requests: { storage: "1Mi" } };
    const template = { spec: { accessModes: ["ReadWriteMany"], resources } };
    const volumes = [{ name: "data", ephemeral: { volumeClaimTemplate: template } }];
    world.run(20).pod("web", { volumes }).run(20);
    const owner = `{apiVersion: v1, kind: Pod, name: web, uid: ${world.get("Pod", "web").metadata.uid}, controller: true}`;
    world.apply(
      claim("web-data", "own").replace("annotations:", `ownerReferences: [${owner}], annotations:`),
    );
    assert.match(world.run(5_000).messageOf("web") ?? "", /1 node\(s\) exceed max volume count/);
    return world.delete("VolumeAttachment", "of-nobody").run(20_000);
  }

  test("with an ephemeral volume is retried when an attachment is deleted; since 1.33 only minutes later", () => {
    assert.equal(withOwnVolume("1.32").nodeOf("web"), "node-a");
    const world = withOwnVolume("1.33");
    assert.equal(world.nodeOf("web"), undefined);
    assert.equal(world.run(360_000).nodeOf("web"), "node-a");
  });
});
