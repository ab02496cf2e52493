/** How drivers of the catalogue answer calls without the secret that they log in with, with the exact text. */
import assert from "node:assert/strict";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import { type GivenSecrets, strippedSecrets } from "../../../src/engine/csi/messages.ts";
import { toResult } from "../../../src/engine/csi/rpc.ts";
import { nodes } from "./create-volume.ts";

function answer(driver: string, call: string, secrets?: GivenSecrets): string {
  const { traits } = knownDriver(driver) ?? assert.fail(driver);
  const backend = new Backend(driverProfile({ ...traits, name: driver }), nodes);
  const request = {
    name: "s",
    source_volume_id: "vol-1",
    snapshot_id: "snap-1",
    ...(driver.includes("ceph") && { parameters: { clusterID: "c" } }),
    volume_id: "vol-1",
    ...(secrets !== undefined && { secrets }),
  };
  const { code, message } = toResult(controllerService[call]?.(backend, request, 0) ?? {});
  return code === "OK" ? "OK" : `${code} ${message}`;
}

suite("a driver that logs in for each call", () => {
  test("RBD takes a secret of the in-tree plugin for volumes, and not for snapshots", () => {
    const rbd = (call: string, secrets?: GivenSecrets): string =>
      answer("rook-ceph.rbd.csi.ceph.com", call, secrets);
    assert.equal(rbd("DeleteVolume"), "InvalidArgument provided secret is empty");
    assert.equal(
      rbd("DeleteVolume", ["userID"]),
      "InvalidArgument missing key field 'userKey' in secrets",
    );
    assert.equal(rbd("DeleteVolume", ["key"]), "OK");
    for (const call of ["CreateSnapshot", "DeleteSnapshot"]) {
      assert.equal(rbd(call), "Internal provided secret is empty");
      assert.equal(rbd(call, ["key"]), "Internal missing ID field 'userID' in secrets");
      assert.equal(rbd(call, ["userID", "userKey"]), "OK");
      assert.equal(rbd(call, strippedSecrets), "OK");
    }
  });

  test("CephFS refuses to take a snapshot without a gRPC code", () => {
    const cephfs = (call: string, secrets?: GivenSecrets): string =>
      answer("cephfs.csi.ceph.com", call, secrets);
    const words = "missing key field 'adminKey' in secrets";
    assert.equal(cephfs("CreateSnapshot", ["adminID"]), `Unknown ${words}`);
    assert.equal(cephfs("DeleteSnapshot", ["adminID"]), `InvalidArgument ${words}`);
    assert.equal(cephfs("DeleteSnapshot", ["userID", "userKey"]), "OK");
  });

  test("Manila checks for the secret, then for its keys", () => {
    for (const call of ["DeleteVolume", "CreateSnapshot", "DeleteSnapshot"]) {
      const manila = (secrets?: GivenSecrets): string =>
        answer("nfs.manila.csi.openstack.org", call, secrets);
      assert.equal(manila(), "InvalidArgument secrets cannot be nil or empty");
      assert.equal(
        manila(["user"]),
        "InvalidArgument invalid OpenStack secrets: missing required parameter 'os-authURL'",
      );
      assert.equal(manila(["os-authURL"]), "OK");
    }
  });

  test("GeeseFS cannot log in without an endpoint", () => {
    const words =
      "failed to initialize S3 client: Endpoint:  does not follow ip address or domain name standards.";
    const geese = (secrets?: GivenSecrets): string =>
      answer("ru.yandex.s3.csi", "DeleteVolume", secrets);
    for (const secrets of [undefined, ["accessKeyID", "secretAccessKey"]])
      assert.equal(geese(secrets), `Unknown ${words}`);
    assert.equal(geese(["endpoint"]), "OK");
  });

  test("most drivers need no secret", () => {
    for (const call of ["DeleteVolume", "CreateSnapshot", "DeleteSnapshot"])
      assert.equal(answer("ebs.csi.aws.com", call), "OK");
  });
});
