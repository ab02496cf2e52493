/** States that the checks on random clusters have to accept, as Kubernetes leaves clusters in them forever. */
import assert from "node:assert/strict";
import { pod, start } from "../engine/controllers/attach-detach/disk-fixture.ts";
import { StorageRun } from "../support/storage-run.ts";
import { unrest } from "./rest.ts";

const untilRest = { type: "settle", quietMs: 400_000, limitMs: 7_200_000 } as const;

const waiting = `
  kind: StorageClass
  metadata: { name: late }
  provisioner: d.csi
  volumeBindingMode: WaitForFirstConsumer
  ---
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: late }
  ---
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

suite("a cluster is at rest", () => {
  test("with a pod that waits without an event, while another pod got the event that their volume is elsewhere", () => {
    const run = start().apply(pod("one", "n1")).settle().apply(pod("two", "n2")).advance(5);
    run.apply(pod("three", "n2")).advance(5).delete("Pod", "two").step(untilRest);
    assert.equal(run.get("Pod", "three")?.status?.phase, "Pending");
    assert.deepEqual(unrest(run.simulation), []);
  });

  test("with a pod whose volume is never provisioned and that is assigned to the same node every ten minutes", () => {
    const run = new StorageRun().fault("CreateVolume", { code: "InvalidArgument", times: 0 });
    run.apply(waiting).advance(3600).step(untilRest);
    const timeouts = run.events("Pod/default/web").filter((e) => e.endsWith("deadline exceeded"));
    assert.notEqual(timeouts.length, 0);
    assert.deepEqual(unrest(run.simulation), []);
  });
});
