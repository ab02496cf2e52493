/** What the drivers of the catalogue refuse to create, with the exact text. */
import assert from "node:assert/strict";
import type { CsiRequest, VolumeCapability } from "../../../src/engine/csi/messages.ts";
import {
  create,
  createWithoutSecret,
  manyReaders,
  manyWriters,
  nodes,
  type Parameters,
  sharedBlock,
  writer,
} from "./create-volume.ts";

const gi = String(1024 ** 3);
const fromSnapshot: CsiRequest = { volume_content_source: { snapshot: { snapshot_id: "s" } } };

suite("a driver that refuses parameters", () => {
  test("names the first key that it does not know", () => {
    const refusal = (driver: string, more: Parameters = {}): string =>
      create(driver, { ...more, typ: "x", zone: "y" });
    assert.equal(
      refusal("ebs.csi.aws.com"),
      "InvalidArgument Invalid parameter key typ for CreateVolume",
    );
    assert.equal(
      refusal("disk.csi.azure.com"),
      "InvalidArgument Failed parsing disk parameters: invalid parameter typ in storage class",
    );
    assert.equal(
      refusal("pd.csi.storage.gke.io"),
      'InvalidArgument failed to extract parameters: parameters contains invalid option "typ"',
    );
    assert.equal(
      refusal("nfs.csi.k8s.io", { server: "s" }),
      'InvalidArgument invalid parameter "typ" in storage class',
    );
    assert.equal(
      refusal("smb.csi.k8s.io", { source: "s" }),
      "InvalidArgument invalid parameter typ in storage class",
    );
  });

  test("takes its known keys in any case, keys with a known prefix, and those that the provisioner adds", () => {
    const added = { "csi.storage.k8s.io/pv/name": "pvc-1" };
    assert.equal(
      create("ebs.csi.aws.com", {
        ...added,
        KMSKEYID: "k",
        FsType: "xfs",
        tagSpecification_1: "t",
      }),
      "OK",
    );
    assert.equal(create("disk.csi.azure.com", { ...added, SKUNAME: "Premium_LRS" }), "OK");
    assert.equal(create("nfs.csi.k8s.io", { ...added, Server: "s", subdir: "d" }), "OK");
  });

  test("does not know the old key for the file system if only the provisioner reads that", () => {
    assert.equal(
      create("pd.csi.storage.gke.io", { fstype: "ext4" }),
      'InvalidArgument failed to extract parameters: parameters contains invalid option "fstype"',
    );
  });

  test("says which parameter is missing", () => {
    assert.equal(
      create("rook-ceph.rbd.csi.ceph.com", { pool: "p" }),
      "InvalidArgument missing or empty cluster ID to provision volume from",
    );
    assert.equal(
      create("rook-ceph.rbd.csi.ceph.com", { clusterID: "c", pool: "" }),
      "InvalidArgument missing or empty pool name to provision volume from",
    );
    assert.equal(
      create("cephfs.csi.ceph.com", { clusterID: "c" }),
      "InvalidArgument missing required field fsName",
    );
    assert.equal(
      create("efs.csi.aws.com", { fileSystemId: "fs-1" }),
      "InvalidArgument Missing provisioningMode parameter",
    );
    assert.equal(
      create("nfs.csi.k8s.io", { share: "/" }),
      "InvalidArgument server is a required parameter",
    );
  });

  test("misses a key written in another case, if it compares keys exactly", () => {
    assert.equal(
      create("rook-ceph.rbd.csi.ceph.com", { clusterId: "c", pool: "p" }),
      "InvalidArgument missing or empty cluster ID to provision volume from",
    );
    assert.equal(
      create("efs.csi.aws.com", { ProvisioningMode: "efs-ap" }),
      "InvalidArgument Missing provisioningMode parameter",
    );
    assert.equal(create("nfs.csi.k8s.io", { SERVER: "s" }), "OK");
    assert.equal(create("driver.longhorn.io", { datalocality: "anywhere" }), "OK");
  });

  test("names the values that it knows", () => {
    assert.equal(
      create("ebs.csi.aws.com", { type: "gp9" }),
      'Internal Could not create volume "pvc-1": invalid AWS VolumeType "gp9"',
    );
    assert.equal(
      create("disk.csi.azure.com", { skuName: "Premium" }),
      "InvalidArgument azureDisk - Premium is not supported sku/storageaccounttype. Supported values are [Premium_LRS PremiumV2_LRS Premium_ZRS Standard_LRS StandardSSD_LRS StandardSSD_ZRS UltraSSD_LRS]",
    );
    assert.equal(
      create("disk.csi.azure.com", { cachingMode: "readonly" }),
      "InvalidArgument azureDisk - readonly is not supported cachingmode. Supported values are [None ReadOnly ReadWrite]",
    );
    assert.equal(
      create("pd.csi.storage.gke.io", { "replication-type": "zonal" }),
      "InvalidArgument CreateVolume replication type 'zonal' is not supported",
    );
    assert.equal(
      create("cephfs.csi.ceph.com", { clusterID: "c", fsName: "f", mounter: "nfs" }),
      "InvalidArgument unknown mounter 'nfs'. Valid options are 'fuse' and 'kernel'",
    );
    assert.equal(
      create("blob.csi.azure.com", { protocol: "nfs3" }),
      "InvalidArgument protocol(nfs3) is not supported, supported protocol list: [fuse fuse2 nfs aznfs]",
    );
    assert.equal(
      create("efs.csi.aws.com", { provisioningMode: "efs" }),
      "InvalidArgument Provisioning mode efs is not supported.",
    );
    assert.equal(
      create("driver.longhorn.io", { dataLocality: "best_effort" }),
      "InvalidArgument invalid parameter dataLocality: invalid data locality mode: best_effort",
    );
    assert.equal(
      create("driver.longhorn.io", { replicaAutoBalance: "always" }),
      "InvalidArgument invalid parameter replicaAutoBalance: invalid replica auto-balance option: always",
    );
    const onDelete =
      "InvalidArgument invalid value keep for OnDelete, supported values are [ delete retain archive]";
    assert.equal(create("nfs.csi.k8s.io", { server: "s", onDelete: "keep" }), onDelete);
    assert.equal(create("smb.csi.k8s.io", { source: "s", ondelete: "keep" }), onDelete);
    assert.equal(create("nfs.csi.k8s.io", { server: "s", onDelete: "Retain" }), "OK");
  });

  test("checks each value of a list", () => {
    const type = (types: string): string =>
      create("diskplugin.csi.alibabacloud.com", { type: types });
    assert.equal(type("cloud_auto,cloud_essd"), "OK");
    assert.equal(
      type("cloud_auto,cloud_fast"),
      "InvalidArgument Invalid parameters from input: pvc-1, with error: illegal required parameter type: cloud_auto,cloud_fast",
    );
  });

  test("refuses values that exclude each other", () => {
    const sku = { skuName: "premiumv2_lrs" };
    assert.equal(
      create("disk.csi.azure.com", { ...sku, cachingMode: "ReadOnly" }),
      "InvalidArgument Failed parsing disk parameters: cachingMode ReadOnly is not supported for PremiumV2_LRS",
    );
    assert.equal(
      create("disk.csi.azure.com", { skuName: "PremiumV2_LRS", cachingMode: "None" }),
      "OK",
    );
    assert.equal(
      create("file.csi.azure.com", { protocol: "nfs", skuName: "Standard_LRS" }),
      "InvalidArgument nfs protocol only supports premium storage, current account type: Standard_LRS",
    );
    assert.equal(create("file.csi.azure.com", { skuName: "Standard_LRS" }), "OK");
  });
});

suite("a driver with minimum sizes", () => {
  test("refuses a smaller volume if the cloud does", () => {
    const refused = create("ebs.csi.aws.com", { type: "st1" });
    assert.match(
      refused,
      /^Internal Could not create volume "pvc-1": .* The volume size is invalid for st1 volumes: 1 GiB\. st1 volumes must be at least 125 GiB in size\./,
    );
    const asked = (gibibytes: number) => ({
      capacity_range: { required_bytes: String(gibibytes * Number(gi)) },
    });
    assert.equal(create("ebs.csi.aws.com", { type: "st1" }, writer, asked(125)), "OK");
    assert.match(create("ebs.csi.aws.com", { type: "io2" }, writer, asked(2.5)), /: 3 GiB\. io2/);
    const fast = { type: "io2", iops: "100" };
    assert.equal(create("ebs.csi.aws.com", fast, writer, asked(3.5)), "OK");
    assert.equal(create("ebs.csi.aws.com", { type: "gp3" }), "OK");
  });
});

const ofSize = (bytes: number): CsiRequest => ({
  capacity_range: { required_bytes: String(bytes) },
});
const mi = 1024 ** 2;

suite("a driver that gets too small a size", () => {
  const xfs: VolumeCapability = {
    mount: { fs_type: "xfs" },
    access_mode: { mode: "SINGLE_NODE_WRITER" },
  };

  test("refuses an XFS too small for mkfs, by the rounded size, unless it is filled from a snapshot", () => {
    const longhorn = (megabytes: number, capability: VolumeCapability, more: CsiRequest = {}) =>
      create("driver.longhorn.io", {}, capability, { ...ofSize(megabytes * mi), ...more });
    assert.equal(
      longhorn(200.5, xfs),
      `Unknown XFS filesystems with size ${202 * mi}, smaller than 314572800, are not supported`,
    );
    assert.equal(longhorn(299, xfs), "OK");
    assert.equal(longhorn(200, writer), "OK");
    assert.equal(longhorn(200, xfs, fromSnapshot), "OK");
  });

  test("is refused by the cloud only after it has found the zones", () => {
    const inTwoZones: typeof nodes = [...nodes, { name: "n2", zone: "b" }];
    const regional = { "replication-type": "regional-pd" };
    const disk = (parameters: Parameters, gibibytes: number, on = inTwoZones): string =>
      create("pd.csi.storage.gke.io", parameters, writer, ofSize(gibibytes * Number(gi)), on);
    assert.match(disk(regional, 10, nodes), /need 2 zones/);
    assert.equal(
      disk(regional, 10),
      "InvalidArgument CreateVolume failed: rpc error: code = InvalidArgument desc = CreateVolume failed to create regional disk pvc-1: failed to insert regional disk: unknown Insert disk error: googleapi: Error 400: Invalid value for field 'resource.sizeGb': '10'. Disk size cannot be smaller than 200 GB., invalid",
    );
    assert.equal(disk(regional, 200), "OK");
    assert.equal(disk({ ...regional, type: "pd-ssd" }, 10), "OK");
    assert.match(disk({ type: "hyperdisk-balanced" }, 3), /smaller than 4 GB for disk type/);
  });
});

suite("a driver that ties access modes to conditions", () => {
  test("shares a disk between writers only if its type or a parameter allows that", () => {
    assert.equal(
      create("ebs.csi.aws.com", {}, sharedBlock),
      'Internal Could not create volume "pvc-1": CreateDisk: multi-attach is only supported for io2 volumes',
    );
    const large = { capacity_range: { required_bytes: String(4 * Number(gi)) } };
    const io2 = { type: "io2", iops: "100" };
    assert.equal(create("ebs.csi.aws.com", io2, sharedBlock, large), "OK");
    const refused =
      "InvalidArgument access mode: MULTI_NODE_MULTI_WRITER is not supported for non-shared disk";
    assert.equal(create("disk.csi.azure.com", {}, sharedBlock), refused);
    assert.equal(create("disk.csi.azure.com", { maxShares: "1" }, sharedBlock), refused);
    assert.equal(create("disk.csi.azure.com", { maxShares: "2" }, sharedBlock), "OK");
  });

  test("shares a disk of Alibaba Cloud only with multiAttach, and between writers only as a raw device", () => {
    const share = (capability: VolumeCapability, parameters: Parameters = {}): string =>
      create("diskplugin.csi.alibabacloud.com", parameters, capability);
    const writers = { ...writer, access_mode: { mode: "MULTI_NODE_MULTI_WRITER" } };
    const multiAttach = { type: "cloud_auto", multiAttach: "Enabled" };
    assert.match(
      share(writers, multiAttach),
      /multi-node writing is only supported for block volume/,
    );
    assert.match(share(sharedBlock), /with error: multiAttach is required for this access mode\./);
    assert.match(share(manyReaders), /multiAttach is required/);
    assert.equal(share(sharedBlock, multiAttach), "OK");
    assert.equal(share(manyReaders, multiAttach), "OK");
  });

  test("creates an io1 disk of Amazon only with one of the two parameters for its IOPS", () => {
    const missing = /CreateVolume, .*The parameter iops must be specified for io1 volumes\.$/;
    const size = { capacity_range: { required_bytes: String(4 * 1024 ** 3) } };
    const disk = (parameters: Parameters): string =>
      create("ebs.csi.aws.com", { type: "io1", ...parameters }, writer, size);
    assert.match(disk({}), missing);
    assert.equal(disk({ iopsPerGB: "50" }), "OK");
    assert.equal(disk({ iops: "100" }), "OK");
    assert.equal(
      disk({ iops: "100", iopspergb: "50" }),
      'Internal Could not create volume "pvc-1": invalid StorageClass parameters; specify either IOPS or IOPSPerGb, not both',
    );
    assert.equal(create("ebs.csi.aws.com", {}, writer, size), "OK");
  });

  test("lets several nodes read only volumes that are filled from something, unless their type allows it", () => {
    const rbd = { clusterID: "c", pool: "p" };
    const ceph = "InvalidArgument readOnly accessMode is supported only with content source";
    assert.equal(create("rbd.csi.ceph.com", rbd, manyReaders), ceph);
    assert.equal(create("rbd.csi.ceph.com", rbd, manyReaders, fromSnapshot), "OK");
    const cephFs = { clusterID: "c", fsName: "f" };
    assert.equal(create("cephfs.csi.ceph.com", cephFs, manyReaders), ceph);
    assert.equal(create("cephfs.csi.ceph.com", cephFs, manyReaders, fromSnapshot), "OK");
    assert.equal(
      create("pd.csi.storage.gke.io", { type: "pd-ssd" }, manyReaders),
      "InvalidArgument VolumeContentSource must be provided when AccessMode is set to read only",
    );
    assert.equal(create("pd.csi.storage.gke.io", { type: "hyperdisk-ml" }, manyReaders), "OK");
  });

  test("may not create volumes from snapshots even though it takes them", () => {
    assert.equal(create("local.csi.openebs.io", {}, writer, fromSnapshot), "Unimplemented");
  });

  test("needs a cluster with two zones for a regional disk", () => {
    assert.equal(
      create("pd.csi.storage.gke.io", { "replication-type": "regional-pd" }),
      "InvalidArgument CreateVolume failed to pick zones for disk: failed to pick zones from topology: need 2 zones from topology, only got 1 unique zones",
    );
  });

  test("says that it supports only file systems", () => {
    assert.equal(
      create("cephfs.csi.ceph.com", { clusterID: "c", fsName: "f" }, sharedBlock),
      "Unimplemented block volume not supported",
    );
    assert.equal(
      create("efs.csi.aws.com", { provisioningMode: "efs-ap" }, sharedBlock),
      "InvalidArgument Volume capabilities not supported: only filesystem volumes are supported",
    );
    assert.equal(
      create("efs.csi.aws.com", { provisioningMode: "efs-ap" }, manyReaders),
      "InvalidArgument Volume capabilities not supported: invalid access mode: MULTI_NODE_READER_ONLY",
    );
    const noBlock = "InvalidArgument block volume capability not supported";
    assert.equal(create("nfs.csi.k8s.io", { server: "s" }, sharedBlock), noBlock);
    assert.equal(create("file.csi.azure.com", {}, sharedBlock), noBlock);
    assert.equal(create("blob.csi.azure.com", {}, sharedBlock), noBlock);
  });
});

suite("a driver that finds several things wrong", () => {
  const sharedFiles: VolumeCapability = {
    mount: {},
    access_mode: { mode: "MULTI_NODE_MULTI_WRITER" },
  };

  test("reports a missing secret before or after other faults, as the driver does", () => {
    const ceph = { clusterID: "c", pool: "p" };
    const empty = "InvalidArgument provided secret is empty";
    assert.equal(createWithoutSecret("rbd.csi.ceph.com", ceph), empty);
    assert.equal(createWithoutSecret("rook-ceph.rbd.csi.ceph.com", ceph), empty);
    // RBD checks the class's parameters first, then the secret, then the access mode.
    assert.equal(createWithoutSecret("rbd.csi.ceph.com", ceph, manyWriters), empty);
    assert.match(createWithoutSecret("rbd.csi.ceph.com", { pool: "p" }), /empty cluster ID/);
    // CephFS checks the secret before both.
    assert.equal(createWithoutSecret("cephfs.csi.ceph.com", {}), empty);
    assert.equal(
      createWithoutSecret("nfs.manila.csi.openstack.org", { type: "t" }),
      "InvalidArgument secrets cannot be nil or empty",
    );
    assert.equal(create("nfs.manila.csi.openstack.org", { type: "t" }), "OK");
  });

  test("refuses an empty parameter", () => {
    const rbd = (more: Parameters): string =>
      create("rbd.csi.ceph.com", { clusterID: "c", pool: "p", ...more });
    assert.equal(
      rbd({ dataPool: "" }),
      "InvalidArgument empty datapool name to provision volume from",
    );
    assert.equal(
      rbd({ radosNamespace: "" }),
      "InvalidArgument empty namespace name to provision volume from",
    );
    assert.equal(rbd({ imageFeatures: "" }), "InvalidArgument empty imageFeatures parameter");
    assert.equal(
      create("manila.csi.openstack.org", { type: "t", shareNetworkID: "" }),
      "InvalidArgument invalid volume parameters: parameter 'shareNetworkID' cannot be empty",
    );
  });

  test("RBD knows six image features, some of which need others or another mounter", () => {
    const features = (imageFeatures: string, more: Parameters = {}): string =>
      create("rbd.csi.ceph.com", { clusterID: "c", pool: "p", imageFeatures, ...more });
    assert.equal(features("layering,exclusive-lock,object-map,fast-diff,deep-flatten"), "OK");
    assert.equal(
      features("layering,exclusive-loc"),
      "InvalidArgument invalid feature exclusive-loc",
    );
    assert.equal(
      features("layering,fast-diff"),
      "InvalidArgument feature fast-diff requires object-map to be set",
    );
    assert.equal(
      features("object-map"),
      "InvalidArgument feature object-map requires exclusive-lock to be set",
    );
    const journaling = "exclusive-lock,journaling";
    assert.equal(
      features(journaling),
      "InvalidArgument feature journaling requires rbd-nbd for mounter",
    );
    assert.equal(features(journaling, { mounter: "rbd-nbd" }), "OK");
  });

  test("Filestore checks keys and connect modes, and the sizes of shares of a common instance", () => {
    const filestore = (parameters: Parameters, gibibytes = 100): string =>
      create("filestore.csi.storage.gke.io", parameters, writer, {
        capacity_range: { required_bytes: String(gibibytes * Number(gi)) },
      });
    assert.equal(
      filestore({ tier: "zonal", size: "1" }),
      'InvalidArgument invalid parameter "size"',
    );
    assert.equal(filestore({ Tier: "zonal", "nfs-export-options-on-create": "[]" }), "OK");
    const shares = { tier: "enterprise", multishare: "true" };
    assert.equal(filestore({ ...shares, "max-volume-size": "128Gi" }, 100), "OK");
    assert.equal(
      filestore(shares, 5),
      "InvalidArgument Request bytes 5368709120 is less than minimum share size bytes 10737418240",
    );
    assert.match(
      filestore(shares, 1025),
      / is greater than maximum share size bytes 1099511627776$/,
    );
    assert.equal(
      filestore({ "connect-mode": "DIRECT" }),
      'InvalidArgument connect mode can only be one of "DIRECT_PEERING" or "PRIVATE_SERVICE_ACCESS"',
    );
  });

  test("Proxmox requires a storage, but reads the numbers first", () => {
    const proxmox = (parameters: Parameters): string =>
      create("csi.proxmox.sinextra.dev", parameters);
    assert.equal(proxmox({}), "InvalidArgument parameter storage must be provided");
    assert.equal(
      proxmox({ diskIOPS: "fast" }),
      "InvalidArgument parameters diskIOPS must be a number",
    );
    assert.equal(proxmox({ storage: "local-lvm", diskIOPS: "400" }), "OK");
  });

  test("names the access mode or volume mode if it checks these first, as most do", () => {
    for (const [driver, capability, parameters, refusal] of [
      ["ebs.csi.aws.com", sharedFiles, { typ: "gp3" }, "Volume capabilities not supported"],
      [
        "efs.csi.aws.com",
        sharedBlock,
        {},
        "Volume capabilities not supported: only filesystem volumes are supported",
      ],
      ["fsx.csi.aws.com", sharedBlock, { storageType: "INTELLIGENT_TIERING" }, "Volume capab"],
      ["nfs.csi.k8s.io", sharedBlock, { typ: "x" }, "block volume capability not supported"],
      ["smb.csi.k8s.io", sharedBlock, {}, "block volume capability not supported"],
      ["file.csi.azure.com", sharedBlock, { protocol: "x" }, "block volume capability not supp"],
      ["blob.csi.azure.com", sharedBlock, { protocol: "x" }, "block volume capability not supp"],
      ["driver.longhorn.io", manyReaders, { dataLocality: "x" }, "access mode MULTI_NODE_READER"],
      ["csi.scaleway.com", sharedFiles, { zone: "x" }, "volumeCapabilities not supported: "],
      ["fss.csi.oraclecloud.com", sharedBlock, {}, "Requested Volume Capability not supported"],
      [
        "blockvolume.csi.oraclecloud.com",
        sharedFiles,
        { "attachment-type": "x" },
        "invalid volume capabilities requested. ",
      ],
    ] as const) {
      const answer = create(driver, parameters, capability);
      assert.ok(answer.startsWith(`InvalidArgument ${refusal}`), `${driver}: ${answer}`);
    }
  });

  test("names the parameter if it reads parameters first", () => {
    for (const [driver, capability, parameters, refusal] of [
      ["disk.csi.azure.com", sharedFiles, { typ: "x" }, "Failed parsing disk parameters: "],
      ["pd.csi.storage.gke.io", sharedFiles, { typ: "x" }, "failed to extract parameters: "],
      ["rbd.csi.ceph.com", sharedFiles, {}, "missing or empty cluster ID"],
      ["block.csi.vultr.com", sharedBlock, {}, "CreateVolume: parameter `disk_type` is missing"],
      [
        "diskplugin.csi.alibabacloud.com",
        sharedFiles,
        { type: "x" },
        "Invalid parameters from input: pvc-1, with error: illegal required parameter type: x",
      ],
    ] as const) {
      const answer = create(driver, parameters, capability);
      assert.ok(answer.startsWith(`InvalidArgument ${refusal}`), `${driver}: ${answer}`);
    }
  });

  test("checks keys, then modes, then values", () => {
    assert.equal(
      create("disk.csi.azure.com", { skuName: "Premium" }, sharedFiles),
      "InvalidArgument mountVolume is not supported for access mode: MULTI_NODE_MULTI_WRITER",
    );
    assert.equal(
      create("pd.csi.storage.gke.io", { "replication-type": "zonal" }, sharedFiles),
      "InvalidArgument VolumeCapabilities is invalid: specified multi writer with mount access type",
    );
    assert.equal(
      create("cephfs.csi.ceph.com", {}, sharedBlock),
      "Unimplemented block volume not supported",
    );
  });
});

suite("the drivers of smaller clouds", () => {
  const shared: VolumeCapability = { mount: {}, access_mode: { mode: "MULTI_NODE_MULTI_WRITER" } };

  test("Vultr's disks serve one node and its shares many, and the class has to say which it wants", () => {
    const vultr = (parameters: Parameters, capability = writer, gigabytes = 10): string =>
      create("block.csi.vultr.com", parameters, capability, {
        capacity_range: { required_bytes: String(gigabytes * 1024 ** 3) },
      });
    const nvme = { storage_type: "block", disk_type: "nvme" };
    const share = { ...nvme, storage_type: "vfs" };
    const begin = "CreateVolume: requested capability is not compatible: ";
    const other = `InvalidArgument ${begin}requested capability access mode is not supported`;
    assert.equal(vultr(nvme), "OK");
    assert.equal(vultr(nvme, shared), other);
    assert.equal(vultr(share), other);
    assert.equal(vultr(share, shared), "OK");
    assert.equal(
      vultr({ storage_type: "block" }),
      "InvalidArgument CreateVolume: parameter `disk_type` is missing",
    );
    assert.match(vultr({ ...nvme, disk_type: "ssd" }), /invalid block storage disk type: ssd$/);
    assert.match(vultr({ ...nvme, disk_type: "hdd" }), /Invalid size \(10GB\) - Must be .* 40GB/);
    assert.equal(vultr({ block_type: "high_perf" }), "OK");
    assert.match(vultr({ block_type: "high_perf" }, writer, 8), /Invalid size \(8GB\) .* 10GB/);
    assert.match(vultr(nvme, writer, 8), /Invalid size \(8GB\) - Must be between 10GB/);
    assert.match(vultr({ block_type: "storage_opt" }), /Invalid size \(10GB\)/);
    assert.equal(vultr(share, shared, 1), "OK");
  });

  test("Scaleway's disks take four parameters and are no smaller than a gigabyte", () => {
    const scaleway = (parameters: Parameters, capability = writer, asked = {}): string =>
      create("csi.scaleway.com", parameters, capability, asked);
    assert.equal(scaleway({ Type: "b_ssd", iops: "5000", encrypted: "true" }), "OK");
    assert.equal(
      scaleway({}, shared),
      'InvalidArgument volumeCapabilities not supported: unsupported volume capability at index 0: mode "MULTI_NODE_MULTI_WRITER" not supported',
    );
    const invalid = "InvalidArgument invalid parameters: ";
    const key = "00000000-1111-2222-3333-44444444444A";
    assert.equal(scaleway({ zone: "fr-par-1" }), `${invalid}invalid parameter key zone:`);
    assert.equal(
      scaleway({ type: "sbs_15k" }),
      `${invalid}invalid value (sbs_15k) for parameter type: unknown volume type:`,
    );
    assert.equal(
      scaleway({ type: "b_ssd", iops: "15000" }),
      `${invalid}volume type b_ssd only supports 5000 iops:`,
    );
    assert.equal(
      scaleway({ encrypted: "false", KMSKeyID: key }),
      `${invalid}kmsKeyId (${key}) provided for unencrypted volume (false):`,
    );
    for (const kmsKeyId of [key, `urn:uuid:${key}`, `{${key}}`, key.replaceAll("-", "")])
      assert.equal(scaleway({ encrypted: "true", kmsKeyId }), "OK");
    assert.equal(
      scaleway({ encrypted: "true", kmsKeyId: "k" }),
      `${invalid}invalid UUID value (k) for parameter kmsKeyId: …:`,
    );
    assert.equal(
      scaleway({ encrypted: "yes" }),
      `${invalid}invalid bool value (yes) for parameter encrypted: strconv.ParseBool: parsing "yes": invalid syntax:`,
    );
    assert.equal(
      scaleway({ iops: "15k" }),
      `${invalid}invalid value (15k) for parameter iops: strconv.ParseUint: parsing "15k": invalid syntax:`,
    );
    assert.equal(
      scaleway({}, writer, { capacity_range: { required_bytes: "999999999" } }),
      "OutOfRange capacityRange invalid: required size is less than the minimum size",
    );
  });

  test("a directory of Alibaba's NAS needs a server or a ContainerNetworkFileSystem", () => {
    const nas = (parameters: Parameters): string =>
      create("nasplugin.csi.alibabacloud.com", { volumeAs: "subpath", ...parameters }, shared);
    assert.equal(nas({}), "InvalidArgument invalid nas server");
    assert.equal(nas({ server: "a.cn-hangzhou.nas.aliyuncs.com:/k8s/", mode: "0777" }), "OK");
    assert.equal(nas({ containerNetworkFileSystem: "nas" }), "OK");
  });

  test("OSS creates directories in buckets, but no bucket spaces", () => {
    const oss = (parameters: Parameters): string =>
      create("ossplugin.csi.alibabacloud.com", parameters, shared);
    assert.equal(oss({ bucket: "b", volumeAs: "subpath" }), "OK");
    assert.match(
      oss({ volumeAs: "bucketspace" }),
      /^InvalidArgument volumeAs=bucketspace is not yet/,
    );
    assert.equal(
      oss({ agenticBucket: "a" }),
      "InvalidArgument bucketSpace is required when agenticBucket is specified in StorageClass parameters",
    );
  });

  test("Oracle's file systems need a domain and a mount target, and its disks one of two attachment types", () => {
    const share = (parameters: Parameters): string =>
      create("fss.csi.oraclecloud.com", parameters, shared);
    const availabilityDomain = "US-ASHBURN-AD-1";
    assert.equal(share({}), "InvalidArgument AvailabilityDomain not provided in storage class");
    assert.match(
      share({ availabilityDomain }),
      /Neither Mount Target Ocid nor Mount Target Subnet/,
    );
    assert.equal(share({ availabilityDomain, mountTargetOcid: "ocid1" }), "OK");
    const disk = (type: string): string =>
      create("blockvolume.csi.oraclecloud.com", { "attachment-type": type });
    assert.equal(disk("Paravirtualized"), "OK");
    assert.match(disk("nvme"), /invalid attachment-type: nvme provided for storageclass/);
  });

  test("Oracle's disks take a number as their speed, and its Lustre needs a domain, a subnet and a tier", () => {
    const speed = (vpusPerGB: string): string =>
      create("blockvolume.csi.oraclecloud.com", { vpusPerGB });
    const wrapped = "rpc error: code = InvalidArgument desc = ";
    const failed = `InvalidArgument failed to parse storageclass parameters ${wrapped}${wrapped}`;
    assert.equal(speed("120"), "OK");
    assert.equal(speed("fast"), `${failed}unable to parse performance level value fast as int64`);
    for (const wrong of ["-10", "130"])
      assert.ok(speed(wrong).startsWith(`${failed}invalid performance option : ${wrong} provided`));
    const lustre = (parameters: Parameters, capability = shared): string =>
      create("lustre.csi.oraclecloud.com", parameters, capability);
    const subnetId = "ocid1";
    const performanceTier = "mbps_per_tb_125";
    const availabilityDomain = "US-ASHBURN-AD-1";
    const good = { subnetId, performanceTier, availabilityDomain };
    assert.equal(lustre(good), "OK");
    const missing = "InvalidArgument Missing required parameter: ";
    assert.equal(lustre({}), `${missing}subnetId`);
    assert.equal(lustre({ subnetId }), `${missing}performanceTier`);
    assert.equal(lustre({ subnetId, performanceTier }), `${missing}availabilityDomain`);
    for (const [more, refusal] of [
      [{ performanceTier: "fast" }, "Invalid performanceTier: fast. Supported values: …"],
      [{ setupLnet: "yes" }, "Invalid setupLnet: yes. Allowed values: true or false"],
      [{ rootSquashUid: "-1" }, "Invalid rootSquashUid: -1"],
      [{ fileSystemName: "ninechars" }, "Invalid fileSystemName: length must be <= 8"],
      [{ fileSystemName: "a-b" }, "Invalid fileSystemName: allowed characters are [A-Za-z0-9_]"],
    ] as const)
      assert.equal(lustre({ ...good, ...more }), `InvalidArgument ${refusal}`);
    assert.match(lustre(good, sharedBlock), /does not support volume mode block$/);
  });

  test("PowerStore takes an array's ID but not its address, and sizes up to 256Ti", () => {
    const powerStore = (parameters: Parameters, capability = writer, bytes = 2n ** 30n): string =>
      create("csi-powerstore.dellemc.com", parameters, capability, {
        capacity_range: { required_bytes: String(bytes) },
      });
    assert.equal(powerStore({ arrayID: "PS1" }), "OK");
    assert.match(powerStore({ arrayIP: "10.0.0.1" }), /^Internal Array IP's been provided/);
    assert.match(
      powerStore({ FsType: "nfs" }, sharedBlock),
      /raw block requested from NFS Volume$/,
    );
    assert.equal(powerStore({ FsType: "nfs" }), "OK");
    assert.equal(
      powerStore({}, writer, 2n ** 48n + 8192n),
      `OutOfRange bad capacity: max size bytes ${2n ** 48n} can't be less than minimum size bytes ${2n ** 48n + 8192n}`,
    );
  });

  test("HPE shares files only by NFS, and encrypts only with a secret's name and namespace", () => {
    const hpe = (parameters: Parameters, capability = writer): string =>
      create("csi.hpe.com", parameters, capability);
    assert.equal(hpe({}), "OK");
    for (const many of [manyReaders, shared])
      assert.match(
        hpe({ nfsResources: "false" }, many),
        /^InvalidArgument StorageClass parameter nfsResources=true is missing/,
      );
    assert.equal(hpe({ nfsResources: "true" }, shared), "OK");
    assert.equal(hpe({ accessProtocol: "nfs" }, shared), "OK");
    assert.equal(hpe({}, sharedBlock), "OK");
    assert.match(hpe({ accessProtocol: "nfs" }, sharedBlock), /can't be block for File$/);
    assert.match(hpe({ nfsResources: "true" }, sharedBlock), /not supported with block access/);
    const secret = {
      hostEncryptionSecretName: "keys",
      hostEncryptionSecretNamespace: "storage",
    };
    assert.equal(hpe({ hostEncryption: "true", ...secret }), "OK");
    assert.match(hpe({ hostEncryption: "true" }), /Namespace both must be specified$/);
    assert.match(hpe({ hostEncryptionSecretName: "keys" }), /both must be specified$/);
    assert.match(hpe({ hostEncryption: "yes", ...secret }), /must be either \[true, false\]$/);
  });

  test("Lustre with intelligent tiering needs a throughput capacity", () => {
    const tiered = { storageType: "INTELLIGENT_TIERING" };
    const lustre = (more: Parameters): string => create("fsx.csi.aws.com", { ...tiered, ...more });
    assert.match(
      lustre({}),
      /^InvalidArgument Invalid INTELLIGENT_TIERING parameters: throughputCap/,
    );
    const throughputCapacity = "4000";
    assert.match(
      lustre({ throughputCapacity, metadataIops: "3000" }),
      /6000 or 12000 .* got: 3000$/,
    );
    assert.equal(lustre({ throughputCapacity }), "OK");
  });

  test("a disk of Alibaba that is too small for all of its types is refused with a reason for each", () => {
    const alibaba = (parameters: Parameters, gibibytes: number): string => {
      const range = { required_bytes: String(gibibytes * 1024 ** 3) };
      const asked = { capacity_range: range };
      return create("diskplugin.csi.alibabacloud.com", parameters, writer, asked);
    };
    const failed = "Internal all attempts failed: ";
    const small = (type: string, least: number, size: number): string =>
      `${type}: requested size ${size}GiB is less than minimum ${least}GiB`;
    const essd = { type: "cloud_essd", performanceLevel: "PL2" };
    assert.equal(alibaba(essd, 460), failed + small("cloud_essd.PL2", 461, 460));
    assert.equal(alibaba(essd, 461), "OK");
    assert.equal(alibaba({ type: "cloud_essd", performanceLevel: "PL0" }, 1), "OK");
    assert.equal(alibaba({ type: "cloud_auto" }, 1), "OK");
    const usual = [small("cloud_ssd", 20, 8), small("cloud_efficiency", 20, 8)];
    assert.equal(alibaba({}, 8), failed + usual.join("; "));
    assert.equal(alibaba({ volumeSizeAutoAvailable: "true" }, 8), "OK");
    const all = { type: "cloud_essd,cloud_ssd,cloud_efficiency" };
    assert.equal(alibaba(all, 8), failed + [small("cloud_essd", 20, 8), ...usual].join("; "));
  });
});
