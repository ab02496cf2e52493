import assert from "node:assert/strict";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import { assumedRun } from "../../support/assumed-run.ts";

/** The headline of the verdict on the pod that uses the claim. */
function podHeadline(volume: string, owners: string, more: string): string | undefined {
  const run = assumedRun(
    `${volume}
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, ownerReferences: [${owners}]}
spec: {accessModes: [ReadWriteOnce], storageClassName: gp2, resources: {requests: {storage: 1Gi}}, ${more}}
---
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  containers: [{name: app, image: busybox}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]`,
    "eks",
  );
  return verdicts(run.run()).find(({ ref }) => ref.startsWith("Pod/"))?.headline;
}

suite("the verdict on a deleted object", () => {
  test("says that the garbage collector deletes a claim without any of its owners", () => {
    const owner = "{apiVersion: apps/v1, kind: Deployment, name: web, uid: gone}";
    assert.equal(
      podHeadline("", owner, ""),
      'stays Pending: its claim "data" was deleted by the garbage collector, because none of its owners existed, and is gone',
    );
  });

  test("says that a volume reserved for a claim with another uid is reclaimed by its policy", () => {
    const volume = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: gp2
  persistentVolumeReclaimPolicy: Delete
  claimRef: {namespace: default, name: data, uid: gone}
  csi: {driver: ebs.csi.aws.com, volumeHandle: vol-1}
---`;
    assert.equal(
      podHeadline(volume, "", "volumeName: disk"),
      'stays Pending: claim "data" stays Pending: it names volume "disk", which was deleted with its storage, because it was Released and its policy is Delete, and is gone',
    );
  });
});
