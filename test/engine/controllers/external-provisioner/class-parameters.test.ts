/** Upstream: external-provisioner v6.3 controller_test.go TestStripPrefixedCSIParams. */
import assert from "node:assert/strict";
import {
  driverParameters,
  fsTypeOf,
} from "../../../../src/engine/controllers/external-provisioner/class-parameters.ts";

const prefix = "csi.storage.k8s.io/";

const keys = (use: string): Readonly<Record<string, string>> => ({
  [`${prefix}${use}-secret-name`]: "s",
  [`${prefix}${use}-secret-namespace`]: "ns",
});

suite("parameters of a class", () => {
  test("the file system type has two keys, only one of which may be given; the older one is case-insensitive", () => {
    assert.deepEqual(fsTypeOf({ fsType: "xfs" }), { ok: true, value: "xfs" });
    assert.deepEqual(fsTypeOf({ [`${prefix}fstype`]: "ext4" }), { ok: true, value: "ext4" });
    assert.deepEqual(fsTypeOf({ type: "ssd" }), { ok: true, value: "" });
    const error = `fstype specified in parameters with both "fstype" and "${prefix}fstype" keys`;
    assert.deepEqual(fsTypeOf({ FSTYPE: "xfs", [`${prefix}fstype`]: "xfs" }), { ok: false, error });
  });

  test("the driver gets the parameters without the sidecars' prefix", () => {
    const mine = Object.values({ ...keys("node-stage"), ...keys("controller-modify") });
    assert.equal(mine.length, 4);
    assert.deepEqual(
      driverParameters(
        {
          type: "ssd",
          fstype: "xfs",
          csiNodeStageSecretName: "s",
          [`${prefix}fstype`]: "xfs",
          [`${prefix}secret-name`]: "s",
          [`${prefix}secret-namespace`]: "ns",
          ...keys("node-stage"),
          ...keys("controller-modify"),
        },
        true,
      ),
      { ok: true, value: { csiNodeStageSecretName: "s", fstype: "xfs", type: "ssd" } },
    );
  });
});
