/** Random clusters: volumes, claims, pods and workloads, then steps that disturb them, then quiet. */
import fc from "fast-check";
import { driverProfile } from "../../src/engine/csi/driver-profile.ts";
import type { ClusterProfile, Manifest, Scenario, Step } from "../../src/engine/scenario.ts";
import { otherWork, workloadStep } from "./arbitrary-workload.ts";

const classes = ["", "manual", "block", "block-wffc", "file", "missing"] as const;
const modes = ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"] as const;
const sizes = ["1Gi", "2Gi", "5Gi", "10Gi"] as const;
const nodes = ["node-a", "node-b", "node-c"] as const;

const cluster: ClusterProfile = {
  name: "fuzz",
  nodes: nodes.map((name) => ({ name, zone: name.replace("node", "zone") })),
  drivers: [
    driverProfile({
      name: "block.csi.test",
      topologyKey: "topology.block.csi.test/zone",
      snapshots: true,
      clone: true,
    }),
    driverProfile({ name: "file.csi.test", attachRequired: false, fsGroupPolicy: "File" }),
  ],
  manifests: [
    storageClass("block", "block.csi.test", "Immediate"),
    storageClass("block-wffc", "block.csi.test", "WaitForFirstConsumer"),
    storageClass("file", "file.csi.test", "Immediate"),
  ],
};

function storageClass(name: string, provisioner: string, volumeBindingMode: string): Manifest {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name },
    provisioner,
    volumeBindingMode,
    allowVolumeExpansion: true,
  };
}

const index = fc.integer({ min: 0, max: 3 });

const volume = fc
  .record({
    i: index,
    size: fc.constantFrom(...sizes),
    mode: fc.constantFrom(...modes),
    className: fc.constantFrom("", "manual"),
    policy: fc.constantFrom("Retain", "Delete"),
    claim: fc.option(index, { nil: undefined }),
  })
  .map(
    ({ i, size, mode, className, policy, claim }): Manifest => ({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `pv-${i}` },
      spec: {
        capacity: { storage: size },
        accessModes: [mode],
        storageClassName: className,
        persistentVolumeReclaimPolicy: policy,
        csi: { driver: i % 2 === 0 ? "block.csi.test" : "file.csi.test", volumeHandle: `vol-${i}` },
        ...(claim !== undefined && { claimRef: { namespace: "default", name: `claim-${claim}` } }),
      },
    }),
  );

const claim = fc
  .record({
    i: index,
    size: fc.constantFrom(...sizes),
    mode: fc.constantFrom(...modes),
    className: fc.option(fc.constantFrom(...classes), { nil: undefined }),
    volume: fc.option(index, { nil: undefined }),
  })
  .map(
    ({ i, size, mode, className, volume: named }): Manifest => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: `claim-${i}` },
      spec: {
        accessModes: [mode],
        resources: { requests: { storage: size } },
        ...(className !== undefined && { storageClassName: className }),
        ...(named !== undefined && named === i && { volumeName: `pv-${named}` }),
      },
    }),
  );

function podSpec(claims: readonly number[]): Manifest {
  return {
    containers: [
      {
        name: "app",
        image: "busybox",
        volumeMounts: claims.map((c) => ({ name: `v${c}`, mountPath: `/data/${c}` })),
      },
    ],
    volumes: claims.map((c) => ({
      name: `v${c}`,
      persistentVolumeClaim: { claimName: `claim-${c}` },
    })),
  };
}

const claimSet = fc.uniqueArray(index, { maxLength: 2 });

const pod = fc.record({ i: index, claims: claimSet }).map(
  ({ i, claims }): Manifest => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `pod-${i}` },
    spec: podSpec(claims),
  }),
);

const workload = fc
  .record({
    i: index,
    claims: claimSet,
    replicas: fc.integer({ min: 0, max: 2 }),
    stateful: fc.boolean(),
  })
  .map(({ i, claims, replicas, stateful }): Manifest => {
    const labels = { app: `app-${i}` };
    const common = {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(claims) },
    };
    return stateful
      ? {
          apiVersion: "apps/v1",
          kind: "StatefulSet",
          metadata: { name: `set-${i}` },
          spec: { ...common, serviceName: "set" },
        }
      : { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: `app-${i}` }, spec: common };
  });

const call = fc.constantFrom(
  "CreateVolume",
  "DeleteVolume",
  "ControllerPublishVolume",
  "ControllerUnpublishVolume",
  "NodeStageVolume",
  "NodePublishVolume",
  "NodeUnpublishVolume",
  "NodeUnstageVolume",
);
const code = fc.constantFrom(
  "Internal",
  "Unavailable",
  "ResourceExhausted",
  "DeadlineExceeded",
  "Aborted",
  "InvalidArgument",
);

const disturbance: fc.Arbitrary<Step> = fc.oneof(
  fc
    .array(fc.oneof(volume, claim, pod, workload, otherWork), { minLength: 1, maxLength: 4 })
    .map((manifests): Step => ({ type: "apply", manifests })),
  fc.integer({ min: 10, max: 60_000 }).map((ms): Step => ({ type: "advance", ms })),
  index.map(
    (i): Step => ({
      type: "delete",
      objects: [{ kind: "PersistentVolumeClaim", name: `claim-${i}` }],
    }),
  ),
  index.map(
    (i): Step => ({ type: "delete", objects: [{ kind: "PersistentVolume", name: `pv-${i}` }] }),
  ),
  fc.record({ i: index, force: fc.boolean() }).map(
    ({ i, force }): Step => ({
      type: "delete",
      objects: [{ kind: "Pod", name: `pod-${i}`, ...(force && { grace: 0 }) }],
    }),
  ),
  index.map(
    (i): Step => ({
      type: "delete",
      objects: [
        { kind: "Deployment", name: `app-${i}` },
        { kind: "StatefulSet", name: `set-${i}` },
      ],
    }),
  ),
  fc.record({ call, code, times: fc.integer({ min: 1, max: 4 }), after: fc.boolean() }).map(
    (f): Step => ({
      type: "fault",
      fault: { driver: "block.csi.test", message: "injected", ...f },
    }),
  ),
  fc.constantFrom(...nodes).map((name): Step => ({ type: "node", name, kubelet: "restart" })),
  workloadStep,
);

/** Applies objects, disturbs them, heals everything, and waits. */
export const arbitraryScenario: fc.Arbitrary<Scenario> = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    first: fc.array(fc.oneof(volume, claim, pod, workload, otherWork), {
      minLength: 1,
      maxLength: 10,
    }),
    disturbances: fc.array(disturbance, { maxLength: 8 }),
  })
  .map(({ seed, first, disturbances }) => ({
    version: "1.36" as const,
    seed,
    cluster,
    steps: [
      { type: "apply", manifests: first },
      ...disturbances,
      { type: "fault", fault: { driver: "block.csi.test", call: "", clear: true } },
      { type: "settle", quietMs: 400_000, limitMs: 3_600_000 },
    ] satisfies Step[],
  }));
