/** Clusters of several distributions, with the fields that are special to each: what runs there goes on. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { assumeCluster } from "../../../src/engine/profiles/assume-cluster.ts";
import type { Manifest, Step } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { exhaust } from "../../support/replay.ts";

const rest: Step = { type: "settle", limitMs: 600_000, quietMs: 130_000 };
const since = "2026-11-20T08:00:00Z";

function run(objects: readonly Manifest[], ...steps: readonly Step[]): Simulation {
  const { cluster } = assumeCluster([], undefined, { objects, isPartial: false });
  const simulation = new Simulation({ version: "1.36", seed: 1, cluster, steps: [...steps, rest] });
  exhaust(simulation.slices());
  return simulation;
}

/** Returns events, CSI calls and writes, except the kubelets' writes, which complete the shortened Nodes and Pods. */
function doings({ trace }: Simulation): readonly string[] {
  return trace.entries.flatMap((e) => {
    if (e.type === "event") return [`${e.reason} ${e.about}`];
    if (e.type === "call") return [e.call];
    const isOwn = e.actor === "cluster" || e.actor === "profile" || e.actor === "kubelet n";
    return e.type === "write" && !isOwn ? [`${e.actor} ${e.verb} ${e.ref}`] : [];
  });
}

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly [field: string]: unknown;
}

function object(apiVersion: string, kind: string, name: string, parts: Parts = {}): Manifest {
  const { metadata, ...others } = parts;
  const uid = `uid-of-${kind}-${name}`;
  return {
    apiVersion,
    kind,
    metadata: { name, uid, creationTimestamp: since, ...metadata },
    ...others,
  };
}

function node(name: string, labels: object, parts: Parts = {}): Manifest {
  const room = { cpu: "2", memory: "8Gi", pods: "110", "ephemeral-storage": "100Gi" };
  const ready = {
    type: "Ready",
    status: "True",
    reason: "KubeletReady",
    message: "",
    lastTransitionTime: since,
  };
  return object("v1", "Node", name, {
    metadata: { labels: { "kubernetes.io/hostname": name, ...labels }, ...parts.metadata },
    spec: { ...parts.spec },
    status: { capacity: room, allocatable: room, conditions: [ready], ...parts.status },
  });
}

/** A claim and the volume that a provisioner has created for it. */
function bound(
  className: string,
  provisioner: string,
  spec: object,
  finalizers: readonly string[],
): readonly Manifest[] {
  const common = {
    accessModes: ["ReadWriteOnce"],
    storageClassName: className,
    volumeMode: "Filesystem",
  };
  const size = { storage: "10Gi" };
  const claimRef = {
    kind: "PersistentVolumeClaim",
    namespace: "shop",
    name: "data",
    uid: "uid-of-PersistentVolumeClaim-data",
  };
  return [
    object("v1", "PersistentVolumeClaim", "data", {
      metadata: {
        namespace: "shop",
        annotations: {
          "pv.kubernetes.io/bind-completed": "yes",
          "pv.kubernetes.io/bound-by-controller": "yes",
          "volume.kubernetes.io/storage-provisioner": provisioner,
        },
        finalizers: ["kubernetes.io/pvc-protection"],
      },
      spec: { ...common, resources: { requests: size }, volumeName: "pvc-1" },
      status: { phase: "Bound", accessModes: common.accessModes, capacity: size },
    }),
    object("v1", "PersistentVolume", "pvc-1", {
      metadata: {
        annotations: { "pv.kubernetes.io/provisioned-by": provisioner },
        finalizers: ["kubernetes.io/pv-protection", ...finalizers],
      },
      spec: {
        ...common,
        capacity: size,
        claimRef,
        persistentVolumeReclaimPolicy: "Delete",
        ...spec,
      },
      status: { phase: "Bound" },
    }),
  ];
}

function pod(name: string, namespace: string, nodeName: string, parts: Parts = {}): Manifest {
  const isTrue = (type: string): object => ({ type, status: "True", lastTransitionTime: since });
  const running = { running: { startedAt: since } };
  return object("v1", "Pod", name, {
    metadata: { namespace, ...parts.metadata },
    spec: { nodeName, containers: [{ name: "c", image: "app:1" }], ...parts.spec },
    status: {
      phase: "Running",
      startTime: since,
      qosClass: "BestEffort",
      conditions: "PodReadyToStartContainers Initialized Ready ContainersReady PodScheduled"
        .split(" ")
        .map(isTrue),
      containerStatuses: [
        {
          name: "c",
          image: "app:1",
          imageID: "x",
          containerID: "containerd://c",
          ready: true,
          started: true,
          restartCount: 0,
          lastState: {},
          state: running,
        },
      ],
    },
  });
}

const user = pod("web", "shop", "n", {
  spec: {
    serviceAccountName: "default",
    containers: [
      { name: "c", image: "app:1", volumeMounts: [{ name: "data", mountPath: "/data" }] },
    ],
    volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
  },
});

function within(key: string, value: string): object {
  const matchExpressions = [{ key, operator: "In", values: [value] }];
  return { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } };
}

const deletePod: Step = {
  type: "delete",
  objects: [{ kind: "Pod", namespace: "shop", name: "web" }],
};
const deleteBoth: Step = {
  type: "delete",
  objects: [
    { kind: "Pod", namespace: "shop", name: "web" },
    { kind: "PersistentVolumeClaim", namespace: "shop", name: "data" },
  ],
};

suite("a cluster of GKE with an in-tree volume", () => {
  const driver = "pd.csi.storage.gke.io";
  const handle = "projects/UNSPECIFIED/zones/us-central1-a/disks/gke-pvc-1";
  const zone = "topology.gke.io/zone";
  const attached = `kubernetes.io/csi/${driver}^${handle}`;
  const nodeID = "projects/p/zones/us-central1-a/instances/n";
  const [claim, volume] = bound(
    "standard",
    "kubernetes.io/gce-pd",
    { gcePersistentDisk: { pdName: "gke-pvc-1", fsType: "ext4" } },
    ["external-attacher/pd-csi-storage-gke-io"],
  );
  const migrated = (one: Manifest | undefined, more: object): Manifest => {
    const { metadata, ...others } = one as unknown as KubeObject;
    const annotations = { ...metadata.annotations, "pv.kubernetes.io/migrated-to": driver };
    return { ...others, metadata: { ...metadata, ...more, annotations } } as unknown as Manifest;
  };
  const state = [
    node(
      "n",
      { [zone]: "us-central1-a", "topology.kubernetes.io/zone": "us-central1-a" },
      {
        metadata: {
          annotations: { "csi.volume.kubernetes.io/nodeid": JSON.stringify({ [driver]: nodeID }) },
        },
        status: { volumesAttached: [{ name: attached, devicePath: "" }], volumesInUse: [attached] },
      },
    ),
    object("storage.k8s.io/v1", "CSINode", "n", {
      metadata: {
        annotations: { "storage.alpha.kubernetes.io/migrated-plugins": "kubernetes.io/gce-pd" },
      },
      spec: {
        drivers: [{ name: driver, nodeID, topologyKeys: [zone], allocatable: { count: 15 } }],
      },
    }),
    object("storage.k8s.io/v1", "CSIDriver", driver, { spec: { attachRequired: true } }),
    migrated(claim, {}),
    migrated(volume, {
      labels: { "topology.kubernetes.io/zone": "us-central1-a" },
      finalizers: [
        "kubernetes.io/pv-protection",
        "external-attacher/pd-csi-storage-gke-io",
        "external-provisioner.volume.kubernetes.io/finalizer",
      ],
    }),
    user,
  ];

  test("goes on even if its VolumeAttachments were not saved", () => {
    assert.deepEqual(doings(run(state)), []);
  });

  test("lets the driver detach the disk when the pod is deleted", () => {
    const calls = doings(run(state, deletePod)).filter((one) =>
      /^(?:Node|Controller)\w+$/.test(one),
    );
    assert.deepEqual(calls, [
      "NodeUnpublishVolume",
      "NodeUnstageVolume",
      "ControllerUnpublishVolume",
    ]);
  });
});

suite("a cluster of k3s with a volume on its node", () => {
  const provisioner = "rancher.io/local-path";
  const state = [
    node("n", { "node-role.kubernetes.io/control-plane": "true" }),
    object("storage.k8s.io/v1", "CSINode", "n", { spec: { drivers: null } }),
    object("storage.k8s.io/v1", "StorageClass", "local-path", {
      provisioner,
      reclaimPolicy: "Delete",
      volumeBindingMode: "WaitForFirstConsumer",
    }),
    ...bound(
      "local-path",
      provisioner,
      {
        hostPath: {
          path: "/var/lib/rancher/k3s/storage/pvc-1_shop_data",
          type: "DirectoryOrCreate",
        },
        ...within("kubernetes.io/hostname", "n"),
      },
      [],
    ),
    user,
  ];

  test("goes on", () => assert.deepEqual(doings(run(state)), []));

  test("has the volume deleted with its claim", () => {
    const { store } = run(state, deleteBoth).runtime.api;
    assert.deepEqual(
      [store.list("PersistentVolume"), store.list("PersistentVolumeClaim")],
      [[], []],
    );
  });
});

suite("a cluster of kubeadm, as kind makes it, with its control plane in static pods", () => {
  const mirror = (name: string): Manifest =>
    pod(`${name}-n`, "kube-system", "n", {
      metadata: {
        annotations: { "kubernetes.io/config.mirror": name, "kubernetes.io/config.source": "file" },
        ownerReferences: [
          { apiVersion: "v1", kind: "Node", name: "n", uid: "uid-of-Node-n", controller: true },
        ],
      },
      spec: {
        hostNetwork: true,
        priority: 2_000_001_000,
        priorityClassName: "system-node-critical",
        tolerations: [{ operator: "Exists", effect: "NoExecute" }],
        volumes: [
          { name: "pki", hostPath: { path: "/etc/kubernetes/pki", type: "DirectoryOrCreate" } },
        ],
      },
    });

  test("goes on", () => {
    const taints = [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }];
    const names = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];
    const state = [
      node("n", {}, { spec: { taints } }),
      object("storage.k8s.io/v1", "CSINode", "n", { spec: { drivers: null } }),
    ];
    assert.deepEqual(doings(run([...state, ...names.map(mirror)])), []);
  });
});
