/** Upstream: desired_state_of_world_populator_test.go, getPVCExtractPV and getPVSpec v1.36. */
import assert from "node:assert/strict";
import { resolveSpec } from "../../../src/engine/kubelet/volumes/volume-spec.ts";
import { answered } from "../../support/answered.ts";
import { bare, controllerIn } from "../../support/bare-objects.ts";

interface Parts {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

const pod = bare("Pod", "web", { spec: { containers: [] } });
const use = { name: "v", persistentVolumeClaim: { claimName: "data" } };
const claim = (parts: Parts = {}, name = "data") =>
  bare("PersistentVolumeClaim", name, {
    metadata: parts.metadata ?? {},
    spec: { volumeName: "pv", ...parts.spec },
    status: parts.status ?? { phase: "Bound", capacity: { storage: "1Gi" } },
  });
const volume = (spec: object = {}) =>
  bare("PersistentVolume", "pv", {
    spec: { claimRef: { namespace: "default", name: "data", uid: "data" }, ...spec },
  });

/** Returns the spec's name, whether it is read-only and the claim's size, or the error. */
function found(
  objects: readonly (ReturnType<typeof claim> | ReturnType<typeof volume>)[],
  mount: object = use,
  kind: "mounts" | "devices" = "mounts",
): string {
  const uses = { mounts: kind === "mounts", devices: kind === "devices" };
  const result = answered(resolveSpec(pod, mount as typeof use, uses), objects);
  if (!result.ok) return result.error.replace("error processing PVC default/", "");
  const { name, readOnly } = result.spec;
  return [name, readOnly ? "read-only" : "", result.claimSize ?? ""].join(" ").trim();
}

suite("the volume of a pod's claim", () => {
  test("is found if the claim is bound, with the claim's size", () => {
    assert.equal(found([claim(), volume()]), "pv  1Gi");
    const readOnly = { name: "v", persistentVolumeClaim: { claimName: "data", readOnly: true } };
    assert.equal(
      found([claim({ status: { phase: "Bound" } }), volume()], readOnly),
      "pv read-only",
    );
    assert.equal(found([], { name: "v", emptyDir: {} }), "v");
  });

  test("is refused if claim or volume is missing or unbound, or the claim is being deleted", () => {
    assert.equal(found([volume()]), "data: failed to fetch PVC from API server: data not found");
    assert.equal(found([claim()]), "data: failed to fetch PV pv from API server: pv not found");
    assert.equal(found([claim({ status: { phase: "Lost" } }), volume()]), "data: PVC is not bound");
    assert.equal(
      found([claim({ spec: { volumeName: "" } }), volume()]),
      "data: PVC has empty pvc.Spec.VolumeName",
    );
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const finalizers = ["kubernetes.io/pvc-protection"];
    assert.equal(
      found([claim({ metadata: { deletionTimestamp } }), volume()]),
      "data: PVC is being deleted",
    );
    assert.equal(
      found([claim({ metadata: { deletionTimestamp, finalizers } }), volume()]),
      "pv  1Gi",
    );
  });

  test("is refused if the volume belongs to another claim", () => {
    assert.equal(
      found([claim(), volume({ claimRef: undefined })]),
      "data: found PV object pv but it has a nil pv.Spec.ClaimRef indicating it is not yet bound to the claim",
    );
    assert.equal(
      found([claim(), volume({ claimRef: { uid: "old" } })]),
      "data: found PV object pv but its pv.Spec.ClaimRef.UID old does not point to claim.UID data",
    );
  });

  test("is refused if a container uses it in the other volume mode", () => {
    const block = volume({ volumeMode: "Block" });
    assert.equal(found([claim(), block], use, "devices"), "pv  1Gi");
    assert.equal(
      found([claim(), block]),
      "volume v has volumeMode Block, but is specified in volumeMounts",
    );
    assert.equal(
      found([claim(), volume()], use, "devices"),
      "volume v has volumeMode Filesystem, but is specified in volumeDevices",
    );
  });

  test("is refused for an ephemeral volume unless the pod owns the claim", () => {
    const ephemeral = { name: "v", ephemeral: {} };
    const named = (ownerReferences: readonly object[], status?: object) => {
      const parts = { metadata: { ownerReferences, uid: "data" }, ...(status && { status }) };
      return found([claim(parts, "web-v"), volume()], ephemeral);
    };
    assert.equal(named([controllerIn(pod)]), "pv  1Gi");
    assert.equal(
      named([]),
      "PVC default/web-v was not created for pod default/web (pod is not owner)",
    );
    assert.equal(named([], { phase: "Pending" }), "web-v: PVC is not bound");
  });
});
