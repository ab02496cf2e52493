/** Parameters of a VolumeSnapshotClass that drivers refuse, with the exact text. */
import assert from "node:assert/strict";
import { keep, type Parameters } from "./create-volume.ts";

const named: Parameters = { "csi.storage.k8s.io/volumesnapshot/name": "s" };

function answers(
  driver: string,
  cases: readonly (readonly [parameters: Parameters | undefined, answer: string])[],
): void {
  for (const [parameters, answer] of [[named, "OK"] as const, ...cases])
    assert.equal(keep(driver, parameters), answer, `${driver} ${JSON.stringify(parameters)}`);
}

suite("parameters of a VolumeSnapshotClass", () => {
  test("EBS, Azure Disk and Azure Files name the unknown parameter", () => {
    answers("ebs.csi.aws.com", [
      [{ tagSpecification_1: "a=b", outpostArn: "arn" }, "OK"],
      [{ type: "gp3" }, "InvalidArgument Invalid parameter key type for CreateSnapshot"],
    ]);
    answers("disk.csi.azure.com", [
      [{ incremental: "true", ResourceGroup: "group" }, "OK"],
      [
        { skuName: "Premium_LRS" },
        "Internal AzureDisk - invalid option skuName in VolumeSnapshotClass",
      ],
    ]);
    answers("file.csi.azure.com", [
      [{ usedataplaneapi: "true" }, "OK"],
      [{ tags: "a=b" }, 'InvalidArgument invalid parameter "tags" in storage class'],
    ]);
  });

  test("Persistent Disk knows two types, in lower case only", () => {
    answers("pd.csi.storage.gke.io", [
      [{ "Snapshot-Type": "images", "image-family": "f", "storage-locations": "eu" }, "OK"],
      [
        { "snapshot-type": "Images" },
        "InvalidArgument Invalid snapshot parameters: invalid snapshot type Images",
      ],
      [
        { type: "images" },
        'InvalidArgument Invalid snapshot parameters: parameters contains invalid option "type"',
      ],
    ]);
  });

  test("NFS takes parameters for the snapshots' place, and answers NotFound to any other", () =>
    answers("nfs.csi.k8s.io", [
      [{ Server: "s", share: "/snapshots", mountOptions: "nfsvers=4.1" }, "OK"],
      [
        { subDir: "snapshots" },
        'NotFound failed to create nfsSnapshot: rpc error: code = InvalidArgument desc = invalid parameter "subDir" in snapshot storage class',
      ],
    ]));

  test("Filestore requires a type if there are any parameters, and knows one", () => {
    answers("filestore.csi.storage.gke.io", [
      [undefined, "OK"],
      [{ type: "backup", location: "us-east1" }, "OK"],
      [{ location: "us-east1" }, "InvalidArgument Volume snapshot type is missing"],
      [{ type: "snapshot" }, 'InvalidArgument Volume snapshot type "snapshot" not supported'],
    ]);
  });

  test("Longhorn and Cinder check the type, and Cinder the maximum duration of a backup", () => {
    answers("driver.longhorn.io", [
      [{ type: "bak", anything: "else" }, "OK"],
      [
        { type: "backup" },
        'InvalidArgument invalid CSI snapshot type: backup. Must be snap or bak or ""',
      ],
    ]);
    answers("cinder.csi.openstack.org", [
      [{ type: "backup", "force-create": "true" }, "OK"],
      [
        { type: "snap" },
        "InvalidArgument Snapshot type must be 'backup', 'snapshot' or not defined",
      ],
      [
        { type: "backup", "backup-max-duration-seconds-per-gb": "20s" },
        "Internal Failed to parse backup-max-duration-seconds-per-gb",
      ],
      [{ "backup-max-duration-seconds-per-gb": "20s" }, "OK"],
    ]);
  });

  test("OpenEBS's LVM takes a size or a percentage, and Mayastor a known way to quiesce", () => {
    const wrong = "InvalidArgument failed to parse csi volume params: ";
    const percents = (value: string): string =>
      `${wrong}snapSize percentage should be between 1 and 100, found ${value}`;
    answers("local.csi.openebs.io", [
      [{ snapSize: "50%" }, "OK"],
      [{ snapSize: "100%" }, "OK"],
      [{ snapsize: "12.5%" }, "OK"],
      [{ snapSize: "0.5%" }, percents("0.5%")],
      [{ snapSize: "150%" }, percents("150%")],
      [{ snapSize: "-5%" }, percents("-5%")],
      [{ snapSize: "10Gi" }, "OK"],
      [
        { snapSize: "half" },
        `${wrong}quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
      ],
      [{ snapSize: "0" }, `${wrong}absolute snapSize should greater than 0, found 0`],
    ]);
    answers("io.openebs.csi-mayastor", [
      [{ quiesceFs: "freeze" }, "OK"],
      [{ quiesceFs: "Freeze" }, "InvalidArgument Invalid quiesce type"],
    ]);
  });

  test("Oracle takes full or incremental backups", () =>
    answers("blockvolume.csi.oraclecloud.com", [
      [{ backupType: "Full" }, "OK"],
      [
        { backupType: "copy" },
        "InvalidArgument failed to parse volumesnapshotclass parameters rpc error: code = InvalidArgument desc = invalid backupType: copy provided in volumesnapshotclass. supported backupType are incremental and full",
      ],
    ]));

  test("LINSTOR knows three types, two of which need a remote", () => {
    const own = (name: string): string => `snap.linstor.csi.linbit.com/${name}`;
    const wrong = "InvalidArgument invalid snapshot parameters: ";
    answers("linstor.csi.linbit.com", [
      [{ [own("type")]: "s3", [own("remote-name")]: "r", type: "anything" }, "OK"],
      [{ [own("type")]: "GCS" }, `${wrong}GCS does not belong to SnapshotType values`],
      [
        { [own("type")]: "S3" },
        `${wrong}snapshots of type \`S3\` require specifying a ${own("remote-name")}`,
      ],
      [
        { [own("delete-local")]: "true" },
        `${wrong}cannot use ${own("delete-local")} with in-cluster snapshots`,
      ],
    ]);
  });

  test("Ceph requires the cluster in the VolumeSnapshotClass too", () => {
    const none = "Internal clusterID must be set";
    const rbd = (parameters?: Parameters): string => keep("rbd.csi.ceph.com", parameters);
    assert.equal(rbd(named), none);
    assert.equal(rbd({ clusterId: "c" }), none);
    assert.equal(rbd({ clusterID: "c", pool: "p" }), "OK");
    assert.equal(
      rbd({ pool: "" }),
      "InvalidArgument empty pool name in which rbd image will be created",
    );
    assert.equal(keep("rook-ceph.cephfs.csi.ceph.com", named), none);
    assert.equal(keep("rook-ceph.cephfs.csi.ceph.com", { clusterID: "c" }), "OK");
  });
});
