/** Alibaba Cloud OSS: buckets, which one of the driver's own pods mounts on a node with ossfs or ossfs2. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import { type CatalogueEntry, noExpansion, truths, untruths } from "./entry.ts";

/** The driver checks attributes only for pods that do not run in a virtual machine of their own. */
const shared = [
  { key: "directAssigned", values: ["", ...untruths] },
  { key: "runtimeClass", values: ["", "runc"] },
];
const spaceKeys: readonly string[] = ["agenticBucket", "bucketSpace", "bucketSpacePrefix"];
const noSpace = spaceKeys.map((key) => ({ key, values: [""] }));
/** Without a container network file system, which would set bucket and endpoint. */
const unnamed = { key: "containerNetworkFileSystem", values: [""] };
const ofFirst = {
  fsTypes: ["", "ossfs"],
  where: [...shared, { key: "fuseType", values: ["", "ossfs"] }],
};

const ofBucket = String.raw`<@bucket>\.[^.]*\.[^.]*\.`;
const internal = String.raw`-internal\.aliyuncs\.com/*`;

/** The prefix that the driver prints before an endpoint: it assumes HTTPS for endpoints outside of the cloud. */
const endpoints: readonly (readonly [pattern: string, protocol: string])[] = [
  [`^(?!https?://${ofBucket})`, ""],
  [`^(?!${ofBucket})|${internal}$`, "https://"],
  [`^(?!${ofBucket})|(?<!${internal})$`, "http://"],
];

const attachRefusals: readonly MountRefusal[] = [
  ...spaceKeys.map((key) => ({
    gives: [key, "bucket"],
    text: "OSS parameters error: agenticBucket/bucketSpace/bucketSpacePrefix and bucket are mutually exclusive",
  })),
  {
    valueOtherThan: { key: "fuseType", values: ["", "ossfs", "ossfs2"], foldsCase: true },
    where: shared,
    text: "OSS parameters error: Unsupported fuseType <VALUE>",
  },
  {
    lacks: "bucket",
    where: [...shared, ...noSpace, unnamed],
    text: "OSS parameters error: Url/Bucket empty",
  },
  ...endpoints.map(([pattern, protocol]) => ({
    gives: ["bucket"],
    where: shared,
    valueUnlike: { key: "url", pattern },
    text: `OSS url error: url is invalid, ${protocol}<VALUE> is a bucket domain name, please use endpoint instead`,
  })),
  {
    ...ofFirst,
    valueUnlike: { key: "path", pattern: "^/" },
    text: "OSS path error: start with <VALUE>, should start with /",
  },
  {
    ...ofFirst,
    valueOtherThan: { key: "encrypted", values: ["", "aes256", "kms"], foldsCase: true },
    text: "OSS encrypted error: invalid SSE encrypted type",
  },
  {
    ...ofFirst,
    where: [...ofFirst.where, { key: "recovery", values: truths }],
    text: "OSS parameters error: ossfs does not support recovery",
  },
  {
    where: [...shared, { key: "fuseType", values: ["ossfs2"] }],
    valueOtherThan: { key: "encrypted", values: [""] },
    text: "OSS encrypted error: ossfs2 does not support encryption",
  },
  {
    ...ofFirst,
    where: [...ofFirst.where, { key: "authType", values: ["csi-secret-store"] }],
    lacks: "secretProviderClass",
    text: "OSS authorization error: ossfs: use CsiSecretStore but secretProviderClass is empty",
  },
];

export const alibabaOss: CatalogueEntry = {
  name: "ossplugin.csi.alibabacloud.com",
  title: "Alibaba Cloud OSS",
  traits: {
    podInfoOnMount: true,
    accessModes: allAccessModes,
    creationRefusals: [
      {
        where: [{ key: "volumeAs", values: ["bucketspace"] }],
        text: "volumeAs=bucketspace is not yet supported for dynamic provisioning (BucketSpace naming length constraint)",
      },
      {
        gives: ["agenticBucket"],
        lacks: "bucketSpace",
        text: "bucketSpace is required when agenticBucket is specified in StorageClass parameters",
      },
    ],
    attachRefusals,
    mountRefusals: [
      {
        where: shared,
        valueUnlike: {
          key: "otherOpts",
          pattern: String.raw`^\s*((-o\s+\S+|-o\S+)(\s+|$))*(-o\s*)?$`,
        },
        text: 'rpc error: code = InvalidArgument desc = invalid otherOpts: "<VALUE>"',
      },
    ],
    expansion: noExpansion,
    singleNodeMultiWriter: false,
    volumeHandle: "<NAME>",
    publishReadonly: true,
    sidecars: {
      volumeNamePrefix: "oss",
      provisionTimeoutMs: 150_000,
      retryStartMs: 500,
      defaultFsType: "ossfs",
      extraCreateMetadata: false,
    },
  },
  unknown: ["topologyKey", "maxVolumesPerNode", "volumeModes"],
  parameters: [
    "bucket",
    "url",
    "path",
    "otherOpts",
    "volumeAs",
    "fuseType",
    "authType",
    "secretRef",
    "roleName",
    "ramRole",
    "roleArn",
    "oidcProviderArn",
    "serviceAccountName",
    "assumeRoleArn",
    "externalId",
    "secretProviderClass",
    "useSharedPath",
    "containerNetworkFileSystem",
    "encrypted",
    "kmsKeyId",
    "region",
    "sigVersion",
    "dnsPolicy",
    "metricsTop",
    "recovery",
    "overlay",
    "directAssigned",
    "runtimeClass",
    "sandboxId",
    "sandboxCredProviderName",
    "credentialProviderName",
    "agenticBucket",
    "bucketSpace",
    "bucketSpacePrefix",
    "akId",
    "akSecret",
  ],
  parameterPrefixes: ["csi.alibabacloud.com/"],
  parameterValues: {
    volumeAs: ["direct", "sharepath", "subpath"],
    fuseType: ["ossfs", "ossfs2"],
    authType: ["public", "sts", "rrsa", "csi-secret-store"],
    encrypted: ["aes256", "kms"],
    sigVersion: ["v1", "v4"],
    dnsPolicy: ["ClusterFirst", "ClusterFirstWithHostNet", "Default"],
    useSharedPath: ["true", "false"],
    recovery: ["true", "false"],
    overlay: ["true", "false"],
    directAssigned: ["true", "false"],
    runtimeClass: ["runc", "rund"],
  },
  closedParameters: ["volumeAs", "sigVersion"],
  source: {
    repository: "kubernetes-sigs/alibaba-cloud-csi-driver",
    commit: "011c026",
    files: [
      "pkg/oss/controllerserver.go",
      "pkg/oss/nodeserver.go",
      "pkg/oss/utils.go",
      "pkg/mounter/fuse_pod_manager/oss/ossfs/manager.go",
      "deploy/charts/alibaba-cloud-csi-driver/templates of 3264e83 and 013768a",
    ],
  },
};
