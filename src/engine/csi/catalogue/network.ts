/** Shares from servers outside the cluster, and secrets as volumes. */
import type { AttributeRefusal, CreationRefusal } from "../creation-refusal.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import type { SecretCondition } from "../secret-need.ts";
import type { SecretRefusal } from "../secret-refusal.ts";
import { type CatalogueEntry, fileShare, noExpansion } from "./entry.ts";

const nfsParameters: readonly string[] = [
  "server",
  "share",
  "subDir",
  "onDelete",
  "mountPermissions",
  "uid",
  "gid",
];
const smbParameters: readonly string[] = ["source", "subDir", "onDelete"];
const badOnDelete: CreationRefusal = {
  valueOtherThan: { key: "onDelete", values: ["", "delete", "retain", "archive"], foldsCase: true },
  text: "invalid value <VALUE> for OnDelete, supported values are [ delete retain archive]",
};
const noBlock = "block volume capability not supported";

/** minio-go refuses an empty endpoint. Upstream: pkg/s3/client.go NewClientFromSecret, as of 051957c. */
const noEndpoint = [{ lacksSecrets: true }, { secretNeed: { oneOf: ["endpoint"] } }].map(
  (lack): SecretRefusal => ({
    ...(lack as SecretCondition),
    code: "Unknown",
    text: "failed to initialize S3 client: Endpoint:  does not follow ip address or domain name standards.",
  }),
);

/** The words of inline drivers whose volumes pods must not write to. */
const mustBeReadOnly: MountRefusal = {
  isWritable: true,
  text: "pod.spec.volumes[].csi.readOnly must be set to 'true'",
};

const seaweedOptions: readonly string[] = [
  "diskType",
  "replication",
  "ttl",
  "dataCenter",
  "dataLocality",
  "uidMap",
  "gidMap",
  "chunkSizeLimitMB",
  "volumeServerAccess",
  "readRetryTime",
  "concurrentReaders",
  "concurrentWriters",
  "cacheCapacityMB",
  "cacheMetaTtlSec",
  "writebackCache",
  "metadataFlushSeconds",
  "dlm",
];

/** Checks only the attributes that are set. Upstream: validateMutableParameterValues. */
const seaweedRefusals: readonly AttributeRefusal[] = [
  {
    changes: ["dataLocality"],
    valueOtherThan: {
      key: "dataLocality",
      values: ["", "none", "write_preferlocaldc"],
      foldsCase: true,
    },
    text: 'invalid parameter values: invalid <KEY> "<VALUE>"',
  },
  ...[
    "concurrentReaders",
    "concurrentWriters",
    "cacheCapacityMB",
    "cacheMetaTtlSec",
    "chunkSizeLimitMB",
  ].map(
    (key): AttributeRefusal => ({
      changes: [key],
      unreadable: { key, as: "whole number" },
      text: 'invalid parameter values: <KEY> must be an integer, got "<VALUE>"',
    }),
  ),
];

export const networkDrivers: readonly CatalogueEntry[] = [
  {
    name: "csi.juicefs.com",
    title: "JuiceFS",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      hasExactKeys: true,
      capabilityRefusal: "Volume Capabilities not fully supported",
      // With pathPattern the path may exist already, through the driver's own provisioner: pkg/driver/provisioner.go Provision.
      creationRefusals: [
        {
          modes: ["MULTI_NODE_READER_ONLY"],
          where: [{ key: "pathPattern", values: [""] }],
          text: "Dynamic mounting uses the sub-path named pv name as data isolation, so read-only mode cannot be used.",
        },
      ],
      stageUnstage: false,
      publishRefusal: "Volume capability not supported",
      volumeHandle: "<NAME>",
      // pkg/config/setting.go ParseSetting, as of 0155c9b.
      mountRefusals: [
        {
          of: "persistent",
          secretNeed: { oneOf: ["name"] },
          code: "Internal",
          text: "Could not mount juicefs: rpc error: code = InvalidArgument desc = Empty name",
        },
      ],
    },
    // The newest version supports snapshots, but its charts have no sidecar for them.
    unknown: ["snapshots"],
    source: {
      repository: "juicedata/juicefs-csi-driver",
      commit: "02754a0",
      files: [
        "pkg/driver/controller.go",
        "pkg/driver/node.go",
        "charts/juicefs-csi-driver/templates of juicedata/charts",
      ],
    },
  },
  {
    name: "seaweedfs-csi-driver",
    title: "SeaweedFS",
    traits: {
      ...fileShare,
      attachRequired: true,
      podInfoOnMount: true,
      hasExactKeys: true,
      modify: true,
      modifyParameters: seaweedOptions,
      modifyRefusal:
        "parameters are not modifiable on SeaweedFS volumes (structural or unknown): <KEY>",
      attributeRefusals: seaweedRefusals,
      singleNodeMultiWriter: true,
    },
    // Its chart runs an attacher by default; the newest chart's other values were not read.
    unknown: ["fsGroupPolicy", "volumeModes"],
    parameters: [...seaweedOptions, "path", "parentDir", "collection"],
    parameterValues: {
      dataLocality: ["none", "write_preferLocalDc"],
      writebackCache: ["true", "false"],
      dlm: ["true", "false"],
    },
    source: {
      repository: "seaweedfs/seaweedfs-csi-driver",
      commit: "04dc725",
      files: ["pkg/driver/controllerserver.go", "deploy/helm/seaweedfs-csi-driver/"],
    },
  },
  {
    name: "csi.cert-manager.io",
    title: "cert-manager certificates",
    traits: {
      ...fileShare,
      // Its CSIDriver object does not set it, and inline volumes are never attached.
      attachRequired: true,
      podInfoOnMount: true,
      hasController: false,
      lifecycleModes: ["Ephemeral"],
      mountRefusals: [mustBeReadOnly],
      stageUnstage: false,
      expansion: noExpansion,
    },
    unknown: ["requiresRepublish", "tokenAudiences"],
    // Its refusals are in the library that it is built on, cert-manager/csi-lib driver/nodeserver.go.
    source: {
      repository: "cert-manager/csi-driver",
      commit: "11ca695",
      files: ["deploy/charts/csi-driver/templates/csidriver.yaml"],
    },
  },
  {
    name: "csi.spiffe.io",
    title: "SPIFFE Workload API",
    traits: {
      ...fileShare,
      fsGroupPolicy: "None",
      podInfoOnMount: true,
      hasController: false,
      lifecycleModes: ["Ephemeral"],
      mountRefusals: [mustBeReadOnly],
      stageUnstage: false,
      expansion: noExpansion,
    },
    source: {
      repository: "spiffe/spiffe-csi",
      commit: "1ec1135",
      files: ["pkg/driver/driver.go", "example/config/spiffe-csi-driver.yaml"],
    },
  },
  {
    name: "ru.yandex.s3.csi",
    title: "S3 with GeeseFS",
    traits: {
      ...fileShare,
      fsGroupPolicy: "File",
      podInfoOnMount: true,
      hasExactKeys: true,
      expansion: noExpansion,
      creationRefusals: noEndpoint,
      stageRefusals: noEndpoint,
      secretRefusals: { DeleteVolume: noEndpoint },
    },
    unknown: ["volumeModes"],
    parameters: ["mounter", "options", "bucket"],
    parameterValues: { mounter: ["geesefs"] },
    source: {
      repository: "yandex-cloud/k8s-csi-s3",
      commit: "02568bf",
      files: [
        "pkg/driver/controllerserver.go",
        "pkg/driver/driver.go",
        "pkg/driver/nodeserver.go",
        "pkg/s3/client.go",
        "deploy/helm/csi-s3/templates/driver.yaml",
        "deploy/kubernetes/examples/storageclass.yaml",
      ],
    },
  },
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
      stageUnstage: false,
      // nodeserver.go as of 059468a.
      mountRefusals: [
        { volumeMode: "Block", text: noBlock },
        {
          unreadable: { key: "mountPermissions", as: "octal number" },
          text: "invalid mountPermissions <VALUE>",
        },
        ...["server", "share"].map((key) => ({
          lacks: key,
          text: `${key} is a required parameter`,
        })),
      ],
      snapshots: true,
      // newNFSSnapshot of 09cd86f, docs of 0de047c
      snapshotRefusals: [
        {
          keyOtherThan: ["server", "share", "mountOptions"],
          code: "NotFound",
          text: 'failed to create nfsSnapshot: rpc error: code = InvalidArgument desc = invalid parameter "<KEY>" in snapshot storage class',
        },
      ],
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
    // pkg/smb/nodeserver.go NodeStageVolume ignores the case of keys; guests and Kerberos tickets need neither.
    login: {
      needs: [
        {
          oneOf: ["username"],
          foldsCase: true,
          mistaken: { user: "username", login: "username", name: "username" },
        },
        {
          oneOf: ["password"],
          foldsCase: true,
          mistaken: { pass: "password", passwd: "password", pw: "password" },
        },
      ],
      otherwise: ["guest", "krb5"],
    },
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
      stageRefusals: [
        { lacks: "source", text: "source field is missing, current context: <ATTRIBUTES>" },
      ],
      mountRefusals: [
        { of: "inline", lacks: "source", text: "source field is missing, current context: …" },
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
      hasExactKeys: true,
      mountRefusals: [
        {
          lacks: "secretProviderClass",
          code: "Unknown",
          text: "secretProviderClass is not set",
        },
        { isWritable: true, text: "Readonly is not true in request" },
      ],
      expansion: noExpansion,
    },
    source: {
      repository: "kubernetes-sigs/secrets-store-csi-driver",
      commit: "021e6f5",
      files: ["deploy/csidriver.yaml", "pkg/secrets-store/nodeserver.go"],
    },
  },
];
