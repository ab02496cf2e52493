/** The volume plugins, rule by rule (docs/upstream/scheduler.md). */
import assert from "node:assert/strict";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { SchedulerWorld } from "./scheduler-world.ts";

const zoneKey = "topology.kubernetes.io/zone";

const storageClass = (name: string, more = ""): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ${name}}
provisioner: block.csi.test
volumeBindingMode: WaitForFirstConsumer
${more}`;

const localClass = storageClass("local").replace("block.csi.test", "kubernetes.io/no-provisioner");
const immediateClass = storageClass("now").replace("WaitForFirstConsumer", "Immediate");

const claim = (name: string, className: string, more = ""): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}}
spec: {storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}${more}}`;

const volumeOn = (name: string, node: string, className: string, size: string): string => `
apiVersion: v1
kind: PersistentVolume
metadata: {name: ${name}}
spec:
  storageClassName: ${className}
  accessModes: [ReadWriteOnce]
  capacity: {storage: ${size}}
  local: {path: /mnt}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [${node}]}]}]}}`;

const csiVolume = (name: string, labels = "{}"): string => `
apiVersion: v1
kind: PersistentVolume
metadata: {name: ${name}, labels: ${labels}}
spec:
  accessModes: [ReadWriteOnce]
  capacity: {storage: 5Gi}
  csi: {driver: block.csi.test, volumeHandle: vol-${name}}`;

/** A driver that publishes storage capacity. */
const publishingDriver = `
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: block.csi.test}
spec: {storageCapacity: true}`;

const room = (capacity: string, nodeTopology = "{}"): string => `
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata: {name: here, namespace: default}
storageClassName: block
capacity: ${capacity}
nodeTopology: ${nodeTopology}`;

function twoNodes(version: KubernetesVersion = "1.36"): SchedulerWorld {
  const world = new SchedulerWorld(version);
  for (const name of ["a", "b"])
    world.node(`node-${name}`, { labels: { [zoneKey]: `zone-${name}` } });
  return world;
}

function using(world: SchedulerWorld, pod: string, ...claims: string[]): SchedulerWorld {
  const volumes = claims.map((claimName) => ({
    name: claimName,
    persistentVolumeClaim: { claimName },
  }));
  return world.pod(pod, { volumes });
}

/** Does what the PersistentVolume controller does when it binds a claim. */
function bind(world: SchedulerWorld, claimName: string, volumeName: string): void {
  world.change("PersistentVolumeClaim", claimName, (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { ...object.metadata.annotations, "pv.kubernetes.io/bind-completed": "yes" },
    },
    spec: { ...object.spec, volumeName },
  }));
}

function makeAvailable(world: SchedulerWorld, ...names: string[]): void {
  for (const name of names)
    world.change(
      "PersistentVolume",
      name,
      (v) => ({ ...v, status: { phase: "Available" } }),
      "status",
    );
}

const filterTail =
  " no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.";

suite("claims before any node is checked", () => {
  const cases: readonly (readonly [string, (world: SchedulerWorld) => void, string])[] = [
    ["a claim that is missing", () => undefined, 'persistentvolumeclaim "data" not found'],
    [
      "an unbound claim of an Immediate class",
      (world) => world.apply(immediateClass).apply(claim("data", "now")),
      "pod has unbound immediate PersistentVolumeClaims",
    ],
    [
      "a claim that names its volume does not wait for the pod",
      (world) =>
        world.apply(storageClass("block")).apply(claim("data", "block", ", volumeName: pv")),
      "pod has unbound immediate PersistentVolumeClaims",
    ],
    [
      "a claim that has lost its volume",
      (world) => {
        world.apply(claim("data", "now", ", volumeName: pv"));
        world.change(
          "PersistentVolumeClaim",
          "data",
          (c) => ({ ...c, status: { phase: "Lost" } }),
          "status",
        );
      },
      'persistentvolumeclaim "data" bound to non-existent persistentvolume "pv"',
    ],
    [
      "a claim that is being deleted",
      (world) => world.apply(claim("data", "now")).delete("PersistentVolumeClaim", "data"),
      'persistentvolumeclaim "data" is being deleted',
    ],
    [
      "a bound claim whose volume is gone",
      (world) => {
        world.apply(claim("data", "now"));
        bind(world, "data", "gone");
      },
      'persistentvolume "gone" not found',
    ],
  ];
  for (const [title, prepare, reason] of cases) {
    test(title, () => {
      const world = twoNodes();
      prepare(world);
      using(world.run(20), "web", "data").run(50);
      assert.equal(world.messageOf("web"), `0/2 nodes are available: ${reason}. not found`);
    });
  }

  test("before 1.34 the message says that preemption does not help", () => {
    const world = using(twoNodes("1.33"), "web", "data").run(50);
    assert.equal(
      world.messageOf("web"),
      '0/2 nodes are available: persistentvolumeclaim "data" not found. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    );
  });

  test("the decision blames the claim on every node", () => {
    const world = using(twoNodes(), "web", "data").run(50);
    const decision = world.lastDecision("web");
    assert.deepEqual(
      decision?.candidates?.map(({ ref, failed }) => [
        ref,
        failed.map((f) => [f.rule, f.wanted, f.found]),
      ]),
      ["node-a", "node-b"].map((node) => [
        `Node//${node}`,
        [["claim-exists", "default/data", "no such claim"]],
      ]),
    );
  });

  test("a pod waits for its ephemeral claim, which has to be owned by the pod", () => {
    const world = twoNodes().apply(storageClass("block"));
    const resources = { requests: { storage: "1Gi" } };
    const template = {
      spec: { storageClassName: "block", accessModes: ["ReadWriteOnce"], resources },
    };
    const volumes = [{ name: "scratch", ephemeral: { volumeClaimTemplate: template } }];
    world.pod("web", { volumes }).run(50);
    assert.equal(
      world.messageOf("web"),
      '0/2 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "web-scratch". not found',
    );
    world.apply(claim("web-scratch", "block")).run(50);
    assert.equal(
      world.messageOf("web"),
      "0/2 nodes are available: PVC default/web-scratch was not created for pod default/web (pod is not owner). not found",
    );
  });

  test("the pod is retried when its claim is created, but not for another claim", () => {
    const world = using(twoNodes().apply(storageClass("block")), "web", "data").run(50);
    world.apply(claim("other", "block")).run(50);
    assert.equal(world.events("FailedScheduling").length, 1);
    world.apply(claim("data", "block")).run(50);
    assert.equal(world.get("Pod", "web").status?.nominatedNodeName, "node-a");
  });
});

suite("claims on a node", () => {
  for (const [version, reason] of [
    ["1.32", "node(s) had volume node affinity conflict"],
    ["1.36", "node(s) didn't match PersistentVolume's node affinity"],
  ] as const) {
    test(`a bound volume out of reach reads "${reason}" in ${version}`, () => {
      const world = twoNodes(version)
        .apply(claim("data", "local"))
        .apply(volumeOn("pv", "node-z", "local", "5Gi"));
      bind(world, "data", "pv");
      using(world.run(20), "web", "data").run(50);
      assert.ok(world.messageOf("web")?.startsWith(`0/2 nodes are available: 2 ${reason}.`));
    });
  }

  test("affinity of an in-tree disk is checked by its CSI driver's label, that of vSphere as written", () => {
    const labels = { [zoneKey]: "zone-a", "topology.ebs.csi.aws.com/zone": "zone-b" };
    for (const [source, zone] of [
      ["awsElasticBlockStore: {volumeID: vol-1}", "zone-b"],
      ["vsphereVolume: {volumePath: one}", "zone-a"],
    ] as const) {
      const world = new SchedulerWorld().node("node-a", { labels });
      const affinity = `nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: ${zoneKey}, operator: In, values: [${zone}]}]}]}}`;
      world.apply(claim("data", "now"));
      world.apply(csiVolume("pv").replace(/csi: \{.*\}/, `${source}\n  ${affinity}`));
      bind(world, "data", "pv");
      using(world.run(20), "web", "data").run(50);
      assert.equal(world.nodeOf("web"), "node-a", source);
    }
  });

  test("a claim without a volume or a provisioner keeps its pod from every node", () => {
    const world = twoNodes().apply(localClass).apply(claim("data", "local"));
    using(world.run(20), "web", "data").run(50);
    assert.equal(
      world.messageOf("web"),
      `0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.${filterTail}`,
    );
  });

  test("a class whose allowedTopologies match no node keeps the pod from every node", () => {
    const world = twoNodes().apply(
      storageClass(
        "far",
        `allowedTopologies: [{matchLabelExpressions: [{key: ${zoneKey}, values: [zone-z]}]}]`,
      ),
    );
    using(world.apply(claim("data", "far")).run(20), "web", "data").run(50);
    assert.match(
      world.messageOf("web") ?? "",
      /2 node\(s\) didn't find available persistent volumes to bind\./,
    );
  });

  test("the smallest volume that fits is assumed for the claim, and the pod waits for the binding", () => {
    const world = twoNodes()
      .apply(localClass)
      .apply(volumeOn("large", "node-b", "local", "20Gi"))
      .apply(volumeOn("small", "node-b", "local", "8Gi"))
      .apply(volumeOn("tiny", "node-a", "local", "1Gi"))
      .apply(claim("data", "local"));
    makeAvailable(world, "large", "small", "tiny");
    using(world.run(20), "web", "data").run(100);
    const volume = world.get("PersistentVolume", "small");
    assert.equal(volume.spec.claimRef?.name, "data");
    assert.equal(volume.metadata.annotations?.["pv.kubernetes.io/bound-by-controller"], "yes");
    assert.equal(world.get("Pod", "web").status?.nominatedNodeName, "node-b");
    bind(world, "data", "small");
    assert.equal(world.run(800).nodeOf("web"), undefined, "the first look is after a second");
    assert.equal(world.run(200).nodeOf("web"), "node-b");
  });

  test("a claim's decision says which volumes it did not get, and why", () => {
    const world = twoNodes()
      .apply(localClass)
      .apply(volumeOn("small", "node-a", "local", "1Gi"))
      .apply(volumeOn("far", "node-z", "local", "5Gi"))
      .apply(claim("data", "local"));
    makeAvailable(world, "small", "far");
    using(world.run(20), "web", "data").run(50);
    const failures = (): unknown => {
      const decision = world.lastDecision("data", "PersistentVolumeClaim");
      const candidates = decision?.candidates?.map(({ ref, failed }) => [
        ref,
        ...failed.map(({ rule }) => rule),
      ]);
      return [decision?.reason, decision?.chosen, candidates];
    };
    assert.deepEqual(failures(), [
      "Unmatched",
      undefined,
      [
        ["PersistentVolume//far", "node-affinity"],
        ["PersistentVolume//small", "capacity"],
      ],
    ]);
    world.apply(volumeOn("near", "node-b", "local", "5Gi"));
    makeAvailable(world, "near");
    world.run(50);
    assert.deepEqual((failures() as readonly unknown[]).slice(0, 2), [
      "Matched",
      "PersistentVolume//near",
    ]);
  });

  test("a volume serves only one claim of a pod, and volumes assumed for other pods are not available", () => {
    const world = twoNodes()
      .apply(localClass)
      .apply(volumeOn("one", "node-a", "local", "5Gi"))
      .apply(volumeOn("two", "node-b", "local", "5Gi"))
      .apply(claim("first", "local"))
      .apply(claim("second", "local"));
    makeAvailable(world, "one", "two");
    world.run(20);
    using(world, "both", "first", "second").run(20);
    assert.match(
      world.messageOf("both") ?? "",
      /2 node\(s\) didn't find available persistent volumes to bind\./,
    );
    using(world, "a", "first");
    using(world, "b", "second").run(20);
    assert.equal(world.get("Pod", "a").status?.nominatedNodeName, "node-a");
    assert.equal(world.get("Pod", "b").status?.nominatedNodeName, "node-b");
  });

  test("a claim to provision gets the node's name, and is fixed to that node", () => {
    const world = twoNodes().apply(storageClass("block")).apply(claim("data", "block"));
    using(world.run(20), "web", "data").run(100);
    const annotations = world.get("PersistentVolumeClaim", "data").metadata.annotations;
    assert.equal(annotations?.["volume.kubernetes.io/selected-node"], "node-a");
    world.pod("other", {
      nodeSelector: { [zoneKey]: "zone-b" },
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    });
    world.run(50);
    assert.match(
      world.messageOf("other") ?? "",
      /1 node\(s\) didn't find available persistent volumes to bind, 1 node\(s\) didn't match Pod's node affinity\/selector\./,
    );
  });

  test("published storage capacity is checked for a claim", () => {
    const world = twoNodes().apply(storageClass("block")).apply(claim("data", "block"));
    world.apply(publishingDriver);
    using(world.run(20), "web", "data").run(50);
    assert.equal(
      world.messageOf("web"),
      `0/2 nodes are available: 2 node(s) did not have enough free storage.${filterTail}`,
    );
    world.apply(room("4Gi", `{matchLabels: {${zoneKey}: zone-b}}`));
    world.run(50);
    assert.equal(world.get("Pod", "web").status?.nominatedNodeName, undefined);
    world.change("CSIStorageCapacity", "here", (c) => ({ ...c, capacity: "5Gi" })).run(50);
    assert.equal(world.get("Pod", "web").status?.nominatedNodeName, "node-b");
  });

  test("a pod without enough storage is retried when published capacity grows, but not when it shrinks", () => {
    const lacking = (): SchedulerWorld => {
      const world = twoNodes().apply(storageClass("block")).apply(claim("data", "block"));
      world.apply(publishingDriver);
      world.apply(room("4Gi"));
      return using(world.run(20), "web", "data").run(100);
    };
    const tries = (world: SchedulerWorld): number => world.events("FailedScheduling").length;
    const resize = (world: SchedulerWorld, capacity: string): SchedulerWorld =>
      world.change("CSIStorageCapacity", "here", (c) => ({ ...c, capacity })).run(100);
    const world = lacking();
    assert.equal(tries(resize(world, "3Gi")), 1);
    assert.equal(tries(resize(world, "3500Mi")), 2);
    assert.equal(tries(resize(world, "3500Mi")), 2);
  });

  const topologies: readonly (readonly [string, string, boolean])[] = [
    ["one label", `{matchLabels: {${zoneKey}: zone-b}}`, true],
    ["two labels", `{matchLabels: {${zoneKey}: zone-b, kubernetes.io/hostname: node-b}}`, true],
    [
      "labels of two nodes",
      `{matchLabels: {${zoneKey}: zone-a, kubernetes.io/hostname: node-b}}`,
      false,
    ],
    ["a label that no node has", "{matchLabels: {rack: zone-b}}", false],
    [
      "an expression",
      `{matchExpressions: [{key: ${zoneKey}, operator: NotIn, values: [zone-a]}]}`,
      true,
    ],
    ["no label", "{}", true],
  ];
  for (const [what, nodeTopology, isFound] of topologies) {
    test(`capacity with a topology of ${what} ${isFound ? "is" : "is not"} found`, () => {
      const world = twoNodes().apply(storageClass("block")).apply(claim("data", "block"));
      world.change("Node", "node-a", (n) => ({ ...n, spec: { ...n.spec, unschedulable: true } }));
      world.apply(publishingDriver);
      world.apply(room("5Gi", nodeTopology));
      using(world.run(20), "web", "data").run(50);
      assert.equal(
        world.get("Pod", "web").status?.nominatedNodeName,
        isFound ? "node-b" : undefined,
      );
    });
  }
});

suite("binding that goes wrong", () => {
  const start = (): SchedulerWorld => {
    const world = twoNodes().apply(storageClass("block")).apply(claim("data", "block"));
    return using(world.run(20), "web", "data").run(100);
  };
  const cases: readonly (readonly [string, (world: SchedulerWorld) => void, string])[] = [
    [
      "the provisioner gives the node back",
      (world) => {
        world.change("PersistentVolumeClaim", "data", (c) => ({
          ...c,
          metadata: { ...c.metadata, annotations: { other: "kept" } },
        }));
      },
      'provisioning failed for PVC "data"',
    ],
    [
      "the claim loses all annotations",
      (world) => {
        world.change("PersistentVolumeClaim", "data", (c) => {
          const { annotations: _, ...metadata } = c.metadata;
          return { ...c, metadata };
        });
      },
      'selectedNode annotation reset for PVC "data"',
    ],
    [
      "the node goes away",
      (world) => world.delete("Node", "node-a"),
      'failed to get node "node-a": node "node-a" not found',
    ],
    [
      "the claim goes away",
      (world) => {
        world.change("PersistentVolumeClaim", "data", (c) => ({
          ...c,
          metadata: { ...c.metadata, finalizers: [] },
        }));
        world.delete("PersistentVolumeClaim", "data");
      },
      'failed to check provisioning pvc: persistentvolumeclaims "default/data" not found',
    ],
  ];
  for (const [title, happens, message] of cases) {
    test(title, () => {
      const world = start();
      happens(world);
      world.run(1_200);
      assert.equal(
        world.events("FailedScheduling")[0]?.message,
        `running PreBind plugin "VolumeBinding": binding volumes: ${message}`,
      );
      const condition = world
        .get("Pod", "web")
        .status?.conditions?.find(({ type }) => type === "PodScheduled");
      assert.equal(condition?.reason, "SchedulerError");
    });
  }

  test("the volume for the pod's claim is deleted", () => {
    const world = twoNodes().apply(localClass).apply(claim("data", "local"));
    world.apply(volumeOn("disk", "node-a", "local", "5Gi"));
    makeAvailable(world, "disk");
    using(world.run(20), "web", "data").run(100);
    world.change("PersistentVolume", "disk", (volume) => ({
      ...volume,
      metadata: { ...volume.metadata, finalizers: [] },
    }));
    world.run(1_000);
    world.delete("PersistentVolume", "disk").run(1_200);
    assert.match(
      world.events("FailedScheduling")[0]?.message ?? "",
      /failed to check binding: persistentvolumes "disk" not found$/,
    );
  });

  /** A pod whose volume is to be provisioned for node-a, while node-b has become the better node. */
  function nominated(version: KubernetesVersion): {
    readonly world: SchedulerWorld;
    readonly nodes: () => unknown;
    readonly giveBack: () => unknown;
  } {
    const preference = { matchExpressions: [{ key: "better", operator: "Exists" }] };
    const preferred = [{ weight: 100, preference }];
    const world = twoNodes(version)
      .apply(storageClass("block"))
      .apply(claim("data", "block"))
      .run(20);
    world.pod("web", {
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } },
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    });
    world.run(100);
    const key = "volume.kubernetes.io/selected-node";
    const nodes = (): unknown => [
      world.get("PersistentVolumeClaim", "data").metadata.annotations?.[key],
      world.get("Pod", "web").status?.nominatedNodeName,
    ];
    const giveBack = (): unknown =>
      world.change("PersistentVolumeClaim", "data", (c) => ({
        ...c,
        metadata: { ...c.metadata, annotations: { other: "kept" } },
      }));
    assert.deepEqual(nodes(), ["node-a", "node-a"]);
    world.change("Node", "node-b", ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, labels: { ...metadata.labels, better: "yes" } },
    }));
    return { world, nodes, giveBack };
  }

  test("the pod's nomination ends with the failed binding, and the best node is chosen", () => {
    const { world, nodes, giveBack } = nominated("1.36");
    giveBack();
    world.run(1_200);
    assert.equal(world.events("FailedScheduling").length, 1);
    assert.deepEqual(nodes(), [undefined, undefined]);
    world.run(2_000);
    assert.deepEqual(nodes(), ["node-b", "node-b"]);
  });

  test("in 1.35 the pod keeps its nomination after the first failed binding, and is tried on that node first", () => {
    const { world, nodes, giveBack } = nominated("1.35");
    giveBack();
    world.run(1_200);
    assert.equal(world.events("FailedScheduling").length, 1);
    assert.deepEqual(nodes(), [undefined, "node-a"]);
    world.run(2_000);
    assert.deepEqual(nodes(), ["node-a", "node-a"]);
    giveBack();
    world.run(1_200);
    assert.deepEqual(nodes(), [undefined, undefined], "a second failure in a row takes it away");
    world.run(4_000);
    assert.deepEqual(nodes(), ["node-b", "node-b"]);
  });

  test("the wait for binding ends after ten minutes", () => {
    const world = start().run(601_000);
    assert.equal(
      world.events("FailedScheduling")[0]?.message,
      'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded',
    );
  });
});

suite("zones, restrictions and limits", () => {
  test("a volume's zone label restricts its pods to the zone", () => {
    const world = twoNodes()
      .apply(claim("data", "now"))
      .apply(csiVolume("pv", `{${zoneKey}: zone-b__zone-z}`));
    bind(world, "data", "pv");
    using(world.run(20), "web", "data").run(50);
    assert.equal(world.nodeOf("web"), "node-b");
    world.pod("pinned", {
      nodeSelector: { [zoneKey]: "zone-a" },
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    });
    assert.match(
      world.run(50).messageOf("pinned") ?? "",
      /1 node\(s\) had no available volume zone/,
    );
    const failures = (): number => world.run(2_000).events("FailedScheduling").length;
    const relabel = (zones: string): void => {
      world.change("PersistentVolume", "pv", ({ metadata, ...volume }) => ({
        ...volume,
        metadata: { ...metadata, labels: { [zoneKey]: zones } },
      }));
    };
    relabel("zone-z__zone-b");
    assert.equal(failures(), 1, "the zones are the same");
    relabel("zone-a__zone-b");
    assert.equal(world.run(50).nodeOf("pinned"), "node-a");
  });

  const beta = "failure-domain.beta.kubernetes.io";
  const zoneCases: readonly (readonly [
    string,
    string,
    Readonly<Record<string, string>>,
    boolean,
  ])[] = [
    ["an old zone label, on a node with today's", `{${beta}/zone: a}`, { [zoneKey]: "a" }, true],
    [
      "an old zone label, on a node of another zone",
      `{${beta}/zone: a}`,
      { [zoneKey]: "b" },
      false,
    ],
    [
      "an old region label, on a node with today's",
      `{${beta}/region: a}`,
      { "topology.kubernetes.io/region": "a" },
      true,
    ],
    [
      "today's zone label, on a node with the old one",
      `{${zoneKey}: a}`,
      { [`${beta}/zone`]: "a" },
      false,
    ],
    ["a zone label, on a node without zone and region", `{${zoneKey}: a}`, {}, true],
    [
      "a zone label, on a node with a region only",
      `{${zoneKey}: a}`,
      { [`${beta}/region`]: "a" },
      false,
    ],
    ["a zone label with an empty zone", `{${zoneKey}: a____c}`, { [zoneKey]: "b" }, true],
    [
      "the zone and another region",
      `{${zoneKey}: a, topology.kubernetes.io/region: a}`,
      { [zoneKey]: "a", "topology.kubernetes.io/region": "b" },
      false,
    ],
  ];
  for (const [what, volumeLabels, labels, fits] of zoneCases) {
    test(`a volume with ${what} ${fits ? "lets" : "does not let"} its pod run there`, () => {
      const world = new SchedulerWorld().node("node-a", { labels });
      world.apply(claim("data", "now")).apply(csiVolume("pv", volumeLabels));
      bind(world, "data", "pv");
      using(world.run(20), "web", "data").run(50);
      assert.equal(world.nodeOf("web"), fits ? "node-a" : undefined);
    });
  }

  test("the decision says the volume's zones and the node's", () => {
    const world = twoNodes().apply(claim("data", "now"));
    world.apply(csiVolume("pv", `{${zoneKey}: zone-y__zone-z}`));
    bind(world, "data", "pv");
    using(world.run(20), "web", "data").run(50);
    const candidates = world.lastDecision("web")?.candidates ?? [];
    assert.deepEqual(
      candidates.map(({ failed }) => failed),
      ["zone-a", "zone-b"].map((found) => [
        {
          rule: "volume-zone",
          wanted: `${zoneKey} zone-y or zone-z, where pv is`,
          wantedField: "metadata.labels",
          volume: "PersistentVolume//pv",
          found,
          foundField: "metadata.labels",
        },
      ]),
    );
  });

  for (const [version, reason] of [
    [
      "1.33",
      "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
    ],
    [
      "1.36",
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
    ],
  ] as const) {
    test(`a ReadWriteOncePod claim keeps a second pod from every node (${version})`, () => {
      const world = twoNodes(version).apply(
        claim("data", "now").replace("ReadWriteOnce", "ReadWriteOncePod"),
      );
      world.apply(csiVolume("pv"));
      bind(world, "data", "pv");
      using(world.run(20), "first", "data").run(50);
      using(world, "second", "data").run(50);
      assert.ok(world.messageOf("second")?.startsWith(`0/2 nodes are available: 2 ${reason}. `));
      assert.match(
        world.messageOf("second") ?? "",
        /2 No preemption victims found for incoming pod\.$/,
      );
      world.delete("Pod", "first").run(50);
      assert.ok(world.nodeOf("second"));
    });
  }

  test("a pod on a deleted node does not count as a user of a ReadWriteOncePod claim", () => {
    const exclusive = claim("data", "now").replace("ReadWriteOnce", "ReadWriteOncePod");
    const world = twoNodes().apply(exclusive).apply(csiVolume("pv"));
    bind(world, "data", "pv");
    using(world.run(20), "first", "data").run(50);
    const gone = world.nodeOf("first") ?? "";
    using(world.delete("Node", gone).run(20), "second", "data").run(50);
    assert.ok(world.nodeOf("second"));
    world.delete("Pod", "second").run(50).node(gone);
    using(world, "third", "data").run(50);
    assert.match(world.messageOf("third") ?? "", /already in-use by another pod/);
    world.delete("Pod", "first").run(50);
    assert.ok(world.nodeOf("third"));
  });

  test("nor does a pod on a node that does not exist yet", () => {
    const exclusive = claim("data", "now").replace("ReadWriteOnce", "ReadWriteOncePod");
    const world = twoNodes().apply(exclusive).apply(csiVolume("pv"));
    bind(world, "data", "pv");
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    world.run(20).pod("first", { nodeName: "later", volumes }).run(20);
    using(world, "second", "data").run(50);
    assert.ok(world.nodeOf("second"));
  });

  test("two pods cannot write to one in-tree disk on a node", () => {
    const world = new SchedulerWorld().node("node-a");
    const disk = (readOnly: boolean): object => ({
      volumes: [
        {
          name: "disk",
          iscsi: {
            iqn: "iqn.2026-01.test.example:disk",
            lun: 0,
            targetPortal: "10.0.0.1",
            readOnly,
          },
        },
      ],
    });
    world.pod("first", disk(true)).run(20).pod("reader", disk(true)).run(20);
    assert.equal(world.nodeOf("reader"), "node-a");
    world.pod("writer", disk(false)).run(20);
    assert.match(
      world.messageOf("writer") ?? "",
      /^0\/1 nodes are available: 1 node\(s\) had no available disk\. /,
    );
  });

  test("a node takes as many volumes as its CSINode allows; a shared volume counts once", () => {
    const world = new SchedulerWorld().node("node-a");
    world.apply(`
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      metadata: {name: node-a}
      spec: {drivers: [{name: block.csi.test, nodeID: a, topologyKeys: [], allocatable: {count: 1}}]}`);
    for (const name of ["one", "two"]) {
      world.apply(claim(name, "now")).apply(csiVolume(`pv-${name}`));
      bind(world, name, `pv-${name}`);
    }
    using(world.run(20), "first", "one").run(20);
    using(world, "sharer", "one").run(20);
    assert.equal(world.nodeOf("sharer"), "node-a");
    using(world, "second", "two").run(20);
    assert.match(
      world.messageOf("second") ?? "",
      /^0\/1 nodes are available: 1 node\(s\) exceed max volume count\. /,
    );
    world.delete("Pod", "first").run(20);
    assert.equal(world.nodeOf("second"), undefined, "the volume is still there for the sharer");
    world.delete("Pod", "sharer").run(20);
    assert.equal(world.nodeOf("second"), "node-a");
  });

  for (const [version, waits] of [
    ["1.32", true],
    ["1.33", false],
  ] as const) {
    test(`a limit that grows ${waits ? "does not make" : "makes"} the pod retried in ${version}`, () => {
      const world = new SchedulerWorld(version).node("node-a");
      world.apply(`
        apiVersion: storage.k8s.io/v1
        kind: CSINode
        metadata: {name: node-a}
        spec: {drivers: [{name: block.csi.test, nodeID: a, topologyKeys: [], allocatable: {count: 0}}]}`);
      world.apply(claim("data", "now")).apply(csiVolume("pv"));
      bind(world, "data", "pv");
      using(world.run(20), "web", "data").run(20);
      assert.match(world.messageOf("web") ?? "", /1 node\(s\) exceed max volume count/);
      world.change("CSINode", "node-a", (csiNode) => ({
        ...csiNode,
        spec: {
          drivers: csiNode.spec.drivers.map((driver) => ({ ...driver, allocatable: { count: 1 } })),
        },
      }));
      assert.equal(world.run(20_000).nodeOf("web"), waits ? undefined : "node-a");
    });
  }

  test("a limit set later also counts the volumes of pods that are already there", () => {
    const world = new SchedulerWorld().node("node-a");
    world.apply(`
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      metadata: {name: node-a}
      spec: {drivers: [{name: block.csi.test, nodeID: a, topologyKeys: []}]}`);
    for (const name of ["one", "two"]) {
      world.apply(claim(name, "now")).apply(csiVolume(`pv-${name}`));
      bind(world, name, `pv-${name}`);
    }
    using(world.run(20), "first", "one").run(20);
    assert.equal(world.nodeOf("first"), "node-a");
    world.change("CSINode", "node-a", (csiNode) => ({
      ...csiNode,
      spec: {
        drivers: csiNode.spec.drivers.map((driver) => ({ ...driver, allocatable: { count: 1 } })),
      },
    }));
    using(world.run(20), "second", "two").run(20);
    assert.match(world.messageOf("second") ?? "", /1 node\(s\) exceed max volume count/);
  });

  /** A node with a limit for each driver, and bound claims with the names of their volumes. */
  const limited = (limits: Readonly<Record<string, number>>): SchedulerWorld => {
    const world = new SchedulerWorld().node("node-a");
    const drivers = Object.entries(limits).map(
      ([name, count]) =>
        `{name: ${name}, nodeID: a, topologyKeys: [], allocatable: {count: ${count}}}`,
    );
    world.apply(`
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      metadata: {name: node-a}
      spec: {drivers: [${drivers}]}`);
    for (const name of ["one", "two", "three", "file"]) {
      const volume = csiVolume(name);
      world.apply(claim(name, "now"));
      world.apply(name === "file" ? volume.replace("block.csi", "file.csi") : volume);
      bind(world, name, name);
    }
    return world.run(20);
  };

  test("a volume that is already on the node needs no further place", () => {
    const world = limited({ "block.csi.test": 2 });
    using(using(world, "first", "one").run(20), "web", "one", "two").run(20);
    assert.equal(world.nodeOf("web"), "node-a");
    using(world, "third", "one", "three").run(20);
    assert.match(world.messageOf("third") ?? "", /1 node\(s\) exceed max volume count/);
    const [candidate] = world.lastDecision("third")?.candidates ?? [];
    assert.deepEqual(candidate?.failed, [
      {
        rule: "volume-limit",
        wanted: "1 more of block.csi.test",
        found: "2 of at most 2",
        foundField: "spec.drivers.allocatable.count",
      },
    ]);
  });

  test("volumes still to be provisioned count for their class's driver", () => {
    const world = limited({ "block.csi.test": 2 }).apply(storageClass("block"));
    for (const name of ["four", "five"]) world.apply(claim(name, "block"));
    using(using(world.run(20), "first", "one").run(20), "web", "four", "five").run(20);
    assert.match(world.messageOf("web") ?? "", /1 node\(s\) exceed max volume count/);
    using(world, "modest", "four").run(20);
    assert.doesNotMatch(world.messageOf("modest") ?? "", /max volume count/);
  });

  test("each driver's volumes are counted separately", () => {
    const world = limited({ "block.csi.test": 1, "file.csi.test": 1 });
    using(using(world, "first", "one").run(20), "web", "one", "file").run(20);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("a volume of a driver without a limit does not hide another driver's limit", () => {
    const world = limited({ "block.csi.test": 1 });
    using(using(world, "first", "one").run(20), "web", "file", "two").run(20);
    assert.match(world.messageOf("web") ?? "", /1 node\(s\) exceed max volume count/);
  });

  test("a volume on the node may be shared even if the limit has sunk below the number of volumes", () => {
    const world = limited({ "block.csi.test": 2 });
    using(world, "first", "one", "two").run(20);
    world.change("CSINode", "node-a", ({ spec, ...csiNode }) => ({
      ...csiNode,
      spec: { drivers: spec.drivers.map((driver) => ({ ...driver, allocatable: { count: 1 } })) },
    }));
    using(world.run(20), "sharer", "one").run(20);
    assert.equal(world.nodeOf("sharer"), "node-a");
  });

  test("a VolumeAttachment that no pod uses counts too", () => {
    const world = new SchedulerWorld().node("node-a");
    world.apply(`
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      metadata: {name: node-a}
      spec: {drivers: [{name: block.csi.test, nodeID: a, topologyKeys: [], allocatable: {count: 1}}]}`);
    world.apply(claim("data", "now")).apply(csiVolume("pv")).apply(csiVolume("left-over"));
    bind(world, "data", "pv");
    world.apply(`
      apiVersion: storage.k8s.io/v1
      kind: VolumeAttachment
      metadata: {name: csi-left-over}
      spec: {attacher: block.csi.test, nodeName: node-a, source: {persistentVolumeName: left-over}}`);
    using(world.run(20), "web", "data").run(20);
    assert.match(world.messageOf("web") ?? "", /1 node\(s\) exceed max volume count/);
    world.delete("VolumeAttachment", "csi-left-over").run(20);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("a disk counts once, whether inline, in an in-tree volume or in a CSI volume", () => {
    const world = new SchedulerWorld().node("node-a").apply(`
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      metadata: {name: node-a}
      spec: {drivers: [{name: cinder.csi.openstack.org, nodeID: a, topologyKeys: [], allocatable: {count: 1}}]}`);
    const sources = {
      tree: "cinder: {volumeID: one}",
      csi: "csi: {driver: cinder.csi.openstack.org, volumeHandle: one}",
    };
    for (const [name, source] of Object.entries(sources)) {
      world.apply(claim(name, "now"));
      world.apply(csiVolume(name).replace(/csi: \{.*\}/, source));
      bind(world, name, name);
    }
    const disk = (volumeID: string): Parameters<SchedulerWorld["pod"]>[1] => ({
      volumes: [{ name: "disk", cinder: { volumeID } }],
    });
    world.pod("first", disk("one")).run(20).pod("again", disk("one")).run(20);
    for (const name of Object.keys(sources)) using(world, name, name).run(20);
    for (const name of ["again", ...Object.keys(sources)])
      assert.equal(world.nodeOf(name), "node-a", name);
    world.pod("other", disk("two")).run(20);
    assert.match(world.messageOf("other") ?? "", /1 node\(s\) exceed max volume count/);
  });

  test("in-tree volumes of vSphere and in-tree shares of Azure count for no limit", () => {
    for (const [driver, source, inline] of [
      ["csi.vsphere.vmware.com", "vsphereVolume: {volumePath: one}", { volumePath: "two" }],
      ["file.csi.azure.com", "azureFile: {secretName: key, shareName: one}", undefined],
    ] as const) {
      const world = new SchedulerWorld().node("node-a").apply(`
        apiVersion: storage.k8s.io/v1
        kind: CSINode
        metadata: {name: node-a}
        spec: {drivers: [{name: ${driver}, nodeID: a, topologyKeys: [], allocatable: {count: 0}}]}`);
      world.apply(claim("data", "now")).apply(csiVolume("pv").replace(/csi: \{.*\}/, source));
      bind(world, "data", "pv");
      using(world.run(20), "web", "data").run(20);
      assert.equal(world.nodeOf("web"), "node-a", driver);
      if (inline === undefined) continue;
      world.pod("own", { volumes: [{ name: "disk", vsphereVolume: inline }] }).run(20);
      assert.equal(world.nodeOf("own"), "node-a");
    }
  });

  test("two attachments of one disk count once", () => {
    const world = new SchedulerWorld().node("node-a").apply(`
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      metadata: {name: node-a}
      spec: {drivers: [{name: block.csi.test, nodeID: a, topologyKeys: [], allocatable: {count: 2}}]}`);
    for (const name of ["one", "same"]) {
      world.apply(csiVolume(name).replace(`vol-${name}`, "vol-one")).apply(`
        apiVersion: storage.k8s.io/v1
        kind: VolumeAttachment
        metadata: {name: csi-${name}}
        spec: {attacher: block.csi.test, nodeName: node-a, source: {persistentVolumeName: ${name}}}`);
    }
    world.apply(claim("data", "now")).apply(csiVolume("pv"));
    bind(world, "data", "pv");
    using(world.run(20), "web", "data").run(20);
    assert.equal(world.nodeOf("web"), "node-a");
  });

  test("a pod with an inline disk is retried when an attachment of the disk's driver is deleted", () => {
    const disk = (pdName: string): Parameters<SchedulerWorld["pod"]>[1] => ({
      volumes: [{ name: "disk", gcePersistentDisk: { pdName } }],
    });
    const world = new SchedulerWorld().node("node-a").apply(`
      apiVersion: storage.k8s.io/v1
      kind: CSINode
      metadata: {name: node-a}
      spec: {drivers: [{name: pd.csi.storage.gke.io, nodeID: a, topologyKeys: [], allocatable: {count: 1}}]}`);
    const attach = (name: string, attacher: string): void => {
      world.apply(`
        apiVersion: storage.k8s.io/v1
        kind: VolumeAttachment
        metadata: {name: ${name}}
        spec: {attacher: ${attacher}, nodeName: node-b, source: {persistentVolumeName: left-over}}`);
    };
    attach("of-the-driver", "pd.csi.storage.gke.io");
    attach("of-another", "ebs.csi.aws.com");
    world.pod("first", disk("one")).run(20).pod("web", disk("two")).run(20);
    const failures = (): number => {
      const events = world.run(2000).events("FailedScheduling");
      return events.filter(({ about }) => about === "Pod/default/web").length;
    };
    assert.equal(failures(), 1);
    world.delete("VolumeAttachment", "of-another");
    assert.equal(failures(), 1);
    world.delete("VolumeAttachment", "of-the-driver");
    assert.equal(failures(), 2);
  });
});
