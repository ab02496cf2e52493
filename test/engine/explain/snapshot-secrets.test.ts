/** Snapshots whose driver gets no secret or a wrong one, and the causes that verdicts give for that. */
import assert from "node:assert/strict";
import type { Verdict } from "../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../src/engine/explain/verdicts.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { assumedRun } from "../../support/assumed-run.ts";

const prefix = "csi.storage.k8s.io/";
const named = (use: string, secret: string): string =>
  `, ${prefix}${use}secret-name: ${secret}, ${prefix}${use}secret-namespace: default`;

interface Written {
  readonly driver: string;
  readonly parameters: string;
  /** Further parameters of the VolumeSnapshotClass, with a comma first. */
  readonly ofSnapshots?: string;
  /** The fields of Secret `taker`, as YAML; undefined if there is none. */
  readonly secret?: string;
  readonly more?: readonly Step[];
}

/** The verdict on the snapshot of a claim. */
function verdictOf({ driver, parameters, ofSnapshots = "", secret, more = [] }: Written): Verdict {
  const text = `
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {userID: kubernetes, userKey: k, os-authURL: u}
---
${secret === undefined ? "" : `{apiVersion: v1, kind: Secret, metadata: {name: taker}, ${secret}}\n---`}
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: ${driver}
volumeBindingMode: Immediate
parameters: {${parameters}${named("", "login")}}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: {name: nightly}
driver: ${driver}
deletionPolicy: Delete
parameters: {${`${parameters}${ofSnapshots}`.replace(/type: t,? ?/, "")}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: s}
spec: {volumeSnapshotClassName: nightly, source: {persistentVolumeClaimName: data}}`;
  return onSnapshot(text, more);
}

function onSnapshot(text: string, more: readonly Step[]): Verdict {
  const verdict = verdicts(assumedRun(text, "generic", more).run()).find(
    (v) => v.ref === "VolumeSnapshot/default/s",
  );
  return verdict ?? assert.fail();
}

/** The headline after its colon, the driver's message, the root's object and field, and the first fix. */
function told({ headline, message = "", root, fixes }: Verdict): readonly unknown[] {
  const said = /rpc error: .*(?=")/.exec(message)?.[0];
  return [headline.split(": ")[1], said, root?.ref, root?.field, fixes[0]?.text];
}

const rbd = { driver: "rbd.csi.ceph.com", parameters: "clusterID: c, pool: p" };
const cephfs = { driver: "cephfs.csi.ceph.com", parameters: "clusterID: c, fsName: f" };
const manila = { driver: "nfs.manila.csi.openstack.org", parameters: "type: t" };
const taker = named("snapshotter-", "taker");
const delay: Step = { type: "advance", ms: 20_000 };
const away: Step = { type: "delete", objects: [{ kind: "VolumeSnapshot", name: "s" }] };

suite("the secret for a snapshot", () => {
  test("is needed by drivers that log in with it, and a class that names none is blamed", () => {
    const words = [
      [rbd, "Internal desc = provided secret is empty"],
      [cephfs, "Unknown desc = provided secret is empty"],
      [manila, "InvalidArgument desc = secrets cannot be nil or empty"],
    ] as const;
    for (const [written, said] of words) {
      const verdict = verdictOf(written);
      assert.equal(verdict.kind, "fails");
      assert.deepEqual(verdict.chain.at(-1), {
        ref: "VolumeSnapshotClass//nightly",
        text: "is its class",
      });
      assert.deepEqual(verdict.fixes[0]?.at, verdict.root);
      assert.deepEqual(told(verdict), [
        `${written.driver} wants a secret, and class "nightly" names none`,
        `rpc error: code = ${said}`,
        "VolumeSnapshotClass//nightly",
        "parameters",
        "name it in the class's csi.storage.k8s.io/snapshotter-secret-name and -namespace, and recreate the snapshot",
      ]);
    }
    const secret = "stringData: {userID: a, userKey: k, os-authURL: u}";
    for (const [written] of words)
      assert.equal(verdictOf({ ...written, ofSnapshots: taker, secret }).kind, "healthy");
  });

  test("is blamed for the key in place of the one that the driver needs", () => {
    const secret = "stringData: {adminID: a, adminKey: k}";
    assert.deepEqual(told(verdictOf({ ...rbd, ofSnapshots: taker, secret })), [
      'Secret "default/taker" has no userID',
      "rpc error: code = Internal desc = missing ID field 'userID' in secrets",
      "Secret/default/taker",
      "data[adminID]",
      'rename adminID to userID in Secret "default/taker"',
    ]);
    // Key `key` suffices for volumes of the in-tree plugin, but not for their snapshots.
    const migrated = verdictOf({ ...rbd, ofSnapshots: taker, secret: "stringData: {key: k}" });
    assert.match(told(migrated).join(" "), /missing ID field 'userID' in secrets/);
    assert.equal(verdictOf({ ...cephfs, ofSnapshots: taker, secret }).kind, "healthy");
  });

  test("is reported missing even if the claim was not bound when the snapshot was first tried", () => {
    assert.deepEqual(told(verdictOf({ ...rbd, ofSnapshots: taker })), [
      "Secret default/taker, which its class names, does not exist",
      undefined,
      "VolumeSnapshotClass//nightly",
      "parameters",
      'make Secret "taker" in namespace "default", or correct the name (recreate the snapshot)',
    ]);
  });

  test("is blamed on the class if it names only half of it, or uses a key that no sidecar knows", () => {
    const half = `, ${prefix}snapshotter-secret-name: taker`;
    for (const ofSnapshots of [half, `, ${prefix}fstype: xfs`]) {
      const [why, , ref, field, fix] = told(verdictOf({ ...rbd, ofSnapshots }));
      assert.equal(why, "the parameters of its class are wrong");
      assert.deepEqual([ref, field], ["VolumeSnapshotClass//nightly", "parameters"]);
      assert.equal(fix, "correct the parameters of the class");
    }
  });

  test("is not the only cause in a class: its driver may refuse other parameters", () => {
    const longhorn = { driver: "driver.longhorn.io", parameters: "numberOfReplicas: '2'" };
    const said = told(verdictOf({ ...longhorn, ofSnapshots: ", type: backup" }));
    assert.deepEqual(said, [
      "the parameters of its class are wrong",
      'rpc error: code = InvalidArgument desc = invalid CSI snapshot type: backup. Must be snap or bak or \\"\\"',
      "VolumeSnapshotClass//nightly",
      "parameters",
      "correct the parameters of the class",
    ]);
  });

  test("is needed for deletion too", () => {
    const gone: Step = { type: "delete", objects: [{ kind: "Secret", name: "taker" }] };
    const secret = "stringData: {userID: a, userKey: k}";
    const more = [gone, away, delay];
    const verdict = verdictOf({ ...rbd, ofSnapshots: taker, secret, more });
    assert.match(verdict.headline, /its driver cannot delete it: Secret default\/taker, which/);
    assert.equal(verdict.reason, "SnapshotDeleteError");
    const emptied: Step = {
      type: "patch",
      object: { kind: "Secret", name: "taker" },
      patch: { data: { userID: null } },
    };
    const lacking = verdictOf({ ...rbd, ofSnapshots: taker, secret, more: [emptied, away, delay] });
    assert.equal(lacking.headline.split(": ")[1], 'Secret "default/taker" has no userID');
    assert.equal(lacking.root?.ref, "Secret/default/taker");
  });

  test("is reported missing for the deletion of a pre-provisioned snapshot whose content names none, or a missing one", () => {
    const deleted = (annotations: string): Verdict =>
      onSnapshot(
        `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotContent
metadata: {name: old, annotations: {${annotations}}}
spec:
  driver: rbd.csi.ceph.com
  deletionPolicy: Delete
  source: {snapshotHandle: h}
  volumeSnapshotRef: {name: s, namespace: default}
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: {name: s}
spec: {source: {volumeSnapshotContentName: old}}`,
        [{ type: "advance", ms: 20_000 }, away, delay],
      );
    const headline = "is being deleted, but its driver cannot delete it";
    const root = { ref: "VolumeSnapshotContent//old", field: "metadata.annotations" };
    const keys = "snapshot.storage.kubernetes.io/deletion-secret-name";
    const whole = ({ headline, root, chain, fixes }: Verdict): unknown => {
      return { headline, root, behind: chain.slice(1), fixes };
    };
    assert.deepEqual(whole(deleted("")), {
      headline: `${headline}: rbd.csi.ceph.com wants a secret, and the content names none`,
      root,
      behind: [{ ref: root.ref, text: "is its content" }],
      fixes: [{ text: `name it in the content's annotations ${keys} and -namespace`, at: root }],
    });
    assert.deepEqual(whole(deleted(`${keys}: gone, ${keys}space: default`)), {
      headline: `${headline}: Secret default/gone, which its content names, does not exist`,
      root,
      behind: [{ ref: root.ref, text: "is its content" }],
      fixes: [{ text: 'make Secret "gone" in namespace "default"', at: root }],
    });
  });
});
