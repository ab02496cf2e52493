/** Upstream: stateful_set_utils_test.go TestIsClaimOwnerUpToDate, TestUpdateClaimOwnerRefForSetAndPod. */
import assert from "node:assert/strict";
import {
  hasUnexpectedController,
  isOwnerUpToDate,
  withClaimOwner,
} from "../../../../src/engine/controllers/stateful-set/retention.ts";
import { bare } from "../../../support/bare-objects.ts";

type Policy = "Retain" | "Delete";

/** Owner references of the claim by name: `old` is an earlier object of the name, `?` has no `controller`. */
const references: Readonly<Record<string, object>> = {
  set: { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "set", controller: true },
  pod: { apiVersion: "v1", kind: "Pod", name: "web-1", uid: "pod", controller: true },
  "old set": {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    name: "web",
    uid: "x",
    controller: true,
  },
  "old pod": { apiVersion: "v1", kind: "Pod", name: "web-1", uid: "x", controller: true },
  "set?": { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "set" },
  "pod?": { apiVersion: "v1", kind: "Pod", name: "web-1", uid: "pod" },
  other: { apiVersion: "v1", kind: "Pod", name: "x", uid: "other", controller: true },
  "other?": { apiVersion: "apps/v1", kind: "StatefulSet", name: "x", uid: "other" },
  "other group": { apiVersion: "x/v1", kind: "StatefulSet", name: "web", uid: "other" },
};

/** Judges the claim of pod web-1 in a set of one or two replicas. */
function found(policy: readonly [Policy, Policy], replicas: number, owners: readonly string[]) {
  const [whenDeleted, whenScaled] = policy;
  const set = bare("StatefulSet", "web", {
    metadata: { uid: "set" },
    spec: { replicas, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } },
  });
  const ownerReferences = owners.map((words) => references[words]);
  const claim = bare("PersistentVolumeClaim", "data-web-1", { metadata: { ownerReferences } });
  const pod = { name: "web-1", uid: "pod" };
  return {
    isUpToDate: isOwnerUpToDate(claim, set, pod),
    isManaged: hasUnexpectedController(claim, set, pod),
    owners: withClaimOwner(claim, set, pod).metadata.ownerReferences?.map(
      ({ name, uid, controller, blockOwnerDeletion }) => [
        `${name} ${uid}`,
        controller === true && blockOwnerDeletion === true,
      ],
    ),
  };
}

const retain = ["Retain", "Retain"] as const;
const withSet = ["Delete", "Retain"] as const;
const withPod = ["Retain", "Delete"] as const;
const withBoth = ["Delete", "Delete"] as const;
const there = 2;
const scaledAway = 1;

suite("owners of a StatefulSet's claims", () => {
  const wanted: readonly [readonly [Policy, Policy], number, string | undefined][] = [
    [retain, there, undefined],
    [retain, scaledAway, undefined],
    [withSet, there, "set"],
    [withSet, scaledAway, "set"],
    [withPod, there, undefined],
    [withPod, scaledAway, "pod"],
    [withBoth, there, "set"],
    [withBoth, scaledAway, "pod"],
  ];
  for (const [policy, replicas, owner] of wanted) {
    const [whenDeleted, whenScaled] = policy;
    const state = replicas === there ? "stays" : "is scaled down";
    test(`whenDeleted ${whenDeleted}, whenScaled ${whenScaled}: ${owner ?? "no owner"} if the pod ${state}`, () => {
      for (const owners of [[], ["set"], ["pod"], ["set", "pod"]]) {
        const isRight = owners.length === (owner === undefined ? 0 : 1) && owners[0] === owner;
        assert.equal(found(policy, replicas, owners).isUpToDate, isRight, owners.join());
        const names = { set: ["web set", true], pod: ["web-1 pod", true] };
        const after = owner === undefined ? undefined : [names[owner as "set" | "pod"]];
        assert.deepEqual(found(policy, replicas, owners).owners, after);
      }
    });
  }

  test("a reference without `controller` gets it", () => {
    assert.equal(found(withSet, there, ["set?"]).isUpToDate, false);
    assert.equal(found(withPod, scaledAway, ["pod?"]).isUpToDate, false);
    assert.deepEqual(found(withSet, there, ["set?"]).owners, [["web set", true]]);
  });

  test("references to an earlier set or pod of the name are not changed", () => {
    for (const policy of [withSet, withPod, withBoth]) {
      assert.ok(found(policy, there, ["old set"]).isUpToDate);
      assert.ok(found(policy, there, ["old pod"]).isUpToDate);
      assert.ok(found(policy, there, ["old set"]).isManaged);
      assert.ok(found(policy, there, ["old pod"]).isManaged);
    }
  });

  test("another controller prevents references to the set and its pod, unless claims are retained anyway", () => {
    assert.ok(found(withSet, there, ["other"]).isManaged);
    assert.ok(found(withSet, there, ["other"]).isUpToDate);
    assert.equal(found(withSet, there, ["other", "set"]).isUpToDate, false);
    assert.equal(found(withPod, scaledAway, ["other", "pod"]).isUpToDate, false);
    assert.deepEqual(found(withSet, there, ["other", "set"]).owners, [["x other", false]]);
    assert.equal(found(retain, there, ["other"]).isManaged, false);
    assert.equal(found(retain, there, ["old set"]).isManaged, false);
  });

  test("other owners are kept", () => {
    for (const other of ["other?", "other group"]) {
      assert.equal(found(withSet, there, [other]).isManaged, false);
      assert.equal(found(withSet, there, [other, "set"]).isUpToDate, true);
      assert.equal(found(withSet, there, [other]).owners?.length, 2);
      assert.equal(found(retain, there, [other, "set"]).owners?.length, 1);
    }
  });
});
