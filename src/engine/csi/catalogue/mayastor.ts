/** OpenEBS's replicated volumes. Keys are case-sensitive, and booleans are spelled as in Rust. */
import type { CreationRefusal } from "../creation-refusal.ts";
import { type CatalogueEntry, readWriteOnce } from "./entry.ts";

const refusal = "Invalid volume access mode: <NUMBER>";

/** Upstream: context.rs validate_single_topology_param. */
const placements: readonly string[] = [
  "poolAffinityTopologyLabel",
  "poolHasTopologyKey",
  "nodeAffinityTopologyLabel",
  "nodeHasTopologyKey",
  "nodeSpreadTopologyKey",
];

function noNumber(key: string, text: string): CreationRefusal {
  return { valueUnlike: { key, pattern: String.raw`^\+?\d+$` }, text };
}

function noTruth(key: string, text: string): CreationRefusal {
  return { valueOtherThan: { key, values: ["", "true", "false"] }, text };
}

/** In the order of checks. Upstream: context.rs PublishParams::try_from and CreateParams::try_from. */
const creationRefusals: readonly CreationRefusal[] = [
  {
    valueOtherThan: { key: "fsType", values: ["", "ext4", "xfs", "btrfs", "devtmpfs"] },
    text: "Invalid filesystem type",
  },
  noNumber("ioTimeout", "Invalid I/O timeout"),
  noNumber("nvmeCtrlLossTmo", "Invalid ctrl_loss_tmo"),
  noNumber("nvmeKeepAliveTmo", "Invalid keep_alive_tmo"),
  noTruth("rwxBlock", "Invalid rwx block boolean"),
  {
    valueOtherThan: { key: "protocol", values: ["", "nvmf"] },
    text: 'Invalid protocol: Some("<VALUE>")',
  },
  {
    valueUnlike: { key: "repl", pattern: String.raw`^(?!\+?0+$)` },
    text: "Replica count must be greater than zero",
  },
  {
    valueUnlike: {
      key: "repl",
      pattern: String.raw`^\+?0*(\d{1,2}|1\d\d|2[0-4]\d|25[0-5])$`,
    },
    text: "Invalid replica count",
  },
  noTruth("stsAffinityGroup", "Invalid `stsAffinityGroup` value, expected a bool"),
  noTruth("cloneFsIdAsVolumeId", "Invalid clone_fs_id_as_volume_id"),
  noNumber("maxSnapshots", "Invalid `maxSnapshots` value, expected an u32"),
  noTruth("encrypted", "Invalid `Encrypted` value, expected a boolean"),
  // A list with a line for each key; its last line has no line break.
  {
    valueUnlike: { key: "poolAffinityTopologyKey", pattern: String.raw`^[^\n]+(\n[^\n]+)*$` },
    text: "Invalid pool_affinity_topology_key",
  },
  ...placements.flatMap((one, i) =>
    placements.slice(i + 1).map((other) => ({
      gives: [one, other],
      text: "Multiple topology parameters are not allowed",
    })),
  ),
];

export const mayastor: CatalogueEntry = {
  name: "io.openebs.csi-mayastor",
  title: "OpenEBS Mayastor",
  traits: {
    hasExactKeys: true,
    topologyKey: "openebs.io/nodename",
    topologyFrom: "node",
    // Volumes have the label of all nodes that run the driver: volume_accessible_topology.
    reachesAllSegments: true,
    accessModes: readWriteOnce,
    // From 2.11 on, if the class says so.
    blockAccessModes: [...readWriteOnce, "ReadWriteMany"],
    capabilityRefusal: refusal,
    publishRefusal: refusal,
    earlyRefusals: [
      {
        modes: ["MULTI_NODE_MULTI_WRITER"],
        volumeMode: "Block",
        valueOtherThan: { key: "rwxBlock", values: ["true"] },
        text: refusal,
      },
    ],
    creationRefusals,
    expansion: { controller: true, node: true, online: true, nodeForBlock: false },
    snapshots: true,
    snapshotRefusals: [
      {
        valueOtherThan: { key: "quiesceFs", values: ["", "none", "freeze"] },
        text: "Invalid quiesce type",
      },
    ],
    listSnapshots: true,
    singleNodeMultiWriter: false,
    sidecars: { defaultFsType: "ext4" },
  },
  parameters: [
    "protocol",
    "repl",
    "fsType",
    "thin",
    "rwxBlock",
    "encrypted",
    "maxSnapshots",
    "stsAffinityGroup",
    "cloneFsIdAsVolumeId",
    "formatOptions",
    "overrideGlobalFormatOpts",
    "poolClusterSize",
    "poolAffinityTopologyKey",
    ...placements,
    "ioTimeout",
    "nvmeIoTimeout",
    "nvmeNrIoQueues",
    "nvmeCtrlLossTmo",
    "nvmeKeepAliveTmo",
    "fsId",
  ],
  parameterValues: {
    protocol: ["nvmf"],
    ...Object.fromEntries(
      ["thin", "rwxBlock", "encrypted", "stsAffinityGroup", "cloneFsIdAsVolumeId"].map((key) => [
        key,
        ["true", "false"],
      ]),
    ),
  },
  closedParameters: ["protocol"],
  source: {
    repository: "openebs/mayastor-control-plane",
    commit: "c02e0cb",
    files: [
      "control-plane/csi-driver/src/bin/controller/controller.rs",
      "control-plane/csi-driver/src/context.rs of 2.11",
      "chart/templates/mayastor/csi/ of openebs/mayastor-extensions",
    ],
  },
};
