/** The field of a claim that a provisioner's message is about, the reason, and the value to write there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { refusedField } from "../../../src/engine/explain/claims/refused-claim-field.ts";
import { checkGolden } from "../../support/golden.ts";

const code = (name: string, text: string): string => `rpc error: code = ${name} desc = ${text}`;

const messages: readonly string[] = [
  "claim Selector is not supported",
  "claim.Spec.Selector is not supported",
  "failed to get name and namespace template from params: either name and namespace for Provisioner secrets specified, Both must be specified",
  "selected node 'n1' topology 'map[zone:a]' is not in allowed topologies: [map[zone:b]]",
  "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes",
  "Only support ReadWriteOnce access mode",
  "configuration error, no node was specified",
  "snapshot feature not supported by this provisioner",
  "PV with BlockMode is not supported with StorageType hostpath",
  "PV with StorageType device is not supported",
  "d.csi does not support block volume provisioning",
  code("InvalidArgument", "Invalid mutable parameter key: speed"),
  code(
    "InvalidArgument",
    'Invalid mutable parameter: rpc error: code = InvalidArgument desc = Could not parse IOPS: "3k"',
  ),
  code("InvalidArgument", "Disk type pd-balanced does not support dynamic provisioning"),
  code("InvalidArgument", "Cannot specify throughput for disk type hyperdisk-extreme"),
  "CSI driver does not support VolumeAttributesClass: controller MODIFY_VOLUME capability is not reported",
  "the PVC DataSource data must have a status of Bound. Got Pending",
  'error getting PVC data (namespace "default") from api server: persistentvolumeclaims "data" not found',
  'error getting snapshot snap from api server: volumesnapshots.snapshot.storage.k8s.io "snap" not found',
  "snapshot snap not bound",
  "snapshot snap is not Ready",
  "CSI driver does not support clone operations: controller CLONE_VOLUME capability is not reported",
  "the source PVC and destination PVCs must have the same volume mode for cloning.  Source is Block, but new PVC requested Filesystem",
  'error getting secret key in namespace shop: secrets "key" not found',
  "snapshotcontent c for snapshot snap is not handled by CSI driver of StorageClass",
  "VAC gold referenced in PVC is for driver other.csi which does not match driver name d.csi",
  "requested volume default/copy modifies the mode of the source volume but does not have permission to do so",
  "requested volume size 1073741824 is less than the size 2147483648 for the source snapshot snap",
  "error, new PVC request must be greater than or equal in size to the specified PVC data source, requested 1073741824 but source is 3221225472",
  code("OutOfRange", "size 2Ti is above the maximum 1Ti"),
  code("InvalidArgument", "Volume capabilities MULTI_NODE_MULTI_WRITER not supported"),
  code("InvalidArgument", "readOnly accessMode is supported only with content source"),
  code(
    "InvalidArgument",
    "volume capability not supported. Err: fstype xfs not supported for ReadWriteMany or ReadOnlyMany volume creation",
  ),
  code(
    "InvalidArgument",
    "volume capability not supported. Err: fstype nfs4 not supported for ReadWriteOnce volume creation",
  ),
  code("InvalidArgument", "volume mode Block is not supported by the driver"),
  code(
    "InvalidArgument",
    "Dynamic mounting uses the sub-path named pv name as data isolation, so read-only mode cannot be used.",
  ),
  code("InvalidArgument", "ReadWriteMany volumes require a DRBD layer"),
  // Messages of local-path-provisioner.
  "config doesn't contain node n1, and no DEFAULT_PATH_FOR_NON_LISTED_NODES available",
  "no local path available on node n1",
  "config doesn't contain path /x on node n1",
  "both nodePathMap and sharedFileSystemPath are defined. Please make sure only one is in use",
  "BUG: Got request for unexpected storage class fast",
  "pathPattern must start with {{ .PVC.Namespace }}/{{ .PVC.Name }}/",
  "invalid StorageClass parameter minSize x: quantities must match",
  "PVC requests 1Gi which is below minimum size 5Gi",
  "PVC requests 9Gi which exceeds maximum size 5Gi",
  '"raw" is not a recognised volume type',
  "spec.nodeAffinity: Required value: Local volume requires node affinity",
  "something else",
];

function claim(spec: object, annotations?: Readonly<Record<string, string>>): KubeObject {
  const resources = { requests: { storage: "1Gi" } };
  return {
    kind: "PersistentVolumeClaim",
    metadata: { name: "copy", namespace: "default", annotations },
    spec: { resources, accessModes: ["ReadWriteMany"], ...spec },
  } as unknown as KubeObject;
}

function told(object: KubeObject, message: string): string {
  const found = refusedField(object as KubeObject<"PersistentVolumeClaim">, "d.csi", message);
  const lines = Object.entries(found ?? {}).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
  );
  return [message, ...lines].join("\n");
}

suite("the field of a claim that a provisioner refuses", () => {
  test("is found by the provisioner's message", () => {
    const plain = messages.map((message) => told(claim({}), message));
    const ofTwo = claim({ accessModes: ["ReadWriteOnce", "ReadOnlyMany"], volumeMode: "Block" });
    const others = [
      told(
        ofTwo,
        code("InvalidArgument", "readOnly accessMode is supported only with content source"),
      ),
      told(ofTwo, code("InvalidArgument", "volume mode Block is not supported by the driver")),
      told(ofTwo, "requested volume default/copy modifies the mode of the source volume but"),
      told(claim({}, { volumeType: "raw" }), '"raw" is not a recognised volume type'),
    ];
    checkGolden(
      join(import.meta.dirname, "claims-refused.txt"),
      `${[...plain, ...others].join("\n\n")}\n`,
    );
  });
});

suite("the class that a driver blames", () => {
  const of = (
    words: string,
    given: Parameters<typeof refusedField>[3],
    driver = "disk.csi.azure.com",
  ): string => {
    const message = code("InvalidArgument", words);
    const object = claim({}) as KubeObject<"PersistentVolumeClaim">;
    const field = refusedField(object, driver, message, given);
    return field === undefined ? "nobody" : `${field.of} ${field.parameter}`;
  };
  const disks = "Failed parsing disk parameters:";
  const noNumber = `${disks} parse x failed with error: strconv.Atoi: parsing "x": invalid syntax`;

  test("is the one that has the parameter, in any case, if the driver has the same message for several", () => {
    assert.equal(
      of(noNumber, { ofClass: { logicalsectorsize: "x" } }),
      "StorageClass LogicalSectorSize",
    );
    assert.equal(
      of(noNumber, { ofClass: { skuName: "x", attachDiskInitialDelay: "x" } }),
      "StorageClass attachDiskInitialDelay",
    );
    assert.equal(of(noNumber, {}), "StorageClass maxShares");
    assert.equal(of(noNumber, { ofClass: { maxShares: "x" } }, "d.csi"), "nobody");
  });

  test("is the VolumeAttributesClass if that has the parameter, whatever the StorageClass says", () => {
    const unknown = `${disks} invalid parameter colour in storage class`;
    const sku =
      "azureDisk - Fast is not supported sku/storageaccounttype. Supported values are [Premium_LRS PremiumV2_LRS Premium_ZRS Standard_LRS StandardSSD_LRS StandardSSD_ZRS UltraSSD_LRS]";
    for (const [words, key, parameter] of [
      [unknown, "colour", "colour"],
      [sku, "skuname", "skuName"],
    ] as const) {
      const ofAttributes = { [key]: "Fast" };
      const ofClass = { [key]: "Premium_LRS" };
      const ofOther = { ofAttributes: { DiskIOPSReadWrite: "500" } };
      assert.equal(of(words, { ofAttributes }), `VolumeAttributesClass ${parameter}`);
      assert.equal(of(words, { ofAttributes, ofClass }), `VolumeAttributesClass ${parameter}`);
      assert.equal(of(words, { ofClass, ...ofOther }), `StorageClass ${parameter}`);
      assert.equal(of(words, ofOther), `StorageClass ${parameter}`);
    }
  });

  test("is not needed for an empty message if the claim has a data source", () => {
    const silent = code("Unimplemented", "");
    const copy = claim({ dataSource: { kind: "VolumeSnapshot", name: "s" } });
    const refused = (object: KubeObject): string | undefined =>
      refusedField(object as KubeObject<"PersistentVolumeClaim">, "d.csi", silent)?.why;
    assert.equal(refused(copy), "it makes no volumes from a VolumeSnapshot");
    assert.equal(refused(claim({})), undefined);
  });
});
