/** Upstream: pkg/volume/flexvolume, pkg/volume/plugins.go FindPluginBySpec v1.36. */
import assert from "node:assert/strict";
import { testWithFaults } from "../../support/same-end.ts";
import { StorageRun } from "../../support/storage-run.ts";

const pod = `
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: main, image: app, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;
const claim = `
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: disks }
`;
const phase = (run: StorageRun): string | undefined => run.get("Pod", "web")?.status?.phase;

suite("a FlexVolume", () => {
  testWithFaults("that a provisioner has made is mounted, and unmounted again", () => {
    const run = new StorageRun({
      pathProvisioners: [{ name: "oracle.com/oci", type: "flex-volume" }],
    })
      .apply("{ kind: StorageClass, metadata: { name: disks }, provisioner: oracle.com/oci }")
      .mark()
      .apply(claim)
      .apply(pod)
      .settle();
    const [volume] = run.list("PersistentVolume");
    assert.equal(volume?.spec.flexVolume?.driver, "oracle/oci");
    assert.equal(phase(run), "Running");
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(run.list("PersistentVolume"), []);
  });

  testWithFaults(
    "that was written by hand has no plugin, because nothing tells that nodes have its program",
    () => {
      const run = new StorageRun({})
        .apply(`
        kind: PersistentVolume
        metadata: { name: disk }
        spec: { storageClassName: disks, flexVolume: { driver: oracle/oci } }
      `)
        .apply(claim)
        .apply(pod)
        .settle();
      assert.equal(phase(run), "Pending");
      assert.match(run.events("Pod/default/web").join("\n"), /err=no volume plugin matched/);
    },
  );
});
