/** Calls CreateVolume or CreateSnapshot of a driver of the catalogue. */
import assert from "node:assert/strict";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import {
  type CsiRequest,
  strippedSecrets,
  type VolumeCapability,
} from "../../../src/engine/csi/messages.ts";
import { toResult } from "../../../src/engine/csi/rpc.ts";
import type { NodeProfile } from "../../../src/engine/scenario.ts";

export const nodes: readonly NodeProfile[] = [{ name: "n1", zone: "a" }];
export const writer: VolumeCapability = filesOf("SINGLE_NODE_WRITER");
export const manyReaders: VolumeCapability = filesOf("MULTI_NODE_READER_ONLY");
export const manyWriters: VolumeCapability = filesOf("MULTI_NODE_MULTI_WRITER");
export const sharedBlock: VolumeCapability = {
  block: {},
  access_mode: { mode: "MULTI_NODE_MULTI_WRITER" },
};

export function filesOf(mode: string, fsType = ""): VolumeCapability {
  return { mount: fsType === "" ? {} : { fs_type: fsType }, access_mode: { mode } };
}

export type Parameters = Readonly<Record<string, string>>;

/** Creates pvc-1, with the secret that some drivers need, and returns `CODE MESSAGE`, or OK. */
export function create(
  driver: string,
  parameters: Parameters,
  capability: VolumeCapability = writer,
  more: CsiRequest = {},
  on: readonly NodeProfile[] = nodes,
): string {
  return createWithoutSecret(
    driver,
    parameters,
    capability,
    { secrets: strippedSecrets, ...more },
    on,
  );
}

export function createWithoutSecret(
  driver: string,
  parameters: Parameters,
  capability: VolumeCapability = writer,
  more: CsiRequest = {},
  on: readonly NodeProfile[] = nodes,
): string {
  const request: CsiRequest = {
    name: "pvc-1",
    capacity_range: { required_bytes: String(1024 ** 3) },
    volume_capabilities: [capability],
    parameters,
    ...more,
  };
  return answer(driver, "CreateVolume", request, on);
}

/** Takes a snapshot of a volume that no call has created, and returns `CODE MESSAGE`, or OK. */
export function keep(driver: string, parameters?: Parameters): string {
  const request: CsiRequest = {
    name: "snapshot-1",
    source_volume_id: "vol-1",
    secrets: strippedSecrets,
    ...(parameters !== undefined && { parameters }),
  };
  return answer(driver, "CreateSnapshot", request, nodes);
}

function answer(
  driver: string,
  call: string,
  request: CsiRequest,
  on: readonly NodeProfile[],
): string {
  const { traits } = knownDriver(driver) ?? assert.fail(driver);
  const backend = new Backend(driverProfile({ ...traits, name: driver }), on);
  const { code, message } = toResult(controllerService[call]?.(backend, request, 0) ?? {});
  return message === "" ? code : `${code} ${message}`;
}
