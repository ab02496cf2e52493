/** Amazon: EBS, EFS, S3. */
import type { AttributeRefusal, CreationRefusal } from "../creation-refusal.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import { singleNodeModes } from "../volume-capability.ts";
import { type CatalogueEntry, fileShare, noExpansion, readWriteOnce, untruths } from "./entry.ts";

const ebsParameters: readonly string[] = [
  "type",
  "iops",
  "iopsPerGB",
  "allowAutoIOPSPerGBIncrease",
  "allowAutoIOPSIncreaseOnModify",
  "throughput",
  "encrypted",
  "kmsKeyId",
  "blockExpress",
  "blockAttachUntilInitialized",
  "volumeInitializationRate",
  "blockSize",
  "inodeSize",
  "bytesPerInode",
  "numberOfInodes",
  "ext4BigAlloc",
  "ext4ClusterSize",
  "ext4EncryptionSupport",
];
const ebsPrefixes: readonly string[] = ["tagSpecification"];
const ebsTypes: readonly string[] = ["gp3", "gp2", "io1", "io2", "st1", "sc1", "standard"];

function noNumber(key: string): string {
  return `Failed to parse invalid ${key}: strconv.ParseInt: parsing "<VALUE>": invalid syntax`;
}

/** Owners of access points. Upstream: pkg/driver/provisioner_access_point.go Provision. */
function owner(key: string, least: number, must: string): readonly CreationRefusal[] {
  return [
    { unreadable: { key, as: "whole number" }, text: noNumber(key) },
    { valueBelow: { key, least, isOptional: true }, text: `${key} must be ${must}` },
  ];
}

const efsModes: readonly string[] = ["efs-ap", "s3files-ap"];

/** The start of EC2's errors; each has its own request ID. */
const ofEc2 =
  'Could not create volume "<NAME>": could not create volume in EC2: operation error EC2: CreateVolume, https response error StatusCode: 400, RequestID: …, api error';

/** Minimum sizes are checked by EC2, not by the driver. */
function tooSmallFor(type: string, gibibytes: number): CreationRefusal {
  return {
    where: [{ key: "type", values: [type] }],
    sizeBelow: `${gibibytes}Gi`,
    code: "Internal",
    text: `${ofEc2} InvalidParameterValue: The volume size is invalid for ${type} volumes: <GIB> GiB. ${type} volumes must be at least ${gibibytes} GiB in size. Please specify a volume size above the minimum limit.`,
  };
}

/** Maximum sizes are checked by EC2 as well. */
function tooLargeFor(gibibytes: number, ...types: readonly string[]): readonly CreationRefusal[] {
  return types.map((type) => ({
    where: [{ key: "type", values: type === "gp3" ? ["", type] : [type] }],
    sizeAbove: `${gibibytes}Gi`,
    code: "Internal",
    text: `${ofEc2} InvalidParameterValue: Volume of <GIB>GiB is too large for volume type ${type}; maximum is ${gibibytes}GiB`,
  }));
}

/** The driver raises too few IOPS only if the class allows that. Upstream: pkg/cloud/cloud.go capIOPS. */
const tooSlow: readonly CreationRefusal[] = [
  { key: "iops" },
  { key: "iopsPerGB", perGib: true as const },
].map((parameter) => ({
  where: [{ key: "type", values: ["io1", "io2"] }],
  valueOtherThan: { key: "allowAutoIOPSPerGBIncrease", values: ["true"] },
  valueBelow: { ...parameter, least: 100, isOptional: true },
  code: "Internal",
  text: `${ofEc2} InvalidParameterValue: Volume iops of <VALUE> is too low; minimum is 100.`,
}));

/** The driver passes these on unchanged; a volume whose class names no number gets 3000 IOPS. */
const tooFast: readonly CreationRefusal[] = [
  {
    where: [{ key: "type", values: ["", "gp3"] }],
    valueAbove: { key: "throughput", most: 2000 },
    code: "Internal",
    text: `${ofEc2} InvalidParameterValue: Volume throughput of <VALUE> is too high; maximum is 2000.`,
  },
  {
    where: [
      { key: "type", values: ["", "gp3"] },
      { key: "iopsPerGB", values: [""] },
    ],
    ratioAbove: { key: "throughput", to: "iops", otherwise: 3000, most: 0.25 },
    code: "Internal",
    text: `${ofEc2} InvalidParameterValue: Throughput (MiBps) to iops ratio of <RATIO> is too high; maximum is 0.250000 MiBps per iops.`,
  },
];

/** The driver prints a nil error here. */
const numbers: readonly CreationRefusal[] = ["iops", "iopsPerGB", "throughput"].map((key) => ({
  unreadable: { key, as: "whole number" },
  text: `Could not parse invalid ${key}: <nil>`,
}));

/** For a new volume the driver wraps the error of a change. */
const badAttribute = "Invalid mutable parameter: rpc error: code = InvalidArgument desc = ";

function noAttributeNumber(key: string, named: string = key): AttributeRefusal {
  const text = `Could not parse ${named}: "<VALUE>"`;
  return {
    changes: [key],
    unreadable: { key, as: "whole number" },
    text: `${badAttribute}${text}`,
    textOfChange: text,
  };
}

/**
 * The file systems that do not support an mkfs option, by the class parameter that sets it. Upstream: pkg/driver/constants.go
 * FileSystemConfigs.
 */
const formatting: Readonly<Record<string, readonly string[]>> = {
  blockSize: ["ntfs"],
  inodeSize: ["ntfs"],
  bytesPerInode: ["xfs", "ntfs"],
  numberOfInodes: ["xfs", "ntfs"],
  ext4BigAlloc: ["ext2", "ext3", "xfs", "ntfs"],
  ext4ClusterSize: ["ext2", "ext3", "xfs", "ntfs"],
};
const misformatted: readonly CreationRefusal[] = Object.entries(formatting).flatMap(
  ([key, fsTypes]): readonly CreationRefusal[] => {
    const given = key === "ext4BigAlloc" ? { where: [{ key, values: ["true"] }] } : {};
    const named = key.toLowerCase();
    return [
      {
        ...given,
        gives: [key],
        volumeMode: "Block",
        text: `Cannot use ${named} with block volume`,
      },
      { ...given, gives: [key], fsTypes, text: `Cannot use ${named} with fstype <FS>` },
    ];
  },
);

/** EC2 has no default IOPS for these types, and without a parameter the driver sends none. */
function withoutIops(type: string): CreationRefusal {
  return {
    where: [
      { key: "type", values: [type] },
      { key: "iopsPerGB", values: [""] },
    ],
    lacks: "iops",
    code: "Internal",
    text: `${ofEc2} InvalidParameterCombination: The parameter iops must be specified for ${type} volumes.`,
  };
}

/** The volume attributes that the driver reads, and the one that the provisioner adds. */
const efsAttributes: readonly string[] = [
  "path",
  "encryptInTransit",
  "mounttargetip",
  "crossaccount",
  "storage.kubernetes.io/csiProvisionerIdentity",
];

/** The service of the file system, which newer versions' examples have in front of a handle. */
const efsKind = "((efs|s3files):)?";

const ebs: CatalogueEntry = {
  name: "ebs.csi.aws.com",
  title: "Amazon EBS",
  keepsRootOwner: true,
  traits: {
    fsGroupPolicy: "File",
    topologyKey: "topology.kubernetes.io/zone",
    extraTopologyKeys: ["topology.ebs.csi.aws.com/zone"],
    accessModes: readWriteOnce,
    blockAccessModes: [...readWriteOnce, "ReadWriteMany"],
    capabilityRefusal: "Volume capabilities not supported",
    publishRefusal: "Volume capability not supported",
    // docs/node-local-volumes.md, for installations that allow it.
    ownDiskHandle: "local-ebs://",
    creationRefusals: [
      {
        keyOtherThan: [...ebsParameters, "fstype"],
        keyPrefixes: ebsPrefixes,
        text: "Invalid parameter key <KEY> for CreateVolume",
      },
      ...numbers,
      ...misformatted,
      {
        gives: ["ext4ClusterSize"],
        valueOtherThan: { key: "ext4BigAlloc", values: ["true"] },
        text: "Cannot set ext4BigAllocClusterSize when ext4BigAlloc is false",
      },
      {
        where: [{ key: "blockExpress", values: ["true"] }],
        valueOtherThan: { key: "type", values: ["io2"] },
        text: "Block Express is only supported on io2 volumes",
      },
      {
        gives: ["iops", "iopsPerGB"],
        code: "Internal",
        text: 'Could not create volume "<NAME>": invalid StorageClass parameters; specify either IOPS or IOPSPerGb, not both',
      },
      {
        // The first two types exist only on AWS hardware on premises.
        valueOtherThan: { key: "type", values: ["sbg1", "sbp1", "", ...ebsTypes] },
        code: "Internal",
        text: 'Could not create volume "<NAME>": invalid AWS VolumeType "<VALUE>"',
      },
      {
        modes: ["MULTI_NODE_MULTI_WRITER"],
        volumeMode: "Block",
        valueOtherThan: { key: "type", values: ["io2"] },
        code: "Internal",
        text: 'Could not create volume "<NAME>": CreateDisk: multi-attach is only supported for io2 volumes',
      },
    ],
    cloudRefusals: [
      tooSmallFor("io1", 4),
      tooSmallFor("io2", 4),
      tooSmallFor("st1", 125),
      tooSmallFor("sc1", 125),
      ...tooLargeFor(1024, "standard"),
      ...tooLargeFor(16384, "gp2", "io1", "st1", "sc1"),
      ...tooLargeFor(65536, "gp3", "io2"),
      withoutIops("io1"),
      withoutIops("io2"),
      ...tooSlow,
      ...tooFast,
    ],
    expansion: { controller: true, node: true, online: true, nodeForBlock: false },
    snapshots: true,
    listSnapshots: true,
    snapshotRefusals: [
      {
        keyOtherThan: [
          "fastSnapshotRestoreAvailabilityZones",
          "outpostArn",
          "lockMode",
          "lockDuration",
          "lockExpirationDate",
          "lockCoolOffPeriod",
        ],
        keyPrefixes: ["tagSpecification"],
        text: "Invalid parameter key <KEY> for CreateSnapshot",
      },
    ],
    clone: true,
    modify: true,
    modifyParameters: ["type", "volumeType", "iops", "throughput"],
    modifyPrefixes: ["tagSpecification", "tagDeletion"],
    modifyRefusal: "Invalid mutable parameter key: <KEY>",
    modifyRefusalOfNew: `${badAttribute}Invalid mutable parameter key: <KEY>`,
    // pkg/driver/controller_modify_volume.go parseModifyVolumeParameters
    attributeRefusals: [noAttributeNumber("iops", "IOPS"), noAttributeNumber("throughput")],
    maxVolumesPerNode: 39,
    roundUpTo: "1Gi",
    defaultSize: "100Gi",
    singleNodeMultiWriter: false,
    sidecars: {
      provisionTimeoutMs: 60_000,
      retryMaxMs: 1_800_000,
      defaultFsType: "ext4",
      handlesInUseError: false,
    },
  },
  parameters: ebsParameters,
  parameterPrefixes: ebsPrefixes,
  parameterValues: {
    type: ebsTypes,
    encrypted: ["true", "false"],
    allowAutoIOPSPerGBIncrease: ["true", "false"],
    allowAutoIOPSIncreaseOnModify: ["true", "false"],
    blockAttachUntilInitialized: ["true", "false"],
    ext4BigAlloc: ["true", "false"],
    ext4EncryptionSupport: ["true", "false"],
  },
  closedParameters: ["type"],
  source: {
    repository: "kubernetes-sigs/aws-ebs-csi-driver",
    commit: "429e202",
    files: ["docs/parameters.md", "pkg/driver/", "charts/"],
  },
};

/** For clusters whose machines Amazon manages. Its source is not public; its classes accept the same as EBS's. */
const ebsOfAutoMode: CatalogueEntry = {
  ...ebs,
  name: "ebs.csi.eks.amazonaws.com",
  title: "Amazon EBS of EKS Auto Mode",
  traits: {
    ...ebs.traits,
    // Its classes usually restrict topology to its own machines (compute-type: auto) and name no zone.
    extraTopologyKeys: ["eks.amazonaws.com/compute-type"],
    sidecars: { ...ebs.traits.sidecars, strictTopology: true },
  },
  unknown: ["topologyKey", "maxVolumesPerNode", "sidecars"],
  source: {
    repository: "awsdocs/amazon-eks-user-guide",
    commit: "1eb6aa4",
    files: ["latest/ug/automode/create-storage-class.adoc"],
  },
};

export const amazonDrivers: readonly CatalogueEntry[] = [
  ebs,
  ebsOfAutoMode,
  {
    name: "efs.csi.aws.com",
    title: "Amazon EFS",
    traits: {
      ...fileShare,
      topologyKey: "topology.kubernetes.io/zone",
      hasExactKeys: true,
      // Except file systems of one zone whose class sets enforceZoneAffinity.
      reachesAllSegments: true,
      accessModes: [...readWriteOnce, "ReadWriteMany"],
      capabilityRefusal: "Volume capabilities not supported: invalid access mode: <MODE>",
      volumeModeRefusal: "Volume capabilities not supported: only filesystem volumes are supported",
      stageUnstage: false,
      // node.go as of 00fa07a.
      mountRefusals: [
        {
          modes: ["MULTI_NODE_READER_ONLY"],
          text: "Volume capability not supported: invalid access mode: <MODE>",
        },
        {
          volumeMode: "Block",
          text: "Volume capability not supported: only filesystem volumes are supported",
        },
        ...[{ empty: ["path"] }, { valueUnlike: { key: "path", pattern: "^/" } }].map(
          (wrong): MountRefusal => ({
            ...wrong,
            text: 'Volume context property "path" must be an absolute path',
          }),
        ),
        ...["encryptInTransit", "crossaccount"].map(
          (key): MountRefusal => ({
            unreadable: { key, as: "truth value" },
            text: `Volume context property "${key}" must be a boolean value: strconv.ParseBool: parsing "<VALUE>": invalid syntax`,
          }),
        ),
        {
          keyOtherThan: efsAttributes,
          text: "Volume context property <KEY> not supported.",
        },
        {
          handleUnlike: `^${efsKind}fs-`,
          text: "volume ID '<HANDLE>' is invalid: Expected a file system ID of the form 'fs-...'",
        },
        {
          handleUnlike: `^${efsKind}([^:]*:){0,2}[^:]*$`,
          text: "volume ID '<HANDLE>' is invalid: Expected at most three fields separated by ':'",
        },
        {
          handleUnlike: `^${efsKind}[^:]*(:[^:]*(:(fsap-[^:]*)?)?)?$`,
          text: "volume ID '<HANDLE>' has an invalid access point ID '<FIELD>': Expected it to be of the form 'fsap-...'",
        },
        {
          where: [{ key: "encryptInTransit", values: untruths }],
          mountOption: "tls",
          text: "Found tls in mountOptions but encryptInTransit is false",
        },
      ],
      volumeHandle: "fs-<NAME>::fsap-<NAME>",
      newAttributes: {},
      creationRefusals: [
        { lacks: "provisioningMode", text: "Missing provisioningMode parameter" },
        {
          valueOtherThan: { key: "provisioningMode", values: efsModes },
          text: "Provisioning mode <VALUE> is not supported.",
        },
        {
          unreadable: { key: "reuseAccessPoint", as: "truth value" },
          text: "Invalid value for reuseAccessPoint parameter",
        },
        {
          where: [
            { key: "fileSystemIdConfigRef", values: [""] },
            { key: "fileSystemIdSecretRef", values: [""] },
          ],
          lacks: "fileSystemId",
          text: "Missing fileSystemId parameter",
        },
        ...["uid", "gid"].flatMap((key) => owner(key, 0, "greater or equal than 0")),
        ...owner("gidRangeStart", 1, "greater than 0"),
        {
          gives: ["gidRangeEnd"],
          lacks: "gidRangeStart",
          text: "Missing gidRangeStart parameter",
        },
        {
          unreadable: { key: "gidRangeEnd", as: "whole number" },
          text: noNumber("gidRangeEnd"),
        },
        {
          gives: ["gidRangeStart"],
          lacks: "gidRangeEnd",
          text: "Missing gidRangeEnd parameter",
        },
      ],
      expansion: noExpansion,
      sidecars: { extraCreateMetadata: false },
    },
    parameters: [
      "provisioningMode",
      "fileSystemId",
      "fileSystemIdConfigRef",
      "fileSystemIdSecretRef",
      "directoryPerms",
      "uid",
      "gid",
      "gidRangeStart",
      "gidRangeEnd",
      "basePath",
      "subPathPattern",
      "ensureUniqueDirectory",
      "az",
      "reuseAccessPoint",
      "enableTagging",
      "enforceZoneAffinity",
    ],
    parameterValues: {
      provisioningMode: efsModes,
      ensureUniqueDirectory: ["true", "false"],
      reuseAccessPoint: ["false", "true"],
      enableTagging: ["true", "false"],
      enforceZoneAffinity: ["false", "true"],
    },
    closedParameters: ["provisioningMode"],
    source: {
      repository: "kubernetes-sigs/aws-efs-csi-driver",
      commit: "a4fc676",
      files: ["docs/parameters.md", "pkg/driver/controller.go", "pkg/driver/node.go"],
    },
  },
  {
    name: "s3.csi.aws.com",
    title: "Mountpoint for Amazon S3",
    takesArguments: true,
    // pkg/driver/node/node.go NodePublishVolume of e70d6db; before 2.0 root was the own user, and fsGroup had no effect.
    fuse: { letsOthersIn: "allow-other", ownUser: 1000, takesGroup: true, isOwnersToWrite: true },
    traits: {
      ...fileShare,
      // Buckets exist already: the driver creates no volumes.
      hasController: false,
      accessModes: ["ReadWriteMany", "ReadOnlyMany"],
      mountRefusals: [
        { lacks: "bucketName", text: "Bucket name not provided" },
        { modes: singleNodeModes, text: "Volume capability not supported" },
      ],
      stageUnstage: false,
      volumeMountGroup: true,
      volumeStats: false,
      expansion: noExpansion,
    },
    unknown: ["volumeModes", "podInfoOnMount", "requiresRepublish", "tokenAudiences"],
    source: {
      repository: "awslabs/mountpoint-s3-csi-driver",
      commit: "92a6004",
      files: [
        "pkg/driver/node/node.go",
        "charts/aws-mountpoint-s3-csi-driver/",
        "docs/CONFIGURATION.md",
      ],
    },
  },
];
