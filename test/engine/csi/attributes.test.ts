/** How real drivers read the attributes of a VolumeAttributesClass, for a new volume and for a changed one. */
import assert from "node:assert/strict";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { CsiRequest } from "../../../src/engine/csi/messages.ts";
import { toResult } from "../../../src/engine/csi/rpc.ts";
import { create, nodes, type Parameters, writer } from "./create-volume.ts";

/** Large enough for each type of disk. */
const large: CsiRequest = { capacity_range: { required_bytes: String(2 ** 37) } };

/** Returns the driver's answers for a new volume and for a changed one: `CODE MESSAGE`, or OK. */
function answers(
  driver: string,
  parameters: Parameters,
  mutable_parameters: Parameters,
): readonly [made: string, changed: string] {
  const { traits } = knownDriver(driver) ?? assert.fail(driver);
  const backend = new Backend(driverProfile({ ...traits, name: driver }), nodes);
  const call = (name: string, request: CsiRequest): string => {
    const { code, message } = toResult(controllerService[name]?.(backend, request, 0) ?? {});
    return message === "" ? code : `${code} ${message}`;
  };
  const request = { name: "pvc-1", parameters, volume_capabilities: [writer], ...large };
  assert.equal(call("CreateVolume", request), "OK");
  const [volume_id = ""] = backend.volumes.keys();
  const changed = call("ControllerModifyVolume", { volume_id, mutable_parameters });
  return [create(driver, parameters, writer, { mutable_parameters, ...large }), changed];
}

const ok: readonly [string, string] = ["OK", "OK"];

/** Two InvalidArgument answers with the same words, each with its own prefix. */
function refused(words: string, made = "", changed = ""): readonly [string, string] {
  return [`InvalidArgument ${made}${words}`, `InvalidArgument ${changed}${words}`];
}

suite("attributes of a VolumeAttributesClass", () => {
  test("EBS reads only the exact keys, and refuses a new volume with the same words as a change", () => {
    const ebs = (given: Parameters): unknown => answers("ebs.csi.aws.com", {}, given);
    const made = "Invalid mutable parameter: rpc error: code = InvalidArgument desc = ";
    assert.deepEqual(ebs({ iops: "3000", throughput: "125", tagDeletion_1: "a" }), ok);
    assert.deepEqual(ebs({ IOPS: "3000" }), refused("Invalid mutable parameter key: IOPS", made));
    assert.deepEqual(
      ebs({ throughput: "250Mi" }),
      refused('Could not parse throughput: "250Mi"', made),
    );
    assert.deepEqual(ebs({ iops: "3k" }), refused('Could not parse IOPS: "3k"', made));
  });

  test("Persistent Disk takes hyperdisk attributes, and misses the disk type only when it creates a volume", () => {
    const disk = (parameters: Parameters, given: Parameters): unknown =>
      answers("pd.csi.storage.gke.io", parameters, given);
    assert.deepEqual(disk({ type: "hyperdisk-throughput" }, { throughput: "100Mi" }), ok);
    assert.deepEqual(disk({}, { iops: "3000" }), [
      "InvalidArgument Disk type pd-standard does not support dynamic provisioning",
      "OK",
    ]);
  });

  test("a VolumeAttributesClass overrides the parameters of the StorageClass", () => {
    const parameters = { type: "gp3" };
    const mutable_parameters = { type: "io2" };
    assert.match(
      create("ebs.csi.aws.com", parameters, writer, { mutable_parameters }),
      /io2 volumes must be at least 4 GiB in size/,
    );
  });

  test("Persistent Disk takes attributes only for Hyperdisks, in any case of letters, and not each for every type", () => {
    const pd = (type: string, given: Parameters): unknown =>
      answers("pd.csi.storage.gke.io", type === "" ? {} : { type }, given);
    const [made, changed] = ["Invalid mutable parameters: ", "Invalid parameters: "];
    assert.deepEqual(pd("hyperdisk-balanced", { IOPS: "3000", throughput: "250Mi" }), ok);
    assert.deepEqual(
      pd("hyperdisk-balanced", { type: "hyperdisk-ml" }),
      refused("parameters contain unknown parameter: type", made, changed),
    );
    assert.deepEqual(pd("pd-balanced", { iops: "3000" }), [
      "InvalidArgument Disk type pd-balanced does not support dynamic provisioning",
      "InvalidArgument Failed to modify volume: modifications not supported for disk type pd-balanced",
    ]);
    assert.deepEqual(
      pd("hyperdisk-throughput", { iops: "3000" }),
      refused("Cannot specify IOPS for disk type hyperdisk-throughput"),
    );
    assert.deepEqual(
      pd("hyperdisk-extreme", { throughput: "250Mi" }),
      refused("Cannot specify throughput for disk type hyperdisk-extreme"),
    );
    assert.equal(
      create("pd.csi.storage.gke.io", {}, writer, { mutable_parameters: { iops: "1" } }),
      "InvalidArgument Disk type pd-standard does not support dynamic provisioning",
    );
  });

  test("Azure Disk reads attributes like class parameters, in any case, including those that change nothing", () => {
    const azure = (given: Parameters): unknown => answers("disk.csi.azure.com", {}, given);
    const bad = "Failed parsing disk parameters: ";
    const noNumber = 'failed with error: strconv.Atoi: parsing "1k": invalid syntax';
    assert.deepEqual(azure({ diskIOPSReadWrite: "500", skuname: "Premium_LRS" }), ok);
    assert.deepEqual(azure({ cachingMode: "None" }), ok);
    assert.deepEqual(
      azure({ iops: "500" }),
      refused(`${bad}invalid parameter iops in storage class`),
    );
    assert.deepEqual(
      azure({ DiskIOPSReadWrite: "1k" }),
      refused(`${bad}parse diskiopsreadwrite:1k ${noNumber}`),
    );
    assert.match(String(azure({ skuName: "Premium" })), /Premium is not supported sku.*Premium is/);
  });

  test("SeaweedFS checks numbers and the locality, but does not check the class's parameters again", () => {
    const seaweed = (given: Parameters): unknown =>
      answers("seaweedfs-csi-driver", { concurrentReaders: "many" }, given);
    assert.deepEqual(seaweed({ ttl: "1d", dataLocality: "write_preferLocalDc" }), ok);
    const wrong = "invalid parameter values: ";
    assert.deepEqual(
      seaweed({ cacheCapacityMB: "1Gi" }),
      refused(`${wrong}cacheCapacityMB must be an integer, got "1Gi"`),
    );
    assert.deepEqual(
      seaweed({ dataLocality: "near" }),
      refused(`${wrong}invalid dataLocality "near"`),
    );
  });
});
