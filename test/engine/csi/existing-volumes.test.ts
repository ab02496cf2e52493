/** What a driver's storage is assumed to hold when a run begins with a running cluster's objects. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { DriverHost } from "../../../src/engine/csi/driver-host.ts";
import { type DriverProfile, driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import { bare } from "../../support/bare-objects.ts";

const gi = 1024 ** 3;
const zone = "example.com/zone";
const nodes = [
  { name: "n1", zone: "a" },
  { name: "n2", zone: "b" },
];
const capability = { mount: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } };
type Request = Readonly<Record<string, unknown>>;

/** Returns a function that calls the driver of a cluster with these objects: `CODE MESSAGE`, or the response. */
function asking(
  objects: readonly KubeObject[],
  traits: Partial<DriverProfile> = {},
): (call: string, request: Request) => unknown {
  const profile = driverProfile({ singleNodeMultiWriter: false, ...traits, name: "d.csi" });
  const host = new DriverHost([profile], nodes);
  host.addExisting(objects as readonly KubeObject[]);
  return (call, request) => {
    const { result } = host.begin("d.csi", "", call, request, 0).finish(0);
    return result.code === "OK" ? result.response : `${result.code} ${result.message}`;
  };
}

/** A volume of 2Gi in zone a, made by its driver. */
function volume(name: string, more: object = {}, driver = "d.csi"): KubeObject<"PersistentVolume"> {
  const inZone = (key: string, values: readonly string[]) => ({ key, operator: "In", values });
  return bare("PersistentVolume", name, {
    metadata: { annotations: { "pv.kubernetes.io/provisioned-by": driver } },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "2Gi" },
      csi: { driver, volumeHandle: `h-${name}` },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [inZone(zone, ["a"]), inZone("other", ["b"])] }],
        },
      },
      ...more,
    },
  });
}

function attachment(
  node: string,
  status: object = { attached: true },
  attacher = "d.csi",
): KubeObject<"VolumeAttachment"> {
  const source = { persistentVolumeName: "pv" };
  return bare("VolumeAttachment", `on-${node}`, {
    spec: { attacher, nodeName: node, source },
    status,
  });
}

const publish = (node_id: string, volume_id = "h-pv", more: Request = {}): Request => ({
  volume_id,
  node_id,
  volume_capability: capability,
  ...more,
});

suite("the storage of a running cluster", () => {
  test("holds its driver's volumes, with the sizes and zones of their objects", () => {
    const zonal = { topologyKey: zone, poolPerZone: "10Gi", storageCapacity: true };
    const ask = asking([volume("pv"), volume("theirs", {}, "e.csi"), bare("Node", "n1")], zonal);
    const room = (segment: string): unknown =>
      ask("GetCapacity", { accessible_topology: { segments: { [zone]: segment } } });
    assert.deepEqual(
      [room("a"), room("b")],
      [{ available_capacity: String(8 * gi) }, { available_capacity: String(10 * gi) }],
    );
    assert.equal(
      ask("ControllerPublishVolume", publish("n2")),
      "FailedPrecondition volume h-pv is in a and cannot be reached from n2",
    );
    const range = { required_bytes: String(gi) };
    assert.deepEqual(ask("ControllerExpandVolume", { volume_id: "h-pv", capacity_range: range }), {
      capacity_bytes: String(2 * gi),
      node_expansion_required: true,
    });
  });

  test("refuses to grow a volume to a size that its claim calls infeasible, and grows it to a smaller one", () => {
    const claim = bare("PersistentVolumeClaim", "data", {
      spec: { volumeName: "pv" },
      status: {
        allocatedResources: { storage: "9Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInfeasible" },
        conditions: [
          {
            type: "ControllerResizeError",
            status: "True",
            message: "failed to expand pvc with rpc error: code = OutOfRange desc = too large",
          },
        ],
      },
    });
    const ask = asking([volume("pv"), claim]);
    const grow = (required_bytes: number): unknown =>
      ask("ControllerExpandVolume", { volume_id: "h-pv", capacity_range: { required_bytes } });
    assert.equal(grow(9 * gi), "OutOfRange too large");
    assert.deepEqual(grow(4 * gi), {
      capacity_bytes: String(4 * gi),
      node_expansion_required: true,
    });
  });

  test("counts only volumes that the driver created against its pools", () => {
    const ask = asking(
      [volume("pv", {}), volume("given", {})].map((pv, i) => ({
        ...pv,
        metadata: { ...pv.metadata, annotations: i === 0 ? (pv.metadata.annotations ?? {}) : {} },
      })),
      { poolPerZone: "10Gi", storageCapacity: true },
    );
    assert.deepEqual(ask("GetCapacity", {}), { available_capacity: String(8 * gi) });
  });

  test("has volumes published to the nodes of attached VolumeAttachments, as the attacher requested it", () => {
    const published = "FailedPrecondition volume h-pv is already published to n1";
    const ask = asking([volume("pv"), attachment("n1")]);
    assert.equal(ask("ControllerPublishVolume", publish("n2")), published);
    assert.equal(typeof ask("ControllerPublishVolume", publish("n1")), "object");
    for (const other of [
      attachment("n1", { attached: false }),
      attachment("n1", { attached: true }, "e.csi"),
    ]) {
      const free = asking([volume("pv"), other]);
      assert.equal(typeof free("ControllerPublishVolume", publish("n2")), "object");
    }
    const csi = { driver: "d.csi", volumeHandle: "h-pv", readOnly: true };
    const readonly = asking([volume("pv", { csi }), attachment("n1")], { publishReadonly: true });
    assert.equal(
      readonly("ControllerPublishVolume", publish("n1")),
      "AlreadyExists volume h-pv is already published to n1 with another capability",
    );
    assert.equal(
      typeof readonly("ControllerPublishVolume", publish("n1", "h-pv", { readonly: true })),
      "object",
    );
  });

  test("holds its driver's snapshots, with their source volumes and sizes", () => {
    const content = (name: string, driver: string): KubeObject<"VolumeSnapshotContent"> =>
      bare("VolumeSnapshotContent", name, {
        spec: { driver, source: { volumeHandle: "h-pv" } },
        status: { snapshotHandle: `snap-${name}`, restoreSize: 2 * gi, readyToUse: true },
      });
    const ask = asking([volume("pv"), content("s", "d.csi"), content("theirs", "e.csi")], {
      snapshots: true,
      staticSnapshots: "reject",
    });
    const restored = (snapshot_id: string): Request => ({
      name: `of-${snapshot_id}`,
      volume_capabilities: [capability],
      volume_content_source: { snapshot: { snapshot_id } },
    });
    assert.equal(
      ((ask("CreateVolume", restored("snap-s")) as Request)["volume"] as Request)["capacity_bytes"],
      String(2 * gi),
    );
    assert.equal(
      ask("CreateVolume", restored("snap-theirs")),
      "NotFound snapshot snap-theirs does not exist",
    );
    assert.equal(
      ask("CreateSnapshot", { name: "s", source_volume_id: "other" }),
      "AlreadyExists snapshot s already exists for volume h-pv",
    );
  });
});
