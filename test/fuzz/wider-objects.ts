/**
 * Random objects that are less common: local volumes, recycled volumes, pods that preempt others or have placement constraints,
 * pods that read ConfigMaps, and others.
 */
import fc from "fast-check";
import type { Manifest } from "../../src/engine/scenario.ts";
import { attachedDriver, snapshotClass } from "./arbitrary-cluster.ts";
import {
  arbitraryObjects,
  claimName,
  claimOf,
  index,
  mountOf,
  nameOf,
  pod,
  podName,
  podSpec,
} from "./arbitrary-objects.ts";

const nodeName = fc.constantFrom("node-a", "node-a", "node-b", "node-c");

const localClass: Manifest = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "local" },
  provisioner: "kubernetes.io/no-provisioner",
  volumeBindingMode: "WaitForFirstConsumer",
};

function volumeOf(name: string, spec: Manifest): Manifest {
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name, labels: { disk: name } },
    spec: { capacity: { storage: "2Gi" }, accessModes: ["ReadWriteOnce"], ...spec },
  };
}

const claimSpecOf = (storageClassName: string, selected?: string): Manifest => ({
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
  storageClassName,
  ...(selected !== undefined && { selector: { matchLabels: { disk: selected } } }),
});

const use = (name: string): { claimName: string; isBlock: boolean } => ({
  claimName: name,
  isBlock: false,
});

/** A local volume, with a class, a claim and a pod for it. */
const localDisk = fc
  .record({ i: index, node: nodeName, claim: claimName, name: podName, selects: fc.boolean() })
  .map(({ i, node, claim, name, selects }): Manifest[] => [
    localClass,
    volumeOf(`disk-${i}`, {
      storageClassName: "local",
      local: { path: "/mnt" },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: [node] }],
            },
          ],
        },
      },
    }),
    claimOf(claim, claimSpecOf("local", selects ? `disk-${i}` : undefined)),
    pod(name, podSpec([use(claim)])),
  ]);

/** A volume with the policy Recycle and a claim for it: a recycler pod empties the volume when the claim is gone. */
const recycled = fc
  .record({ i: index, claim: claimName, source: fc.constantFrom("hostPath", "nfs") })
  .map(({ i, claim, source }): Manifest[] => [
    volumeOf(`shared-${i}`, {
      storageClassName: "manual",
      persistentVolumeReclaimPolicy: "Recycle",
      ...(source === "nfs"
        ? { nfs: { server: "nfs.example.com", path: `/export/${i}` } }
        : { hostPath: { path: "/mnt" } }),
    }),
    claimOf(claim, claimSpecOf("manual")),
  ]);

/** A pod that requests more than half of a node, so that one with a higher priority preempts another. */
const largePod = fc
  .record({
    name: podName,
    claim: claimName,
    priorityClassName: fc.constantFrom(undefined, "system-cluster-critical"),
  })
  .map(({ name, claim, priorityClassName }): Manifest[] => {
    const { containers, ...spec } = podSpec([use(claim)]) as { containers: Manifest[] };
    const [container] = containers;
    return [
      claimOf(claim, claimSpecOf("block-wffc")),
      pod(name, {
        ...spec,
        containers: [{ ...container, resources: { requests: { cpu: "5" } } }],
        ...(priorityClassName !== undefined && { priorityClassName }),
      }),
    ];
  });

const term = (topologyKey: string): Manifest => ({
  topologyKey,
  labelSelector: { matchLabels: { app: "app-0" } },
});

const placement: fc.Arbitrary<Manifest> = fc.oneof(
  nodeName.map((name) => ({ nodeName: name })),
  nodeName.map((name) => ({ nodeSelector: { "kubernetes.io/hostname": name } })),
  fc.constantFrom("kubernetes.io/hostname", "topology.kubernetes.io/zone").map((key) => ({
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(key)] },
    },
  })),
  fc.constant({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term("kubernetes.io/hostname")],
      },
    },
  }),
  fc.constant({
    topologySpreadConstraints: [
      { maxSkew: 1, whenUnsatisfiable: "DoNotSchedule", ...term("topology.kubernetes.io/zone") },
    ],
  }),
);

const placedPod = fc
  .record({
    name: podName,
    claim: claimName,
    className: fc.constantFrom("block", "block-wffc", "file"),
    placement,
  })
  .map(({ name, claim, className, placement: where }): Manifest[] => [
    claimOf(claim, claimSpecOf(className)),
    pod(name, { ...podSpec([use(claim)]), ...where }),
  ]);

const configName = nameOf("config");

const config = configName.map((name): Manifest[] => [
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { key: "value" } },
]);

const source = fc
  .record({
    name: configName,
    optional: fc.boolean(),
    kind: fc.constantFrom("configMap", "projected", "downwardAPI", "emptyDir", "hostPath"),
  })
  .map(({ name, optional, kind }): Manifest => {
    switch (kind) {
      case "configMap":
        return { configMap: { name, optional } };
      case "projected":
        return { projected: { sources: [{ configMap: { name, optional } }] } };
      case "downwardAPI":
        return {
          downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] },
        };
      case "emptyDir":
        return { emptyDir: {} };
      default:
        return { hostPath: { path: "/srv/data", type: "DirectoryOrCreate" } };
    }
  });

/** A pod that mounts files, often with an init container or a sidecar. */
const readingPod = fc
  .record({
    name: podName,
    source,
    restartPolicy: fc.constantFrom("Always", "Never", "OnFailure"),
    before: fc.constantFrom(undefined, "exit 0", "exit 1", "sleep 10"),
    isSidecar: fc.boolean(),
    command: fc.constantFrom(undefined, "sleep 30", "exit 1"),
  })
  .map(({ name, source: from, restartPolicy, before, isSidecar, command }): Manifest[] => [
    pod(name, {
      restartPolicy,
      ...(before !== undefined && {
        initContainers: [
          {
            name: "init",
            image: "busybox",
            command: ["sh", "-c", before],
            ...(isSidecar && { restartPolicy: "Always" }),
          },
        ],
      }),
      containers: [
        {
          name: "app",
          image: "busybox",
          ...(command !== undefined && { command: ["sh", "-c", command] }),
          volumeMounts: [mountOf("files")],
        },
      ],
      volumes: [{ name: "files", ...from }],
    }),
  ]);

const replicaSet = fc
  .record({ name: nameOf("rs"), claim: claimName, replicas: fc.integer({ min: 0, max: 2 }) })
  .map(({ name, claim, replicas }): Manifest[] => [
    claimOf(claim, claimSpecOf("file")),
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: podSpec([use(claim)]) },
      },
    },
  ]);

/** A pre-provisioned snapshot, and a claim restored from it. */
const knownSnapshot = fc
  .record({
    i: index,
    snapshot: nameOf("snap"),
    claim: claimName,
    policy: fc.constantFrom("Delete", "Retain"),
  })
  .map(({ i, snapshot, claim, policy }): Manifest[] => [
    {
      apiVersion: "snapshot.storage.k8s.io/v1",
      kind: "VolumeSnapshotContent",
      metadata: { name: `content-${i}` },
      spec: {
        driver: attachedDriver,
        deletionPolicy: policy,
        volumeSnapshotClassName: snapshotClass,
        source: { snapshotHandle: `handle-${i}` },
        volumeSnapshotRef: { namespace: "default", name: snapshot },
      },
    },
    {
      apiVersion: "snapshot.storage.k8s.io/v1",
      kind: "VolumeSnapshot",
      metadata: { name: snapshot },
      spec: {
        volumeSnapshotClassName: snapshotClass,
        source: { volumeSnapshotContentName: `content-${i}` },
      },
    },
    claimOf(claim, {
      ...claimSpecOf("block"),
      dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: snapshot },
    }),
  ]);

const limitRange = fc.constantFrom("1Gi", "2Gi").map((max): Manifest[] => [
  {
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name: "sizes" },
    spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage: max } }] },
  },
]);

/** The objects of one apply, in scenarios with less common objects. */
export const widerObjects: fc.Arbitrary<readonly Manifest[]> = fc.oneof(
  { arbitrary: arbitraryObjects, weight: 6 },
  { arbitrary: localDisk, weight: 3 },
  { arbitrary: recycled, weight: 2 },
  { arbitrary: largePod, weight: 3 },
  { arbitrary: placedPod, weight: 3 },
  { arbitrary: readingPod, weight: 3 },
  { arbitrary: config, weight: 1 },
  { arbitrary: replicaSet, weight: 1 },
  { arbitrary: knownSnapshot, weight: 2 },
  { arbitrary: limitRange, weight: 1 },
);
