/** LINSTOR, as Piraeus installs it. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import { type CatalogueEntry, truths } from "./entry.ts";

const namespace = "linstor.csi.linbit.com";
const spellings: readonly string[] = ["", `${namespace}/`];

const keys: readonly string[] = [
  "allowRemoteVolumeAccess",
  "autoPlace",
  "clientList",
  "disklessOnRemaining",
  "disklessStoragePool",
  "doNotPlaceWithRegex",
  "encryption",
  "fsOpts",
  "layerList",
  "mountOpts",
  "nodeList",
  "overProvision",
  "placementCount",
  "placementPolicy",
  "postMountXfsOpts",
  "replicasOnDifferent",
  "replicasOnSame",
  "resourceGroup",
  "sizeKiB",
  "storagePool",
  "usePvcName",
  "xReplicasOnDifferent",
];
/** The newest keys, for NFS and limits, were not found in a source: keys with these prefixes count as known. */
const newKeys: readonly string[] = ["nfs", "io", "qos"];

/** Upstream: pkg/volume/parameter.go NewParameters, paramkey_enumer.go paramKeyString. */
const unread: readonly CreationRefusal[] = [
  {
    keyOtherThan: keys,
    keyPrefixes: newKeys,
    keyNamespace: namespace,
    text: "failed to parse parameters: invalid parameter: <KEY> does not belong to paramKey values",
  },
  ...spellings.flatMap((start): readonly CreationRefusal[] => [
    ...["autoPlace", "placementCount"].map((key) => ({
      unreadable: { key: start + key, as: "whole number" as const },
      text: 'failed to parse parameters: bad parameters: unable to parse "<VALUE>" as a 32 bit integer',
    })),
    ...["encryption", "disklessOnRemaining", "usePvcName"].map((key) => ({
      unreadable: { key: start + key, as: "truth value" as const },
      text: 'failed to parse parameters: strconv.ParseBool: parsing "<VALUE>": invalid syntax',
    })),
  ]),
  // pkg/driver/driver.go CreateVolume
  ...spellings.map((start) => ({
    modes: ["MULTI_NODE_MULTI_WRITER"],
    where: [{ key: `${start}layerList`, values: ["storage", "luks storage", "cache storage"] }],
    text: "ReadWriteMany volumes require a DRBD layer",
  })),
];

const snapshotKey = (name: string): string => `snap.linstor.csi.linbit.com/${name}`;
const snapshotTypes: readonly string[] = ["InCluster", "S3", "Linstor"];
/** Keys of others are ignored. Upstream: pkg/volume/snapshot_params.go NewSnapshotParameters. */
const snapshotRefusals: readonly CreationRefusal[] = [
  {
    valueOtherThan: { key: snapshotKey("type"), values: ["", ...snapshotTypes], foldsCase: true },
    text: "invalid snapshot parameters: <VALUE> does not belong to SnapshotType values",
  },
  ...["delete-local", "allow-incremental", "s3-use-path-style"].map(
    (name): CreationRefusal => ({
      unreadable: { key: snapshotKey(name), as: "truth value" },
      text: 'invalid snapshot parameters: strconv.ParseBool: parsing "<VALUE>": invalid syntax',
    }),
  ),
  ...["S3", "Linstor"].map(
    (type): CreationRefusal => ({
      where: [{ key: snapshotKey("type"), values: [type] }],
      lacks: snapshotKey("remote-name"),
      text: `invalid snapshot parameters: snapshots of type \`${type}\` require specifying a ${snapshotKey("remote-name")}`,
    }),
  ),
  {
    where: [
      { key: snapshotKey("type"), values: ["", "InCluster"] },
      { key: snapshotKey("delete-local"), values: truths },
    ],
    gives: [snapshotKey("delete-local")],
    text: `invalid snapshot parameters: cannot use ${snapshotKey("delete-local")} with in-cluster snapshots`,
  },
];

export const linstor: CatalogueEntry = {
  name: "linstor.csi.linbit.com",
  title: "LINSTOR",
  // The operator passes some of them to LINSTOR, which passes them to its driver.
  reportsNodeLabels: true,
  traits: {
    podInfoOnMount: true,
    seLinuxMount: true,
    storageCapacity: true,
    topologyKey: "linbit.com/hostname",
    // Through DRBD, unless the class sets allowRemoteVolumeAccess or leaves DRBD out of its layers.
    reachesAllSegments: true,
    accessModes: allAccessModes,
    creationRefusals: unread,
    volumeHandle: "<NAME>",
    newAttributes: {
      [`${namespace}/mount-options`]: "",
      [`${namespace}/post-mount-xfs-opts`]: "",
      [`${namespace}/remote-access-policy`]: "true",
      [`${namespace}/uses-volume-context`]: "true",
    },
    stageUnstage: false,
    expansion: { controller: true, node: true, online: true, nodeForBlock: false },
    snapshots: true,
    snapshotRefusals,
    listSnapshots: true,
    clone: true,
    maxVolumesPerNode: 1_048_576,
    sidecars: {
      provisionTimeoutMs: 60_000,
      defaultFsType: "ext4",
      handlesInUseError: false,
    },
  },
  parameters: spellings.flatMap((start) => keys.map((key) => start + key)),
  parameterPrefixes: [
    ...spellings.flatMap((start) => newKeys.map((key) => start + key)),
    "DrbdOptions/",
    "property.linstor.csi.linbit.com/",
  ],
  parameterValues: { encryption: ["true", "false"] },
  unknown: ["roundUpTo", "minSize"],
  source: {
    repository: "piraeusdatastore/linstor-csi",
    commit: "b8c8fcd",
    files: [
      "pkg/driver/driver.go",
      "pkg/volume/",
      "pkg/resources/cluster/csi-controller of piraeusdatastore/piraeus-operator",
    ],
  },
};
