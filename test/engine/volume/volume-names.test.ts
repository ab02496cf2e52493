import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { PersistentVolume, Pod, Volume } from "../../../src/engine/api/types.ts";
import {
  translatedInlineVolume,
  translatedVolume,
} from "../../../src/engine/volume/csi-translation.ts";
import { sha256 } from "../../../src/engine/volume/sha256.ts";
import { attachmentName, uniqueCsiVolumeName } from "../../../src/engine/volume/volume-names.ts";

suite("volume names", () => {
  test("SHA-256 gives the standard hashes", () => {
    const long = ["x".repeat(55), "x".repeat(56), "x".repeat(200), "€".repeat(2000)];
    for (const text of ["", "abc", "ä€😀", ...long, "after a longer one"]) {
      assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"));
    }
  });

  test("an attachment is named by handle, driver and node without separators", () => {
    const hash = createHash("sha256").update("volebs.csi.aws.comnode-a").digest("hex");
    assert.equal(attachmentName("vol", "ebs.csi.aws.com", "node-a"), `csi-${hash}`);
    assert.equal(
      uniqueCsiVolumeName("ebs.csi.aws.com", "vol"),
      "kubernetes.io/csi/ebs.csi.aws.com^vol",
    );
  });
});

suite("in-tree volumes as CSI", () => {
  function handle(spec: Partial<PersistentVolume["spec"]>): string | undefined {
    const volume = { metadata: { name: "pv" }, spec } as unknown as PersistentVolume;
    const { csi } = translatedVolume(volume).spec;
    return csi === undefined ? undefined : `${csi.driver} ${csi.volumeHandle}`;
  }

  test("each has its driver and its handle", () => {
    assert.equal(
      handle({ awsElasticBlockStore: { volumeID: "aws://eu-1a/vol-1" } }),
      "ebs.csi.aws.com vol-1",
    );
    assert.equal(
      handle({ gcePersistentDisk: { pdName: "disk" } }),
      "pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/disk",
    );
    assert.equal(
      handle({ azureDisk: { diskName: "d", diskURI: "/subscriptions/d" } }),
      "disk.csi.azure.com /subscriptions/d",
    );
    assert.equal(
      handle({ azureFile: { secretName: "azure-storage-account-acc-secret", shareName: "s" } }),
      "file.csi.azure.com #acc#s#pv#default",
    );
    assert.equal(handle({ cinder: { volumeID: "c" } }), "cinder.csi.openstack.org c");
    assert.equal(handle({ nfs: { server: "s", path: "/p" } }), undefined);
  });

  test("a Google disk's handle has its zone or region, and only one node may write to it", () => {
    const gcePersistentDisk = { pdName: "disk" };
    const translated = (zone: string, accessModes?: string[]): PersistentVolume["spec"] => {
      const metadata = { name: "pv", labels: { "topology.kubernetes.io/zone": zone } };
      const spec = { gcePersistentDisk, ...(accessModes && { accessModes }) };
      return translatedVolume({ metadata, spec } as unknown as PersistentVolume).spec;
    };
    const inZone = translated("europe-west1-b", ["ReadWriteMany", "ReadOnlyMany"]);
    assert.equal(inZone.csi?.volumeHandle, "projects/UNSPECIFIED/zones/europe-west1-b/disks/disk");
    assert.deepEqual(inZone.csi?.volumeAttributes, { partition: "" });
    assert.deepEqual(inZone.accessModes, ["ReadWriteOnce"]);
    assert.deepEqual(inZone.nodeAffinity?.required?.nodeSelectorTerms, [
      {
        matchExpressions: [
          { key: "topology.gke.io/zone", operator: "In", values: ["europe-west1-b"] },
        ],
      },
    ]);
    const inRegion = translated("europe-west1-b__europe-west1-c", ["ReadOnlyMany"]);
    assert.equal(
      inRegion.csi?.volumeHandle,
      "projects/UNSPECIFIED/regions/europe-west1/disks/disk",
    );
    assert.deepEqual(inRegion.accessModes, ["ReadOnlyMany"]);
  });

  const pod = { metadata: { name: "p", namespace: "default" } } as unknown as Pod;

  test("an inline volume is translated to a PersistentVolume that is not stored", () => {
    const volume: Volume = { name: "v", awsElasticBlockStore: { volumeID: "vol-1" } };
    const { metadata, spec } = translatedInlineVolume(pod, volume) ?? {};
    assert.equal(metadata?.name, "ebs.csi.aws.com-vol-1");
    assert.deepEqual(spec, {
      accessModes: ["ReadWriteOnce"],
      csi: {
        driver: "ebs.csi.aws.com",
        volumeHandle: "vol-1",
        volumeAttributes: { partition: "0" },
      },
    });
    const google: Volume = { name: "v", gcePersistentDisk: { pdName: "d" } };
    assert.equal(translatedInlineVolume(pod, google)?.spec.volumeMode, "Filesystem");
    assert.equal(translatedInlineVolume(pod, { name: "v", emptyDir: {} }), undefined);
  });

  test("an inline share has a unique name, and may be mounted on any node", () => {
    const volume: Volume = { name: "v", azureFile: { secretName: "key", shareName: "s" } };
    const { metadata, spec } = translatedInlineVolume(pod, volume) ?? {};
    assert.equal(metadata?.name, "#key#s#v#default");
    assert.deepEqual(spec?.accessModes, ["ReadWriteMany"]);
    assert.deepEqual(spec?.csi, {
      driver: "file.csi.azure.com",
      volumeHandle: "#key#s#v#default",
      volumeAttributes: { sharename: "s" },
      nodeStageSecretRef: { name: "key", namespace: "default" },
    });
  });

  test("a read-only inline disk may be attached to several nodes, if its driver allows that", () => {
    const modes = (source: Omit<Volume, "name">): readonly string[] | undefined =>
      translatedInlineVolume(pod, { name: "v", ...source })?.spec.accessModes;
    assert.deepEqual(modes({ gcePersistentDisk: { pdName: "d", readOnly: true } }), [
      "ReadOnlyMany",
    ]);
    assert.deepEqual(modes({ portworxVolume: { volumeID: "d", readOnly: true } }), [
      "ReadOnlyMany",
    ]);
    assert.deepEqual(modes({ awsElasticBlockStore: { volumeID: "d", readOnly: true } }), [
      "ReadWriteOnce",
    ]);
  });
});
