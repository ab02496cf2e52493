/** Attributes of VolumeAttributesClasses as real drivers read them, for a volume that is made and for one that is changed. */
import assert from "node:assert/strict";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { CsiRequest } from "../../../src/engine/csi/messages.ts";
import { toResult } from "../../../src/engine/csi/rpc.ts";
import { create, nodes, type Parameters, writer } from "./create-volume.ts";

/** Enough for each type of disk. */
const large: CsiRequest = { capacity_range: { required_bytes: String(2 ** 37) } };

/** What a new volume and one that is changed are answered: `CODE MESSAGE`, or OK. */
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

/** Words after `InvalidArgument`, behind what comes before them in each of the two. */
function refused(words: string, made = "", changed = ""): readonly [string, string] {
  return [`InvalidArgument ${made}${words}`, `InvalidArgument ${changed}${words}`];
}

suite("attributes of a VolumeAttributesClass", () => {
  test("EBS reads them by their exact keys, and tells of a new volume what it would tell of a change", () => {
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

  test("Persistent Disk looks at what a VolumeAttributesClass says, and at a missing type only where a volume is made", () => {
    const disk = (parameters: Parameters, given: Parameters): unknown =>
      answers("pd.csi.storage.gke.io", parameters, given);
    assert.deepEqual(disk({ type: "hyperdisk-throughput" }, { throughput: "100Mi" }), ok);
    assert.deepEqual(disk({}, { iops: "3000" }), [
      "InvalidArgument Disk type pd-standard does not support dynamic provisioning",
      "OK",
    ]);
  });

  test("what a VolumeAttributesClass says goes before what the class says", () => {
    const parameters = { type: "gp3" };
    const mutable_parameters = { type: "io2" };
    assert.match(
      create("ebs.csi.aws.com", parameters, writer, { mutable_parameters }),
      /io2 volumes must be at least 4 GiB in size/,
    );
  });

  test("Persistent Disk takes them for Hyperdisks alone, in any case, and not each for all of them", () => {
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

  test("Azure Disk reads them as a class's parameters, in any case, with those that change nothing", () => {
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

  test("SeaweedFS reads numbers and a locality, and keeps what a class says out of it", () => {
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
