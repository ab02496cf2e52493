/** Shares that somebody else serves, and secrets as volumes. */
import type { CreationRefusal } from "../creation-refusal.ts";
import { type CatalogueEntry, fileShare, noExpansion } from "./entry.ts";

const nfsParameters: readonly string[] = [
  "server",
  "share",
  "subDir",
  "onDelete",
  "mountPermissions",
];
const smbParameters: readonly string[] = ["source", "subDir", "onDelete"];
const badOnDelete: CreationRefusal = {
  valueOtherThan: { key: "onDelete", values: ["", "delete", "retain", "archive"], foldsCase: true },
  text: "invalid value <VALUE> for OnDelete, supported values are [ delete retain archive]",
};
const noBlock = "block volume capability not supported";

export const networkDrivers: readonly CatalogueEntry[] = [
  {
    name: "nfs.csi.k8s.io",
    title: "NFS",
    traits: {
      ...fileShare,
      fsGroupPolicy: "File",
      capabilityRefusal: noBlock,
      creationRefusals: [
        { keyOtherThan: nfsParameters, text: 'invalid parameter "<KEY>" in storage class' },
        {
          unreadable: { key: "mountPermissions", as: "octal number" },
          text: "invalid mountPermissions <VALUE> in storage class",
        },
        { lacks: "server", text: "server is a required parameter" },
        badOnDelete,
      ],
      snapshots: true,
      clone: true,
      singleNodeMultiWriter: true,
      answersSize: false,
      sidecars: { provisionTimeoutMs: 1_200_000, retryMaxMs: 1_800_000 },
    },
    parameters: nfsParameters,
    requiredParameters: ["server", "share"],
    parameterValues: { onDelete: ["delete", "retain", "archive"] },
    source: {
      repository: "kubernetes-csi/csi-driver-nfs",
      commit: "d3b27c0",
      files: ["pkg/nfs/", "docs/driver-parameters.md", "deploy/"],
    },
  },
  {
    name: "smb.csi.k8s.io",
    title: "SMB",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      lifecycleModes: ["Persistent", "Ephemeral"],
      capabilityRefusal: noBlock,
      creationRefusals: [
        { keyOtherThan: smbParameters, text: "invalid parameter <KEY> in storage class" },
        { lacks: "source", text: "source is a required parameter" },
        badOnDelete,
      ],
      clone: true,
      singleNodeMultiWriter: true,
      volumeMountGroup: true,
      answersSize: false,
      sidecars: { retryMaxMs: 1_800_000 },
    },
    parameters: smbParameters,
    requiredParameters: ["source"],
    parameterValues: { onDelete: ["delete", "retain", "archive"] },
    source: {
      repository: "kubernetes-csi/csi-driver-smb",
      commit: "95c6968",
      files: ["pkg/smb/", "docs/driver-parameters.md", "deploy/"],
    },
  },
  {
    name: "secrets-store.csi.k8s.io",
    title: "Secrets Store",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      hasController: false,
      lifecycleModes: ["Ephemeral"],
      requiresRepublish: true,
      stageUnstage: false,
      expansion: noExpansion,
    },
    source: {
      repository: "kubernetes-sigs/secrets-store-csi-driver",
      commit: "0aad886",
      files: ["deploy/csidriver.yaml", "pkg/secrets-store/"],
    },
  },
];
