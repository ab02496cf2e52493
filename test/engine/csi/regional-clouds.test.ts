/** What the drivers of UpCloud, Exoscale and Civo create, grow and mount, with the exact text. */
import assert from "node:assert/strict";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { CsiRequest, VolumeCapability } from "../../../src/engine/csi/messages.ts";
import { nodeService } from "../../../src/engine/csi/node-service.ts";
import { type Reply, toResult } from "../../../src/engine/csi/rpc.ts";
import {
  create,
  filesOf,
  manyReaders,
  manyWriters,
  nodes,
  sharedBlock,
  writer,
} from "./create-volume.ts";

const gi = 1024 ** 3;
const block: VolumeCapability = { block: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } };

function sized(bytes: number): CsiRequest {
  return { capacity_range: { required_bytes: String(bytes) } };
}

function backendOf(driver: string): Backend {
  const { traits } = knownDriver(driver) ?? assert.fail(driver);
  return new Backend(driverProfile({ ...traits, name: driver }), nodes);
}

function said(reply: Reply | undefined): string {
  const { code, message } = toResult(reply ?? {});
  return message === "" ? code : `${code} ${message}`;
}

/** Grows a volume from one size in bytes to another, attached to a node or not, and returns the answer. */
function grow(driver: string, from: number, to: number, isAttached: boolean): string {
  const backend = backendOf(driver);
  const call = (name: string, request: CsiRequest): Reply | undefined =>
    controllerService[name]?.(backend, request, 0);
  call("CreateVolume", { name: "pvc-1", volume_capabilities: [writer], ...sized(from) });
  const [id = ""] = backend.volumes.keys();
  const attached = { volume_id: id, node_id: "n1", volume_capability: writer };
  if (isAttached) assert.equal(said(call("ControllerPublishVolume", attached)), "OK");
  return said(call("ControllerExpandVolume", { volume_id: id, ...sized(to) }));
}

suite("drivers of clouds with few regions", () => {
  test("UpCloud knows three tiers, one access mode, and sizes between 1 GiB and 4 TiB", () => {
    const upcloud = "storage.csi.upcloud.com";
    for (const tier of ["maxiops", "standard", "hdd"])
      assert.equal(create(upcloud, { tier, encryption: "data-at-rest" }), "OK");
    assert.equal(
      create(upcloud, { tier: "MaxIOPS" }),
      "InvalidArgument storage tier '' not supported",
    );
    assert.equal(
      create(upcloud, { tier: "x" }, manyWriters),
      "InvalidArgument CreateVolume failed with the following violations: unsupported access mode MULTI_NODE_MULTI_WRITER",
    );
    const size = "OutOfRange CreateVolume failed to extract storage size: required";
    assert.equal(
      create(upcloud, {}, writer, sized(gi / 2)),
      `${size} (512Mi) can not be less than minimum supported volume size (1Gi)`,
    );
    assert.equal(
      create(upcloud, {}, writer, sized(5 * 1024 * gi)),
      `${size} (5Ti) can not exceed maximum supported volume size (4Ti)`,
    );
  });

  test("UpCloud and Civo grow only detached volumes, and refuse others in their own words", () => {
    for (const [driver, words] of [
      ["storage.csi.upcloud.com", "volume is currently published on a node"],
      ["csi.civo.com", "volume is not in an availble state for OFFLINE expansion"],
    ] as const) {
      assert.equal(grow(driver, gi, 2 * gi, false), "OK");
      assert.equal(grow(driver, gi, 2 * gi, true), `FailedPrecondition ${words}`);
    }
  });

  test("Civo creates only file systems for one node, in whole gibibytes", () => {
    const civo = "csi.civo.com";
    const refused = "InvalidArgument CreateVolume";
    assert.equal(create(civo, {}, manyReaders), `${refused} access mode isn't supported`);
    assert.equal(create(civo, {}, sharedBlock), `${refused} access mode isn't supported`);
    assert.equal(
      create(civo, {}, block),
      `${refused} block types aren't supported, only mount types`,
    );
    const { sizes } = backendOf(civo);
    const rounded = sizes.rounded(BigInt(1.5 * gi), { capability: writer, parameters: {} });
    assert.equal(rounded, BigInt(2 * gi));
  });

  test("Exoscale creates and grows only whole gibibytes", () => {
    const exoscale = "csi.exoscale.com";
    const words = "Unknown requested size in bytes cannot be exactly converted to GiB:";
    assert.equal(create(exoscale, {}, writer, sized(10 * gi)), "OK");
    assert.equal(create(exoscale, {}, writer, sized(10_000_000_000)), `${words} 10000000000`);
    assert.equal(grow(exoscale, gi, 2 * gi, true), "OK");
    assert.equal(grow(exoscale, gi, 2_000_000_000, true), `${words} 2000000000`);
  });

  test("Exoscale creates and attaches volumes with any access mode, but stages only those for one node", () => {
    const exoscale = "csi.exoscale.com";
    const handle = "zone/pvc-1";
    const stage = (capability: VolumeCapability): string =>
      said(
        nodeService["NodeStageVolume"]?.(backendOf(exoscale), "n1", {
          volume_id: handle,
          staging_target_path: "/staging",
          volume_capability: capability,
        }),
      );
    for (const mode of ["SINGLE_NODE_WRITER", "SINGLE_NODE_MULTI_WRITER"])
      assert.equal(stage(filesOf(mode)), "OK");
    for (const capability of [manyReaders, manyWriters, filesOf("SINGLE_NODE_SINGLE_WRITER")]) {
      assert.equal(create(exoscale, {}, capability), "OK");
      const words = `InvalidArgument volume ${handle} capability not supported`;
      assert.equal(stage(capability), words);
    }
    const attach = (volume_id: string): string => {
      const request = { volume_id, node_id: "n1", volume_capability: writer };
      return said(controllerService["ControllerPublishVolume"]?.(backendOf(exoscale), request, 0));
    };
    assert.equal(attach(handle), "OK");
    assert.equal(attach("pvc-1"), "Unknown malformed exoscale id");
  });
});
