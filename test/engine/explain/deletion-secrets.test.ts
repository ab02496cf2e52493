/** Volumes that stay because their driver does not get the secret that it needs to delete them. */
import assert from "node:assert/strict";
import type { Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { assumedRun } from "../../support/assumed-run.ts";

const secret =
  "{apiVersion: v1, kind: Secret, metadata: {name: login}, data: {userID: eA==, userKey: eA==}}";
const dynamic = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: rbd.csi.ceph.com
volumeBindingMode: Immediate
parameters:
  clusterID: c
  pool: p
  csi.storage.k8s.io/secret-name: login
  csi.storage.k8s.io/secret-namespace: default`;
const byHand = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: fast
  persistentVolumeReclaimPolicy: Delete
  csi: {driver: rbd.csi.ceph.com, volumeHandle: h}`;
const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`;

/** The verdict on the volume after its claim is deleted; the steps `before` happen while it is bound. */
function verdictOf(origin: string, ...before: readonly Step[]): Verdict {
  const simulation = assumedRun([secret, origin, claim].join("\n---\n"), "generic", [
    ...before,
    { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
    { type: "advance", ms: 20_000 },
  ]);
  const verdict = verdicts(simulation.run()).find((v) => v.ref.startsWith("PersistentVolume/"));
  return verdict ?? assert.fail();
}

function told({ headline, root, fixes }: Verdict): readonly unknown[] {
  return [headline.split(": ")[1], root?.ref.split("/")[0], root?.field, fixes[0]?.text];
}

suite("the secret for a volume's deletion", () => {
  test("is reported missing if it was deleted before the volume", () => {
    const gone: Step = { type: "delete", objects: [{ kind: "Secret", name: "login" }] };
    const verdict = verdictOf(dynamic, gone);
    assert.equal(
      verdict.message,
      "rpc error: code = InvalidArgument desc = provided secret is empty",
    );
    assert.deepEqual(told(verdict), [
      "Secret default/login, which its driver is to be given, does not exist",
      "PersistentVolume",
      "metadata.annotations",
      'make Secret "login" in namespace "default" again',
    ]);
  });

  test("is blamed for the key that it lacks by now", () => {
    const emptied: Step = {
      type: "patch",
      object: { kind: "Secret", name: "login" },
      patch: { data: { userKey: null } },
    };
    assert.deepEqual(told(verdictOf(dynamic, emptied)), [
      'Secret "default/login" has no userKey',
      "Secret",
      "data",
      'add userKey to Secret "default/login"',
    ]);
  });

  test("has to be named in the annotations of a static volume", () => {
    const { root, chain, fixes } = verdictOf(byHand);
    assert.deepEqual(fixes[0]?.at, root);
    assert.deepEqual(
      chain.map(({ ref }) => ref),
      [root?.ref],
    );
    assert.deepEqual(told(verdictOf(byHand)), [
      "rbd.csi.ceph.com wants a secret, and the volume names none for that",
      "PersistentVolume",
      "metadata.annotations",
      "name one in the annotations volume.kubernetes.io/provisioner-deletion-secret-name and -namespace",
    ]);
  });
});
