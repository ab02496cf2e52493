/** The surroundings of each case: classes, plugin answers, pods, and what others do meanwhile. */
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import type { StorageClass } from "../../../../src/engine/api/types.ts";
import type { Binder } from "../../../../src/engine/controllers/persistent-volume-binder/binder.ts";
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import type { KubernetesVersion } from "../../../../src/engine/scenario.ts";
import { readClaim, readVolume } from "./case-objects.ts";
import type { MockAnswers } from "./mock-plugin.ts";

/** What others do; `at` virtual milliseconds after the start. */
export interface Interference {
  readonly at: number;
  readonly act: (runtime: Runtime) => void;
}

export interface SetUp {
  readonly versions?: readonly KubernetesVersion[];
  readonly classes?: readonly StorageClass[];
  readonly objects?: readonly KubeObject[];
  readonly plugin?: MockAnswers;
  /** The CSI driver that the mock plugin is migrated to. */
  readonly migratedTo?: string;
  /** Errors of the first creates. */
  readonly createErrors?: readonly { readonly reason: string; readonly message: string }[];
  /** Claims that are missing in the controller's cache, or there in an old version. */
  readonly cachedClaims?: ReadonlyMap<string, KubeObject<"PersistentVolumeClaim"> | undefined>;
  /** Just before an operation starts. */
  readonly beforeOperation?: (runtime: Runtime, binder: Binder) => void;
  readonly meanwhile?: readonly Interference[];
  readonly fails?: true;
}

const mock = "kubernetes.io/mock-volume";

function storageClass(
  name: string,
  provisioner: string,
  more: Partial<StorageClass> = {},
): StorageClass {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name,
      uid: `class-${name}`,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    provisioner,
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
    ...more,
  };
}

const waits = { volumeBindingMode: "WaitForFirstConsumer" };
const isDefault = (name: string, provisioner: string): StorageClass => {
  const plain = storageClass(name, provisioner);
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  return { ...plain, metadata: { ...plain.metadata, annotations } };
};

const onlyWait: readonly StorageClass[] = [
  storageClass("wait", "kubernetes.io/no-provisioner", waits),
];
const provisioningClasses: readonly StorageClass[] = [
  storageClass("gold", mock),
  storageClass("silver", mock),
  storageClass("copper", mock, waits),
  storageClass("external", "vendor.com/my-volume"),
  storageClass("external-wait", "vendor.com/my-volume-wait", waits),
  storageClass("unknown-internal", "kubernetes.io/unknown"),
  storageClass("unsupported-mountoptions", mock, { mountOptions: ["foo"] }),
  storageClass("csi", "mydriver.csi.k8s.io"),
];
const vendorClasses: readonly StorageClass[] = [storageClass("external", "gcr.io/vendor-csi")];
const goldDefault: readonly StorageClass[] = [
  isDefault("gold", mock),
  storageClass("silver", mock),
];

const classesBySet: Readonly<Record<string, readonly StorageClass[]>> = {
  "11": provisioningClasses,
  "12": provisioningClasses,
  "14": [],
  "5": vendorClasses,
  "15": goldDefault,
};

export function classesOf(id: string, setUp: SetUp): readonly StorageClass[] {
  return setUp.classes ?? classesBySet[id.split("-")[0] ?? ""] ?? onlyWait;
}

function pod(name: string, claimName: string, phase: string): KubeObject<"Pod"> {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "default",
      uid: name,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    spec: {
      containers: [{ name: "main" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
    },
    status: { phase },
  };
}

const users = [
  pod("runningPod", "runningClaim", "Running"),
  pod("pendingPod", "pendingClaim", "Pending"),
  pod("completedPod", "completedClaim", "Succeeded"),
];

const node1: KubeObject<"Node"> = {
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: "node1",
    uid: "node1",
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
  spec: {},
};

/** Deletes an object at once, past its finalizers. */
function tearAway(
  kind: "PersistentVolume" | "PersistentVolumeClaim",
  name: string,
): (runtime: Runtime) => void {
  const namespace = kind === "PersistentVolume" ? "" : "default";
  return ({ api }) => {
    api.patch(kind, namespace, name, "", (current) => {
      const { finalizers: _, ...metadata } = current.metadata;
      return { ...current, metadata } as KubeObject;
    });
    api.delete(kind, namespace, name, {});
  };
}

/** The volume becomes Available: claimRef and annotations go. */
function freed(id: string): (runtime: Runtime) => void {
  return ({ api }) => {
    api.patch("PersistentVolume", "", `volume${id}`, "", (current) => {
      const { spec, metadata } = current as KubeObject<"PersistentVolume">;
      const { claimRef: _, ...unclaimed } = spec;
      const { annotations: __, ...plain } = metadata;
      return { ...current, metadata: plain, spec: unclaimed } as KubeObject;
    });
    api.patch(
      "PersistentVolume",
      "",
      `volume${id}`,
      "status",
      (current) => ({ ...current, status: { phase: "Available" } }) as KubeObject,
    );
  };
}

const ok = "";
const creationErrors = [1, 2, 3, 4, 5].map((n) => ({
  reason: "Mock",
  message: `Mock creation error${n}`,
}));
const provisioned = { plugin: { provision: [ok] } } as const;

export const setUps: Readonly<Record<string, SetUp>> = {
  "2-7": { fails: true },
  "2-13": { versions: ["1.33"] },
  "4-11": { cachedClaims: new Map([["default/claim4-11", undefined]]) },
  "4-12": {
    cachedClaims: new Map([["default/claim4-12", readClaim("C#U 10Gi →V Bound", "4-12")]]),
  },
  "6-1": { plugin: { recycle: [ok] } },
  "6-2": { plugin: { recycle: [ok] } },
  "6-4": { plugin: {} },
  "6-5": { plugin: { recycle: ["Mock recycle error"] } },
  "6-6": { plugin: { recycle: [ok] }, beforeOperation: tearAway("PersistentVolume", "volume6-6") },
  "6-7": { plugin: { recycle: [ok] }, beforeOperation: freed("6-7") },
  "6-8": { plugin: { recycle: [ok] }, beforeOperation: freed("6-8") },
  "6-9": { plugin: { recycle: [ok] } },
  "6-11": { objects: users, plugin: { recycle: [ok] } },
  "6-12": { objects: users, plugin: { recycle: [ok] } },
  "6-13": { objects: users, plugin: { recycle: [ok] } },
  "6-14": { objects: users, plugin: { recycle: [ok] } },
  "7-1": { plugin: { recycle: ["Mock recycle error", ok] } },
  "8-1": { plugin: { remove: [ok] } },
  "8-2": { plugin: { remove: [ok] } },
  "8-4": { plugin: {} },
  "8-5": { plugin: { remove: ["Mock delete error"] } },
  "8-6": { plugin: { remove: [ok] }, beforeOperation: tearAway("PersistentVolume", "volume8-6") },
  "8-7": {
    plugin: { remove: [ok] },
    beforeOperation: (runtime, binder) => {
      const claim = runtime.api.restore(readClaim("C#U 10Gi →V Bound", "8-7"));
      binder.claims.put(claim as KubeObject<"PersistentVolumeClaim">);
      runtime.api.patch(
        "PersistentVolume",
        "",
        "volume8-7",
        "status",
        (current) => ({ ...current, status: { phase: "Bound" } }) as KubeObject,
      );
    },
  },
  "8-9": { plugin: { remove: [ok] } },
  "8-11": { plugin: { remove: [ok] } },
  "8-13": { plugin: { remove: [ok] } },
  "9-1": { plugin: { remove: ["Mock delete error", ok] } },
  "11-1": provisioned,
  "11-3": { plugin: {} },
  "11-4": { plugin: { provision: ["Mock provisioner error"] } },
  "11-6": provisioned,
  "11-7": {
    ...provisioned,
    beforeOperation: ({ api }) =>
      api.restore(readVolume("pvc-U 1Gi Bound Delete cls=gold ref=C#U [BBC,DP]", "11-7")),
  },
  "11-8": { ...provisioned, createErrors: creationErrors.slice(0, 1) },
  "11-9": { plugin: { provision: [ok], remove: [ok] }, createErrors: creationErrors },
  "11-10": { ...provisioned, createErrors: creationErrors },
  "11-11": {
    plugin: { provision: [ok], remove: [1, 2, 3, 4, 5].map((n) => `Mock deletion error${n}`) },
    createErrors: creationErrors,
  },
  "11-12": {
    plugin: { provision: [ok], remove: ["Mock deletion error1", ok] },
    createErrors: creationErrors,
  },
  "11-13": provisioned,
  "11-19": {
    ...provisioned,
    createErrors: [
      { reason: "Mock", message: "Mock creation error" },
      { reason: "AlreadyExists", message: "already there" },
    ],
  },
  "11-20": { plugin: {} },
  "11-21": { plugin: {}, migratedTo: "vendor.com/MockCSIDriver" },
  "11-23": { ...provisioned, objects: [node1] },
  "12-1": provisioned,
  "12-2": {
    meanwhile: [
      {
        at: 5_000,
        act: ({ api }) => api.restore(readVolume("pvc-U 1Gi Avail Retain cls=external", "12-2")),
      },
    ],
  },
  "12-4": {
    meanwhile: [
      {
        at: 5_000,
        act: ({ api }) =>
          api.restore(readVolume("pvc-U 1Gi Bound Retain cls=external ref=C#U [BBC]", "12-4")),
      },
    ],
  },
  "5-2": {
    meanwhile: [
      { at: 1_000, act: ({ api }) => api.restore(readClaim("C#U 1Gi →∅ Pending", "5-2")) },
    ],
  },
  "5-3": { meanwhile: [{ at: 1_000, act: tearAway("PersistentVolumeClaim", "claim5-3") }] },
  "5-4": { meanwhile: [{ at: 1_000, act: tearAway("PersistentVolume", "volume5-4") }] },
  "5-5": {
    meanwhile: [
      { at: 1_000, act: tearAway("PersistentVolumeClaim", "claim5-5") },
      { at: 2_000, act: tearAway("PersistentVolume", "volume5-5") },
    ],
  },
  "5-6": { meanwhile: [{ at: 1_000, act: tearAway("PersistentVolumeClaim", "claim5-6") }] },
  "5-7": {
    meanwhile: [
      { at: 1_000, act: tearAway("PersistentVolume", "volume5-7") },
      { at: 2_000, act: tearAway("PersistentVolumeClaim", "claim5-7") },
    ],
  },
  "5-8": { meanwhile: [{ at: 1_000, act: tearAway("PersistentVolumeClaim", "claim5-8") }] },
  "15-1": { classes: [] },
  "15-2": { classes: [isDefault("gold", mock), isDefault("silver", mock)] },
  "15-6": {
    classes: [
      isDefault("gold", "kubernetes.io/no-provisioner"),
      storageClass("copper", "kubernetes.io/no-provisioner"),
    ],
  },
};
