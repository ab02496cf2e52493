/** How each driver reads the values of a class's parameters, and which it refuses, with the exact text. */
import assert from "node:assert/strict";
import type { CsiRequest, VolumeCapability } from "../../../src/engine/csi/messages.ts";
import {
  create,
  createWithoutSecret,
  filesOf,
  manyReaders,
  manyWriters,
  type Parameters,
  sharedBlock,
  writer,
} from "./create-volume.ts";

/** Parameters, and the driver's answer: its words after `InvalidArgument`, or OK. */
type Case = readonly [
  parameters: Parameters,
  answer: string,
  capability?: VolumeCapability,
  more?: CsiRequest,
];

const block: VolumeCapability = { block: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } };
const fromSnapshot: CsiRequest = { volume_content_source: { snapshot: { snapshot_id: "s" } } };

function answers(driver: string, usual: VolumeCapability, cases: readonly Case[]): void {
  for (const [parameters, answer, capability = usual, more = {}] of cases) {
    const expected = answer === "OK" ? answer : `InvalidArgument ${answer}`;
    const named = `${driver} ${JSON.stringify(parameters)}`;
    assert.equal(create(driver, parameters, capability, more), expected, named);
  }
}

suite("values of a class's parameters", () => {
  test("EBS requires numbers, gives no reason when it cannot parse one, and checks options for mkfs", () => {
    answers("ebs.csi.aws.com", writer, [
      [{ iops: "3000iops" }, "Could not parse invalid iops: <nil>"],
      [{ throughput: "125Mi" }, "Could not parse invalid throughput: <nil>"],
      [{ type: "io1", iopsPerGB: "x" }, "Could not parse invalid iopsPerGB: <nil>"],
      [{ iops: "3000", throughput: "125" }, "OK"],
      [{ type: "gp3", blockExpress: "true" }, "Block Express is only supported on io2 volumes"],
      [
        { ext4ClusterSize: "16384" },
        "Cannot set ext4BigAllocClusterSize when ext4BigAlloc is false",
      ],
      [{ ext4ClusterSize: "16384", ext4BigAlloc: "true" }, "OK"],
      [{ blockSize: "4096" }, "Cannot use blocksize with block volume", block],
      [
        { ext4BigAlloc: "true" },
        "Cannot use ext4bigalloc with fstype xfs",
        filesOf("SINGLE_NODE_WRITER", "xfs"),
      ],
      [{ ext4BigAlloc: "false" }, "OK", filesOf("SINGLE_NODE_WRITER", "xfs")],
      [{ blockSize: "4096" }, "OK", filesOf("SINGLE_NODE_WRITER", "xfs")],
    ]);
  });

  test("EFS requires a file system, whole numbers as owners, and both ends of a range", () => {
    const class_ = { provisioningMode: "efs-ap", fileSystemId: "fs-1" };
    const noNumber = (key: string): string =>
      `Failed to parse invalid ${key}: strconv.ParseInt: parsing "abc": invalid syntax`;
    answers("efs.csi.aws.com", manyWriters, [
      [{ provisioningMode: "efs-ap" }, "Missing fileSystemId parameter"],
      [{ provisioningMode: "efs-ap", fileSystemIdConfigRef: "a/b/c" }, "OK"],
      [{ ...class_, uid: "abc" }, noNumber("uid")],
      [{ ...class_, gidRangeStart: "abc" }, noNumber("gidRangeStart")],
      [{ ...class_, gid: "-1" }, "gid must be greater or equal than 0"],
      [{ ...class_, uid: "0", gid: "0" }, "OK"],
      [{ ...class_, gidRangeStart: "0" }, "gidRangeStart must be greater than 0"],
      [{ ...class_, gidRangeStart: "1000" }, "Missing gidRangeEnd parameter"],
      [{ ...class_, gidRangeEnd: "1000" }, "Missing gidRangeStart parameter"],
      [{ ...class_, gidRangeStart: "1000", gidRangeEnd: "2000" }, "OK"],
      [{ ...class_, reuseAccessPoint: "yes" }, "Invalid value for reuseAccessPoint parameter"],
    ]);
  });

  test("Persistent Disk reads quantities, and ties some disk types and availability classes to zones and modes", () => {
    const regional = "regional-hard-failover";
    answers("pd.csi.storage.gke.io", writer, [
      [
        { "provisioned-iops-on-create": "abc" },
        "failed to extract parameters: parameters contain invalid provisionedIOPSOnCreate parameter: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
      [
        { "provisioned-throughput-on-create": "140MM" },
        "failed to extract parameters: parameters contain invalid provisionedThroughputOnCreate parameter: unable to parse quantity's suffix",
      ],
      [{ "provisioned-throughput-on-create": "140Mi" }, "OK"],
      [{ "availability-class": regional }, "invalid availability class for zonal disk"],
      [{ "availability-class": "none" }, "OK"],
      [
        { type: "hyperdisk-throughput" },
        "Invalid access mode for disk type hyperdisk-throughput",
        sharedBlock,
      ],
      [{ type: "pd-ssd" }, "OK", sharedBlock],
      [
        { type: "hyperdisk-balanced-high-availability" },
        "Invalid access mode for disk type hyperdisk-balanced-high-availability",
        manyReaders,
        fromSnapshot,
      ],
    ]);
  });

  test("Azure Disk reads share counts and sector sizes as numbers, and knows some profiles and policies", () => {
    const bad = "Failed parsing disk parameters: ";
    const noNumber = (text: string): string =>
      `${bad}parse ${text} failed with error: strconv.Atoi: parsing "${text}": invalid syntax`;
    answers("disk.csi.azure.com", writer, [
      [{ maxShares: "two" }, noNumber("two")],
      [{ LogicalSectorSize: "4k" }, noNumber("4k")],
      [{ maxShares: "0" }, `${bad}parse 0 returned with invalid value: 0`],
      [{ maxShares: "1" }, "OK"],
      [{ attachDiskInitialDelay: "1s" }, noNumber("1s")],
      [
        { diskMBpsReadWrite: "100Mi" },
        `${bad}parse diskmbpsreadwrite:100Mi failed with error: strconv.Atoi: parsing "100Mi": invalid syntax`,
      ],
      [
        { enablePerformancePlus: "yes" },
        `${bad}invalid enableperformanceplus: yes in storage class`,
      ],
      [
        { perfProfile: "fast" },
        `${bad}perf profile fast is not supported, supported tuning modes are none and basic`,
      ],
      [{ perfProfile: "Basic" }, "OK"],
      [
        { networkAccessPolicy: "denyall" },
        "azureDisk - denyall is not supported NetworkAccessPolicy. Supported values are [AllowAll AllowPrivate DenyAll]",
      ],
      [
        { publicNetworkAccess: "None" },
        "azureDisk - None is not supported PublicNetworkAccess. Supported values are [Disabled Enabled]",
      ],
      [
        { diskEncryptionType: "CustomerKey", publicNetworkAccess: "None" },
        "DiskEncryptionType(CustomerKey) is not supported",
      ],
      // The access mode is checked in between.
      [
        { networkAccessPolicy: "denyall" },
        "mountVolume is not supported for access mode: MULTI_NODE_MULTI_WRITER",
        manyWriters,
      ],
    ]);
  });

  test("Azure Files takes known values, booleans as Go parses them, octal modes, and compatible combinations", () => {
    const standard = { skuName: "Standard_LRS" };
    answers("file.csi.azure.com", manyWriters, [
      [{ enableMultichannel: "yes" }, "invalid enablemultichannel: yes in storage class"],
      [{ skuname: "Premium_LRS", vnetLinkName: "v" }, "OK"],
      [{ sku: "Premium_LRS" }, 'invalid parameter "sku" in storage class'],
      [{ fsType: "ext4" }, "OK"],
      [
        { fsType: "btrfs" },
        "fsType(btrfs) is not supported, supported fsType list: [cifs smb nfs ext4 ext3 ext2 xfs]",
      ],
      [{ mountPermissions: "0888" }, "invalid mountPermissions 0888 in storage class"],
      [{ mountPermissions: "0777", enableLargeFileShares: "True" }, "OK"],
      [{ accountQuota: "50" }, "invalid accountQuota 50 in storage class, minimum quota: 100"],
      [{ accountQuota: "1Ti" }, "invalid accountQuota 1Ti in storage class, minimum quota: 100"],
      [
        { matchTags: "true", storageAccount: "mine" },
        "matchTags must set as false when storageAccount(mine) is provided",
      ],
      [
        { ...standard, enableMultichannel: "true" },
        "smb multichannel is only supported with premium account, current account type: Standard_LRS",
      ],
      [
        { protocol: "nfs", enableMultichannel: "true" },
        "smb multichannel is only supported with smb protocol, current protocol: nfs",
      ],
      [
        { shareAccessTier: "hot" },
        "shareAccessTier(hot) is not supported, supported ShareAccessTier list: [Cool Hot Premium TransactionOptimized]",
      ],
      [
        { rootSquashType: "no_root_squash" },
        "rootSquashType(no_root_squash) is not supported, supported RootSquashType list: [AllSquash NoRootSquash RootSquash]",
      ],
      [
        { fsGroupChangePolicy: "never" },
        "fsGroupChangePolicy(never) is not supported, supported fsGroupChangePolicy list: [None Always OnRootMismatch]",
      ],
      [
        { allowSharedKeyAccess: "false" },
        "storeAccountKey is not supported for account with shared access key disabled",
      ],
      [{ allowSharedKeyAccess: "false", storeAccountKey: "false" }, "OK"],
      [{ allowSharedKeyAccess: "false", protocol: "nfs" }, "OK"],
    ]);
  });

  test("Blob names both of two parameters that exclude each other", () => {
    const versions = { enableBlobVersioning: "true" };
    const unversioned =
      "enableBlobVersioning is not supported for NFS protocol or HNS enabled account";
    answers("blob.csi.azure.com", manyWriters, [
      [{ shareName: "s" }, 'invalid parameter "shareName" in storage class'],
      [{ ...versions, isHnsEnabled: "true" }, unversioned],
      [{ ...versions, protocol: "nfs" }, unversioned],
      [{ ...versions, protocol: "fuse2" }, "OK"],
      [
        { containerName: "a", containerNamePrefix: "b" },
        "containerName(a) and containerNamePrefix(b) could not be specified together",
      ],
      [{ getLatestAccountKey: "on" }, "invalid getlatestaccountkey: on in volume context"],
    ]);
  });

  test("Blob takes three names for NFS, and refuses unknown tiers, bad prefixes and numbers of days out of range", () => {
    const prefix =
      "can only contain lowercase letters, numbers, hyphens, and length should be less than 21";
    const wrongDays = (text: string): string => `invalid softdeleteblobs:${text} in storage class`;
    answers("blob.csi.azure.com", manyWriters, [
      ...["nfs", "aznfs", "nfsv3"].map((protocol) => [{ protocol }, "OK"] as const),
      [
        { protocol: "smb" },
        "protocol(smb) is not supported, supported protocol list: [fuse fuse2 nfs aznfs]",
      ],
      [{ accessTier: "Hot" }, "OK"],
      [{ accessTier: "hot" }, "accessTier(hot) is not supported, supported AccessTier list: […]"],
      [{ containerNamePrefix: "team-1" }, "OK"],
      [{ containerNamePrefix: "a".repeat(20) }, "OK"],
      ...["Team", "-team", "a".repeat(21)].map(
        (given) =>
          [{ containerNamePrefix: given }, `containerNamePrefix(${given}) ${prefix}`] as const,
      ),
      [{ softDeleteBlobs: "7", softDeleteContainers: "365" }, "OK"],
      [{ softDeleteBlobs: "7d" }, wrongDays("7d")],
      ...["0", "366", "-1"].map(
        (text) =>
          [
            { softDeleteContainers: text },
            `${wrongDays(text)}, should be in range [1, 365]`,
          ] as const,
      ),
    ]);
  });

  test("Longhorn refuses values that it cannot parse with Go's error text", () => {
    const wrong = (key: string, reader: string, value: string): string =>
      `invalid parameter ${key}: strconv.${reader}: parsing "${value}": invalid syntax`;
    answers("driver.longhorn.io", writer, [
      [{ numberOfReplicas: "three" }, wrong("numberOfReplicas", "Atoi", "three")],
      [{ staleReplicaTimeout: "48h" }, wrong("staleReplicaTimeout", "Atoi", "48h")],
      [{ encrypted: "yes" }, wrong("encrypted", "ParseBool", "yes")],
      [{ encrypted: "T", numberOfReplicas: "3" }, "OK"],
      [{ migratable: "$&" }, wrong("migratable", "ParseBool", "$&")],
    ]);
  });

  test("Longhorn's webhook limits replicas to twenty, and strict-local volumes to one replica and no sharing", () => {
    const denied = (reason: string): string =>
      `Internal Bad response statusCode [500]. Status [500 Internal Server Error]. Body: [code=Server Error, detail=, message=failed to create volume: unable to create volume pvc-1: admission webhook "validator.longhorn.io" denied the request: ${reason}] from [http://longhorn-backend:9500/v1/volumes]`;
    const volume = (parameters: Parameters, capability = writer): string =>
      create("driver.longhorn.io", parameters, capability);
    assert.equal(
      volume({ numberOfReplicas: "21" }),
      denied("replica count value 21 must between 1 to 20"),
    );
    assert.equal(volume({ numberOfReplicas: "20" }), "OK");
    const strict = { dataLocality: "strict-local" };
    assert.equal(
      volume({ ...strict, numberOfReplicas: "3" }),
      denied("number of replica count should be 1 when data locality is strict-local"),
    );
    assert.equal(volume({ ...strict, numberOfReplicas: "1" }), "OK");
    assert.equal(volume(strict), "OK");
    const one = { ...strict, numberOfReplicas: "1" };
    assert.equal(
      volume(one, manyWriters),
      denied(
        "access mode rwx (migratable: false) is incompatible with data locality strict-local mode",
      ),
    );
    assert.equal(volume({ ...one, migratable: "true" }, manyWriters), "OK");
    assert.equal(volume({ dataLocality: "best-effort" }, manyWriters), "OK");
  });

  test("vSphere names all unknown parameters, unless the class was translated from the in-tree plugin's", () => {
    const unknown = "parsing storage class parameters failed with error: invalid parameters :map";
    answers("csi.vsphere.vmware.com", writer, [
      [{ DiskFormat: "thin", datastore: "ds1" }, `${unknown}[datastore:ds1 diskformat:thin]`],
      // Sorted by key alone, although a colon sorts after a dash.
      [{ a: "1", "a-b": "2" }, `${unknown}[a:1 a-b:2]`],
      [{ StoragePolicyName: "gold", fstype: "ext4" }, "OK"],
      [{ "diskformat-migrationparam": "thin", csimigration: "true" }, "OK"],
    ]);
  });

  test("vSphere creates disks for one node and file shares for many, each with its own file systems", () => {
    const words = "volume capability not supported. Err: ";
    const ofMany = "not supported for ReadWriteMany or ReadOnlyMany volume creation";
    const many = "MULTI_NODE_MULTI_WRITER";
    answers("csi.vsphere.vmware.com", writer, [
      [{}, `${words}block volume mode is ${ofMany}`, sharedBlock],
      [{}, `${words}fstype xfs ${ofMany}`, filesOf(many, "xfs")],
      // The provisioner's default file system, which is accepted for a share.
      [{}, "OK", filesOf(many, "ext4")],
      [{}, "OK", filesOf("MULTI_NODE_READER_ONLY", "nfs4")],
      [
        {},
        `${words}fstype nfs4 not supported for ReadWriteOnce volume creation`,
        filesOf("SINGLE_NODE_WRITER", "nfs4"),
      ],
      [{}, "OK", filesOf("SINGLE_NODE_WRITER", "xfs")],
    ]);
  });

  test("RBD requires stripe unit and count together, and an object size that is a power of two", () => {
    const image = { clusterID: "c", pool: "p" };
    answers("rbd.csi.ceph.com", writer, [
      [{ ...image, stripeUnit: "4096", stripeCount: "8", objectSize: "4194304" }, "OK"],
      [
        { ...image, stripeUnit: "4096" },
        "stripeCount must be specified when stripeUnit is specified",
      ],
      [
        { ...image, stripeCount: "8" },
        "stripeUnit must be specified when stripeCount is specified",
      ],
      [
        { ...image, objectSize: "4Mi" },
        'failed to parse objectSize 4Mi: strconv.ParseUint: parsing "4Mi": invalid syntax',
      ],
      [{ ...image, objectSize: "5000" }, "objectSize 5000 is not power of 2"],
      [{ ...image, objectSize: "0" }, "objectSize 0 is not power of 2"],
    ]);
    const lone = { ...image, stripeCount: "8" };
    assert.match(createWithoutSecret("rbd.csi.ceph.com", lone), /stripeUnit must be specified/);
  });

  test("OpenEBS's ZFS requires either a pool or a pattern, and does not check access modes", () => {
    const one = "poolname and poolpattern are mutually exclusive, set only one of them";
    answers("zfs.csi.openebs.io", manyWriters, [
      [{ poolname: "tank" }, "OK"],
      [{ PoolPattern: "^tank" }, "OK"],
      [{ fstype: "zfs" }, "either poolname or poolpattern must be set"],
      [{ poolname: "tank", poolpattern: "^tank" }, one],
    ]);
  });

  test("Mayastor creates volumes for one node, and reports modes by number", () =>
    answers("io.openebs.csi-mayastor", writer, [
      [{ repl: "3" }, "OK"],
      [{}, "Invalid volume access mode: 5", manyWriters],
      [{}, "Invalid volume access mode: 5", sharedBlock],
      [{ rwxBlock: "true" }, "OK", sharedBlock],
      [{ rwxBlock: "true" }, "Invalid volume access mode: 5", manyWriters],
    ]));

  test("Mayastor checks the values of known keys, and takes one topology parameter", () => {
    const several = "Multiple topology parameters are not allowed";
    answers("io.openebs.csi-mayastor", writer, [
      [{ fsType: "btrfs", thin: "yes", Repl: "none" }, "OK"],
      [{ fsType: "EXT4" }, "Invalid filesystem type"],
      [{ ioTimeout: "30s" }, "Invalid I/O timeout"],
      [{ nvmeCtrlLossTmo: "-1" }, "Invalid ctrl_loss_tmo"],
      [{ rwxBlock: "True" }, "Invalid rwx block boolean"],
      [{ protocol: "iscsi" }, 'Invalid protocol: Some("iscsi")'],
      [{ repl: "0" }, "Replica count must be greater than zero"],
      [{ repl: "three" }, "Invalid replica count"],
      [{ repl: "256" }, "Invalid replica count"],
      [{ repl: "255", maxSnapshots: "10", encrypted: "false" }, "OK"],
      [{ stsAffinityGroup: "1" }, "Invalid `stsAffinityGroup` value, expected a bool"],
      [{ poolAffinityTopologyKey: "zone\n" }, "Invalid pool_affinity_topology_key"],
      [{ poolAffinityTopologyKey: "zone\nrack" }, "OK"],
      [{ nodeSpreadTopologyKey: "zone\n", poolHasTopologyKey: "ssd\n" }, several],
    ]);
  });

  test("Manila matches values against patterns whose anchors each belong to one alternative only", () => {
    const not = (key: string, pattern: string): string =>
      `invalid volume parameters: parameter '${key}' does not match pattern ${pattern}`;
    answers("nfs.manila.csi.openstack.org", manyWriters, [
      [{ autoTopology: "TRUE", affinity: "share-1" }, "OK"],
      [{ autoTopology: "yes" }, not("autoTopology", "(?i)^true|false$")],
      [{ "cephfs-mounter": "kernel" }, "OK"],
      [{ "cephfs-mounter": "nfs" }, not("cephfs-mounter", "^kernel|fuse$")],
    ]);
  });

  test("JuiceFS creates read-only volumes only if the class has a path pattern", () => {
    const paths =
      "Dynamic mounting uses the sub-path named pv name as data isolation, so read-only mode cannot be used.";
    answers("csi.juicefs.com", manyWriters, [
      [{}, "OK"],
      [{}, paths, manyReaders],
      [{ pathPattern: "${.pvc.namespace}" }, "OK", manyReaders],
      [{}, "Volume Capabilities not fully supported", block],
    ]);
  });

  test("LINSTOR checks its own keys with and without namespace, and requires DRBD for many writers", () => {
    const failed = "failed to parse parameters: ";
    const unknown = `${failed}invalid parameter: replicas does not belong to paramKey values`;
    answers("linstor.csi.linbit.com", writer, [
      [{ autoPlace: "2", "linstor.csi.linbit.com/storagePool": "lvm" }, "OK"],
      [{ StoragePool: "lvm", "DrbdOptions/Net/protocol": "C", "example.com/x": "y" }, "OK"],
      [{ "property.linstor.csi.linbit.com/Aux/x": "y", nfsSquash: "none" }, "OK"],
      [{ Replicas: "2" }, unknown],
      [{ "linstor.csi.linbit.com/replicas": "2" }, unknown],
      [
        { "linstor.csi.linbit.com/autoPlace": "two" },
        `${failed}bad parameters: unable to parse "two" as a 32 bit integer`,
      ],
      [{ encryption: "yes" }, `${failed}strconv.ParseBool: parsing "yes": invalid syntax`],
      [{ layerList: "storage" }, "OK"],
      [{ layerList: "storage" }, "ReadWriteMany volumes require a DRBD layer", manyWriters],
    ]);
  });

  test("FSx for OpenZFS creates file systems and volumes, and sets their names and some sizes itself", () => {
    const volume = { ResourceType: "volume" };
    const fileSystem = { ResourceType: "filesystem", SkipFinalBackupOnDeletion: "true" };
    const tiered = { ...fileSystem, StorageType: '"INTELLIGENT_TIERING"' };
    const sized = (gibibytes: number): CsiRequest => ({
      capacity_range: { required_bytes: String(gibibytes * 1024 ** 3) },
    });
    answers("fsx.openzfs.csi.aws.com", manyWriters, [
      [volume, "OK"],
      [fileSystem, "OK", manyWriters, sized(64)],
      [{}, "ResourceType is not provided"],
      [{ ResourceType: "Volume" }, "ResourceType is not supported: Volume"],
      [volume, "Volume capabilities not supported", manyReaders],
      [{ ...volume, Name: "x" }, "Contains parameter that is defined by driver: Name"],
      [
        { ResourceType: "filesystem" },
        "Delete Parameters is incorrectly formatted: SkipFinalBackup is incorrectly formatted: field is required",
      ],
      [volume, "resourceType Volume expects storage capacity to be 1Gi", writer, sized(10)],
      [
        tiered,
        "storageType INTELLIGENT_TIERING expects storage capacity to be 1Gi",
        writer,
        sized(64),
      ],
    ]);
  });

  test("Ceph checks encryption by its rules for images and shares, and backs a share only by an existing snapshot", () => {
    const image = { clusterID: "c", pool: "p" };
    answers("rbd.csi.ceph.com", writer, [
      [{ ...image, encrypted: "false", encryptionType: "x" }, "OK"],
      [{ ...image, encrypted: "yes" }, 'strconv.ParseBool: parsing "yes": invalid syntax'],
      [{ ...image, encrypted: "true", encryptionType: "luks" }, "invalid encryption type"],
    ]);
    const share = { clusterID: "c", fsName: "f" };
    const type = (number: number): string =>
      `failed to init KMS: unsupported encryption type ${number}. only supported type is 'file'`;
    const shallow = "backingSnapshot option requires snapshot volume source";
    answers("cephfs.csi.ceph.com", manyWriters, [
      [{ ...share, fsName: "" }, "parameter 'fsName' cannot be empty"],
      [{ ...share, kernelMountOptions: "" }, "parameter 'kernelMountOptions' cannot be empty"],
      [
        { ...share, encrypted: "yes" },
        `failed to init KMS: invalid value set in 'encrypted': yes (should be "true" or "false"): strconv.ParseBool: parsing "yes": invalid syntax`,
      ],
      [{ ...share, encrypted: "true", encryptionType: "block" }, type(2)],
      [{ ...share, encrypted: "true", encryptionType: "luks" }, type(0)],
      [{ ...share, backingSnapshot: "false" }, "OK"],
      [{ ...share, backingSnapshot: "true" }, shallow],
      [
        { ...share, backingSnapshot: "no" },
        'failed to parse backingSnapshot: strconv.ParseBool: parsing "no": invalid syntax',
      ],
    ]);
    const byUser = (more: Parameters): string =>
      createWithoutSecret("cephfs.csi.ceph.com", { ...share, ...more }, manyWriters, {
        secrets: ["userID", "userKey"],
      });
    const locked =
      "InvalidArgument failed to init KMS: invalid encryption kms configuration: missing encryption passphrase in secrets";
    assert.equal(byUser({}), "OK");
    assert.equal(byUser({ encrypted: "true" }), locked);
    assert.equal(byUser({ encrypted: "true", encryptionKMSID: "vault" }), "OK");
    assert.equal(byUser({ encrypted: "false", encryptionKMSID: "vault" }), locked);
  });

  test("NFS takes user and group IDs for a new directory", () =>
    answers("nfs.csi.k8s.io", manyWriters, [
      [{ server: "s", share: "/", uid: "243", GID: "243" }, "OK"],
      [{ server: "s", share: "/", owner: "243" }, 'invalid parameter "owner" in storage class'],
    ]));

  test("NFS takes an octal mode only", () => {
    const share = { server: "s", share: "/" };
    answers("nfs.csi.k8s.io", manyWriters, [
      [{ ...share, mountPermissions: "0999" }, "invalid mountPermissions 0999 in storage class"],
      [{ ...share, mountPermissions: "0755" }, "OK"],
    ]);
  });
});

suite("large volumes", () => {
  const asked = (terabytes: number): CsiRequest => ({
    capacity_range: { required_bytes: String(terabytes * 1024 ** 4) },
  });

  test("are created by drivers without a known maximum size", () => {
    for (const [driver, parameters] of [
      ["nfs.csi.k8s.io", { server: "s", share: "/" }],
      ["cephfs.csi.ceph.com", { clusterID: "c", fsName: "f" }],
      ["rbd.csi.ceph.com", { clusterID: "c", pool: "p" }],
      ["driver.longhorn.io", {}],
      ["pd.csi.storage.gke.io", { type: "pd-ssd" }],
      ["file.csi.azure.com", {}],
    ] as const)
      assert.equal(create(driver, parameters, writer, asked(30)), "OK", driver);
  });

  test("are refused by EC2 if they are too large for their type", () => {
    const ebs = (type: string, terabytes: number): string =>
      create("ebs.csi.aws.com", type === "" ? {} : { type }, writer, asked(terabytes));
    const tooLarge =
      /InvalidParameterValue: Volume of 20480GiB is too large for volume type gp2; maximum is 16384GiB$/;
    assert.match(ebs("gp2", 20), tooLarge);
    assert.match(ebs("standard", 2), /maximum is 1024GiB$/);
    assert.match(ebs("", 65), /too large for volume type gp3; maximum is 65536GiB$/);
    assert.equal(ebs("gp2", 16), "OK");
    assert.equal(ebs("gp3", 64), "OK");
  });
  test("are refused by EC2 if their class asks for too low or too high performance", () => {
    const sized = (gibibytes: number): CsiRequest => ({
      capacity_range: { required_bytes: String(gibibytes * 1024 ** 3) },
    });
    const ebs = (parameters: Parameters, gibibytes = 4): string =>
      create("ebs.csi.aws.com", parameters, writer, sized(gibibytes));
    const tooLittle =
      /api error InvalidParameterValue: Volume iops of 40 is too low; minimum is 100\.$/;
    assert.match(ebs({ type: "io1", iopsPerGB: "10" }), tooLittle);
    assert.match(ebs({ type: "io2", iops: "40" }), tooLittle);
    const lifted = { iopsPerGB: "10", allowAutoIOPSPerGBIncrease: "true" };
    assert.equal(ebs({ type: "io1", ...lifted }), "OK");
    assert.equal(ebs({ type: "io1", iopsPerGB: "10" }, 10), "OK");
    assert.match(
      ebs({ type: "gp3", throughput: "1000" }),
      /Throughput \(MiBps\) to iops ratio of 0\.333333 is too high; maximum is 0\.250000 MiBps per iops\.$/,
    );
    assert.match(ebs({ throughput: "1001", iops: "4000" }), /ratio of 0\.250250 is too high/);
    assert.equal(ebs({ throughput: "1000", iops: "4000" }), "OK");
    assert.equal(ebs({ throughput: "1000", iopsPerGB: "500" }, 10), "OK");
    assert.equal(ebs({ type: "gp2", throughput: "2001" }), "OK");
    assert.match(
      ebs({ iops: "16000", throughput: "2001" }, 100),
      /Volume throughput of 2001 is too high; maximum is 2000\.$/,
    );
  });
});
