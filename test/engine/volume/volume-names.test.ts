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
  test("SHA-256 agrees with everybody else's", () => {
    for (const text of ["", "abc", "ä€😀", "x".repeat(55), "x".repeat(56), "x".repeat(200)]) {
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

  test("a source in a pod becomes a volume in memory", () => {
    const pod = { metadata: { name: "p", namespace: "default" } } as unknown as Pod;
    const volume: Volume = { name: "v", awsElasticBlockStore: { volumeID: "vol-1" } };
    assert.equal(translatedInlineVolume(pod, volume)?.metadata.name, "ebs.csi.aws.com-vol-1");
    assert.equal(translatedInlineVolume(pod, { name: "v", emptyDir: {} }), undefined);
  });
});
