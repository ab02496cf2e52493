/** Random small clusters: one to three nodes, a driver that attaches and one that does not, their classes, all versions. */
import fc from "fast-check";
import { type DriverProfile, driverProfile } from "../../src/engine/csi/driver-profile.ts";
import {
  type ClusterProfile,
  type KubernetesVersion,
  kubernetesVersions,
  type Manifest,
} from "../../src/engine/scenario.ts";

export const attachedDriver = "block.csi.test";
export const sharedDriver = "file.csi.test";
export const drivers: readonly string[] = [attachedDriver, sharedDriver];
export const dynamicClasses = ["block", "block-wffc", "file"] as const;
export const attributesClasses = ["silver", "gold"] as const;
export const snapshotClass = "snapshots";

export interface ClusterChoice {
  readonly version: KubernetesVersion;
  readonly cluster: ClusterProfile;
}

/** Small clusters are more likely: most bugs show on one or two nodes, and these runs are the cheapest. */
export const arbitraryCluster: fc.Arbitrary<ClusterChoice> = fc
  .record({
    version: fc.oneof(
      { arbitrary: fc.constant<KubernetesVersion>("1.36"), weight: 3 },
      { arbitrary: fc.constantFrom(...kubernetesVersions), weight: 1 },
    ),
    nodeCount: fc.oneof(
      { arbitrary: fc.constant(1), weight: 3 },
      { arbitrary: fc.constant(2), weight: 4 },
      { arbitrary: fc.constant(3), weight: 2 },
    ),
    defaultClass: fc.constantFrom(undefined, ...dynamicClasses),
    reclaimPolicy: fc.constantFrom("Delete", "Delete", "Retain"),
    attached: attachedTraits(),
    shared: sharedTraits(),
  })
  .map(({ version, nodeCount, defaultClass, reclaimPolicy, attached, shared }) => {
    const classOf = (name: string, provisioner: string, mode: string): Manifest =>
      storageClass(name, provisioner, mode, reclaimPolicy, name === defaultClass);
    return {
      version,
      cluster: {
        name: "fuzz",
        nodes: ["node-a", "node-b", "node-c"]
          .slice(0, nodeCount)
          .map((name) => ({ name, zone: name.replace("node", "zone") })),
        drivers: [attached, shared],
        manifests: [
          classOf("block", attachedDriver, "Immediate"),
          classOf("block-wffc", attachedDriver, "WaitForFirstConsumer"),
          classOf("file", sharedDriver, "Immediate"),
          volumeSnapshotClass,
          ...attributesClasses.map(volumeAttributesClass),
        ],
      },
    };
  });

function attachedTraits(): fc.Arbitrary<DriverProfile> {
  return fc
    .record({
      topologyKey: fc.constantFrom(`topology.${attachedDriver}/zone`, ""),
      hasPools: fc.boolean(),
      maxVolumesPerNode: fc.constantFrom(0, 0, 1, 2),
      online: fc.boolean(),
      growsOn: fc.constantFrom("controller", "node", "both"),
      modify: fc.boolean(),
      stageUnstage: fc.constantFrom(true, true, false),
      concurrency: fc.constantFrom("abort" as const, "wait" as const),
      snapshotReadyAfterMs: fc.constantFrom(0, 20_000),
      listSnapshots: fc.boolean(),
    })
    .map(({ hasPools, online, growsOn, ...traits }) =>
      driverProfile({
        name: attachedDriver,
        snapshots: true,
        clone: true,
        expansion: {
          controller: growsOn !== "node",
          node: growsOn !== "controller",
          online,
          ...(growsOn === "node" && { hasTrivialResizer: true }),
        },
        ...(hasPools && { storageCapacity: true, poolPerZone: "12Gi" }),
        ...traits,
      }),
    );
}

function sharedTraits(): fc.Arbitrary<DriverProfile> {
  return fc.boolean().map((stageUnstage) =>
    driverProfile({
      name: sharedDriver,
      attachRequired: false,
      fsGroupPolicy: "File",
      lifecycleModes: ["Persistent", "Ephemeral"],
      podInfoOnMount: true,
      stageUnstage,
    }),
  );
}

function storageClass(
  name: string,
  provisioner: string,
  volumeBindingMode: string,
  reclaimPolicy: string,
  isDefault: boolean,
): Manifest {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name, annotations: { [defaultClassAnnotation]: String(isDefault) } },
    provisioner,
    volumeBindingMode,
    reclaimPolicy,
    allowVolumeExpansion: true,
  };
}

export const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";

const volumeSnapshotClass: Manifest = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshotClass",
  metadata: { name: snapshotClass },
  driver: attachedDriver,
  deletionPolicy: "Delete",
};

function volumeAttributesClass(name: string): Manifest {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttributesClass",
    metadata: { name },
    driverName: attachedDriver,
    parameters: { iops: name === "gold" ? "9000" : "1000" },
  };
}
