/** Random objects that belong together: a claim with its pod, a set with its templates, a snapshot with a restored claim. */
import fc from "fast-check";
import type { Manifest } from "../../src/engine/scenario.ts";
import {
  attachedDriver,
  attributesClasses,
  drivers,
  dynamicClasses,
  sharedDriver,
  snapshotClass,
} from "./arbitrary-cluster.ts";

const modes = ["ReadWriteOnce", "ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"] as const;
const sizes = ["1Gi", "2Gi", "5Gi"] as const;

/** Few names, so that objects often meet, are recreated, and are confused with earlier ones. */
export const index: fc.Arbitrary<number> = fc.integer({ min: 0, max: 2 });
export const nameOf = (prefix: string): fc.Arbitrary<string> => index.map((i) => `${prefix}-${i}`);
export const claimName: fc.Arbitrary<string> = nameOf("claim");

const className = fc.oneof(
  { arbitrary: fc.constantFrom<string | undefined>(...dynamicClasses), weight: 8 },
  { arbitrary: fc.constantFrom(undefined, "", "manual", "missing"), weight: 2 },
);

const claimSpec = fc
  .record({
    size: fc.constantFrom(...sizes),
    mode: fc.constantFrom(...modes),
    className,
    volumeMode: fc.constantFrom("Filesystem", "Filesystem", "Filesystem", "Block"),
    attributes: fc.constantFrom(undefined, undefined, undefined, ...attributesClasses),
  })
  .map(
    ({ size, mode, className: name, volumeMode, attributes }): Manifest => ({
      accessModes: [mode],
      resources: { requests: { storage: size } },
      volumeMode,
      ...(name !== undefined && { storageClassName: name }),
      ...(attributes !== undefined &&
        name?.startsWith("block") === true && { volumeAttributesClassName: attributes }),
    }),
  );

const claim = fc
  .record({ name: claimName, spec: claimSpec })
  .map(({ name, spec }) => claimOf(name, spec));

export function claimOf(name: string, spec: Manifest): Manifest {
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name }, spec };
}

const volume = fc
  .record({
    i: index,
    size: fc.constantFrom(...sizes),
    mode: fc.constantFrom(...modes),
    className: fc.constantFrom("", "manual"),
    policy: fc.constantFrom("Retain", "Delete"),
    driver: fc.constantFrom(...drivers),
    claim: fc.option(claimName, { nil: undefined }),
  })
  .map(
    ({ i, size, mode, className: name, policy, driver, claim: reserved }): Manifest => ({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `pv-${i}` },
      spec: {
        capacity: { storage: size },
        accessModes: [mode],
        storageClassName: name,
        persistentVolumeReclaimPolicy: policy,
        csi: { driver, volumeHandle: `vol-${i}` },
        ...(reserved !== undefined && { claimRef: { namespace: "default", name: reserved } }),
      },
    }),
  );

/** A volume with a claim that can get it: of its class, and often small enough. */
const volumeWithClaim = fc
  .record({ volume, name: claimName, size: fc.constantFrom("1Gi", "2Gi"), byName: fc.boolean() })
  .map(({ volume: pv, name, size, byName }): Manifest[] => {
    const { metadata, spec } = pv as {
      metadata: { name: string };
      spec: { storageClassName: string; accessModes: readonly string[] };
    };
    const { storageClassName, accessModes } = spec;
    const resources = { requests: { storage: size } };
    const named = byName && { volumeName: metadata.name };
    return [pv, claimOf(name, { accessModes, resources, storageClassName, ...named })];
  });

interface VolumeUse {
  readonly claimName: string;
  readonly isBlock: boolean;
}

/** Probes for pods of some claims, chosen by the claim's name: another random choice would change the meaning of all seeds. */
const probes: Manifest = {
  startupProbe: { exec: { command: ["ls"] }, periodSeconds: 7 },
  readinessProbe: { exec: { command: ["ls"] }, initialDelaySeconds: 15, successThreshold: 2 },
};

export function podSpec(uses: readonly VolumeUse[], command?: string): Manifest {
  const blocks = uses.filter((use) => use.isBlock);
  const mounts = uses.filter((use) => !use.isBlock);
  return {
    containers: [
      {
        name: "app",
        image: "busybox",
        ...(command !== undefined && { command: ["sh", "-c", command] }),
        ...(uses[0]?.claimName.endsWith("1") && probes),
        volumeMounts: mounts.map((use) => mountOf(use.claimName)),
        volumeDevices: blocks.map((use) => ({
          name: use.claimName,
          devicePath: `/dev/${use.claimName}`,
        })),
      },
    ],
    volumes: uses.map((use) => ({
      name: use.claimName,
      persistentVolumeClaim: { claimName: use.claimName },
    })),
  };
}

export const mountOf = (name: string): Manifest => ({ name, mountPath: `/data/${name}` });

const isBlock = ({ spec }: Manifest): boolean =>
  (spec as { volumeMode?: string } | undefined)?.volumeMode === "Block";
const metadataName = ({ metadata }: Manifest): string => (metadata as { name: string }).name;
const useOf = (from: Manifest): VolumeUse => ({
  claimName: metadataName(from),
  isBlock: isBlock(from),
});

export const pod = (name: string, spec: Manifest): Manifest => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, labels: { app: "app-0" } },
  spec,
});

export const podName: fc.Arbitrary<string> = nameOf("pod");
const grace = fc.constantFrom(undefined, 0, 5, 30, 60);

const podWithClaims = fc
  .record({
    name: podName,
    claims: fc.uniqueArray(claim, { selector: metadataName, minLength: 1, maxLength: 2 }),
    terminationGracePeriodSeconds: grace,
    fsGroup: fc.constantFrom(undefined, undefined, 1000),
  })
  .map(({ name, claims, terminationGracePeriodSeconds, fsGroup }): Manifest[] => [
    ...claims,
    pod(name, {
      ...podSpec(claims.map(useOf)),
      ...(terminationGracePeriodSeconds !== undefined && { terminationGracePeriodSeconds }),
      ...(fsGroup !== undefined && { securityContext: { fsGroup } }),
    }),
  ]);

const podOnClaim = fc
  .record({ name: podName, claim: claimName })
  .map(({ name, claim: claimName }) => [
    pod(name, podSpec([{ claimName: claimName, isBlock: false }])),
  ]);

/** A pod with a generic ephemeral volume, or with a CSI ephemeral volume of the shared driver. */
const podWithEphemeral = fc
  .record({ name: podName, spec: claimSpec, inline: fc.boolean() })
  .map(({ name, spec, inline }) => [
    pod(name, {
      containers: [{ name: "app", image: "busybox", volumeMounts: [mountOf("scratch")] }],
      volumes: [
        inline
          ? { name: "scratch", csi: { driver: sharedDriver } }
          : {
              name: "scratch",
              ephemeral: { volumeClaimTemplate: { spec: { ...spec, volumeMode: "Filesystem" } } },
            },
      ],
    }),
  ]);

const templated = (app: string, spec: Manifest): Manifest => ({
  metadata: { labels: { app } },
  spec,
});

const deployment = fc
  .record({
    name: nameOf("app"),
    claim,
    replicas: fc.integer({ min: 0, max: 2 }),
    type: fc.constantFrom("RollingUpdate", "Recreate"),
  })
  .map(({ name, claim: own, replicas, type }): Manifest[] => [
    own,
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
      spec: {
        replicas,
        strategy: { type },
        selector: { matchLabels: { app: name } },
        template: templated(name, podSpec([useOf(own)])),
      },
    },
  ]);

const retention = fc.constantFrom("Retain", "Delete");

const statefulSet = fc
  .record({
    name: nameOf("set"),
    spec: claimSpec,
    replicas: fc.integer({ min: 0, max: 3 }),
    podManagementPolicy: fc.constantFrom("OrderedReady", "Parallel"),
    whenDeleted: retention,
    whenScaled: retention,
  })
  .map(({ name, spec, replicas, podManagementPolicy, whenDeleted, whenScaled }): Manifest[] => {
    const template = { metadata: { name: "data" }, spec };
    return [
      {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: { name },
        spec: {
          replicas,
          serviceName: name,
          podManagementPolicy,
          persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
          selector: { matchLabels: { app: name } },
          template: templated(name, {
            ...podSpec([useOf(template)]),
            volumes: [],
          }),
          volumeClaimTemplates: [template],
        },
      },
    ];
  });

const daemonSet = fc
  .record({ name: nameOf("agent"), surge: fc.boolean(), claim: fc.option(claim, { freq: 3 }) })
  .map(({ name, surge, claim: shared }): Manifest[] => [
    ...(shared === null ? [] : [shared]),
    {
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        updateStrategy: {
          type: "RollingUpdate",
          rollingUpdate: surge
            ? { maxSurge: 1, maxUnavailable: 0 }
            : { maxSurge: 0, maxUnavailable: 2 },
        },
        template: templated(name, podSpec(shared === null ? [] : [useOf(shared)])),
      },
    },
  ]);

const job = fc
  .record({
    name: nameOf("job"),
    claim: fc.option(claim, { freq: 2 }),
    completions: fc.integer({ min: 1, max: 3 }),
    parallelism: fc.integer({ min: 1, max: 2 }),
    completionMode: fc.constantFrom("Indexed", "NonIndexed"),
    command: fc.constantFrom("exit 0", "exit 1", "sleep 20"),
    restartPolicy: fc.constantFrom("Never", "OnFailure"),
    ttlSecondsAfterFinished: fc.constantFrom(undefined, 0, 60),
  })
  .map(
    ({
      name,
      claim: own,
      command,
      restartPolicy,
      ttlSecondsAfterFinished,
      ...rest
    }): Manifest[] => [
      ...(own === null ? [] : [own]),
      {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name },
        spec: {
          ...rest,
          backoffLimit: 2,
          ...(ttlSecondsAfterFinished !== undefined && { ttlSecondsAfterFinished }),
          template: {
            spec: { restartPolicy, ...podSpec(own === null ? [] : [useOf(own)], command) },
          },
        },
      },
    ],
  );

const quota = fc.record({ pods: fc.integer({ min: 0, max: 8 }) }).map(({ pods }): Manifest[] => [
  {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "limits" },
    spec: { hard: { pods: String(pods), "requests.storage": `${pods}Gi` } },
  },
]);

const disruptionBudget = fc.constantFrom(0, 1).map((maxUnavailable): Manifest[] => [
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "budget" },
    spec: { maxUnavailable, selector: { matchLabels: { app: "app-0" } } },
  },
]);

/** A snapshot of a claim that may exist, often with a claim restored from it; or a clone. */
const copy = fc
  .record({
    source: claimName,
    name: nameOf("copy"),
    snapshot: nameOf("snap"),
    size: fc.constantFrom(...sizes),
    kind: fc.constantFrom("VolumeSnapshot", "VolumeSnapshot", "PersistentVolumeClaim"),
    used: fc.boolean(),
  })
  .map(({ source, name, snapshot, size, kind, used }): Manifest[] => {
    const isSnapshot = kind === "VolumeSnapshot";
    const dataSource = isSnapshot
      ? { apiGroup: "snapshot.storage.k8s.io", kind, name: snapshot }
      : { kind, name: source };
    const taken: Manifest = {
      apiVersion: "snapshot.storage.k8s.io/v1",
      kind,
      metadata: { name: snapshot },
      spec: {
        volumeSnapshotClassName: snapshotClass,
        source: { persistentVolumeClaimName: source },
      },
    };
    const made = claimOf(name, {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: size } },
      storageClassName: "block",
      dataSource,
    });
    if (isSnapshot && !used) return [taken];
    return isSnapshot ? [taken, made] : [made];
  });

/** The objects of one apply. */
export const arbitraryObjects: fc.Arbitrary<readonly Manifest[]> = fc.oneof(
  { arbitrary: podWithClaims, weight: 6 },
  { arbitrary: statefulSet, weight: 4 },
  { arbitrary: deployment, weight: 3 },
  { arbitrary: volumeWithClaim, weight: 3 },
  { arbitrary: podWithEphemeral, weight: 3 },
  { arbitrary: copy, weight: 3 },
  { arbitrary: podOnClaim, weight: 2 },
  { arbitrary: job, weight: 2 },
  { arbitrary: claim.map((one) => [one]), weight: 2 },
  { arbitrary: volume.map((one) => [one]), weight: 1 },
  { arbitrary: daemonSet, weight: 1 },
  { arbitrary: quota, weight: 1 },
  { arbitrary: disruptionBudget, weight: 1 },
);

/** The driver that a fault or outage is for. */
export const faultyDriver: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant(attachedDriver), weight: 4 },
  { arbitrary: fc.constant(sharedDriver), weight: 1 },
);
