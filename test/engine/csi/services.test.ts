/** What a driver answers to each call, with the exact text. */
import assert from "node:assert/strict";
import { Backend } from "../../../src/engine/csi/backend.ts";
import { knownDriver } from "../../../src/engine/csi/catalogue/catalogue.ts";
import { controllerService } from "../../../src/engine/csi/controller-service.ts";
import { type DriverProfile, driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import {
  type CapacityRange,
  type CsiRequest,
  type GivenSecrets,
  strippedSecrets,
  type VolumeMessage,
} from "../../../src/engine/csi/messages.ts";
import { nodeService } from "../../../src/engine/csi/node-service.ts";
import { toResult } from "../../../src/engine/csi/rpc.ts";
import { combinedAccessMode } from "../../../src/engine/csi/volume-capability.ts";

const gi = 1024 ** 3;
const nodes = [
  { name: "n1", zone: "a" },
  { name: "n2", zone: "b" },
];
const capability = (mode = "SINGLE_NODE_WRITER") => ({ mount: {}, access_mode: { mode } });
const sized = (gibibytes: number): CapacityRange => ({
  required_bytes: String(gibibytes * gi),
});

class Calls {
  readonly #backend: Backend;

  constructor(traits: Partial<DriverProfile> = {}) {
    this.#backend = new Backend(driverProfile({ ...traits, name: "d.csi" }), nodes);
  }

  /** Returns `CODE MESSAGE`, or the response. */
  call(call: string, request: CsiRequest, node = ""): string | Readonly<Record<string, unknown>> {
    const reply =
      node === ""
        ? controllerService[call]?.(this.#backend, request, 0)
        : nodeService[call]?.(this.#backend, node, request);
    const result = toResult(reply ?? {});
    return result.code === "OK" ? result.response : `${result.code} ${result.message}`;
  }

  create(more: CsiRequest = {}): string | Readonly<Record<string, unknown>> {
    return this.call("CreateVolume", { name: "x", volume_capabilities: [capability()], ...more });
  }

  publish(node: string, more: CsiRequest = {}): string | Readonly<Record<string, unknown>> {
    return this.call("ControllerPublishVolume", {
      volume_id: "vol-x",
      node_id: node,
      volume_capability: capability(),
      ...more,
    });
  }

  stage(path = "/s"): string | Readonly<Record<string, unknown>> {
    const volume_capability = capability();
    const request = { volume_id: "vol-x", staging_target_path: path, volume_capability };
    return this.call("NodeStageVolume", request, "n1");
  }

  mount(target: string, mode?: string): string | Readonly<Record<string, unknown>> {
    const request = {
      volume_id: "vol-x",
      staging_target_path: "/s",
      target_path: target,
      volume_capability: capability(mode),
    };
    return this.call("NodePublishVolume", request, "n1");
  }
}

const zonal = { topologyKey: "example.com/zone" };

suite("CreateVolume", () => {
  test("requires a name, and capabilities of one volume mode", () => {
    const calls = new Calls();
    assert.equal(calls.create({ name: "" }), "InvalidArgument volume name is missing");
    assert.equal(
      calls.create({ volume_capabilities: [] }),
      "InvalidArgument volume capabilities are missing",
    );
    const block = { block: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } };
    assert.equal(
      calls.create({ volume_capabilities: [capability(), block] }),
      "InvalidArgument a volume cannot be both Block and Filesystem",
    );
  });

  test("fills a volume only from sources that the driver supports, and makes it at least as large", () => {
    const source = (volume_id: string): CsiRequest => ({
      name: "y",
      volume_content_source: { volume: { volume_id } },
    });
    const snapshot: CsiRequest = {
      name: "y",
      volume_content_source: { snapshot: { snapshot_id: "snap-s" } },
    };
    assert.equal(new Calls().create(source("vol-x")), "InvalidArgument d.csi cannot clone volumes");
    assert.equal(new Calls().create(snapshot), "InvalidArgument d.csi has no snapshots");
    const calls = new Calls({ clone: true, snapshots: true });
    calls.create({ capacity_range: sized(2) });
    calls.call("CreateSnapshot", { name: "s", source_volume_id: "vol-x" });
    const size = (request: CsiRequest): unknown =>
      ((calls.create(request) as Record<string, unknown>)["volume"] as { capacity_bytes: string })
        .capacity_bytes;
    assert.equal(size(source("vol-x")), String(2 * gi));
    assert.equal(size({ ...snapshot, name: "z" }), String(2 * gi));
    assert.equal(
      calls.create({ ...source("vol-x"), name: "w", capacity_range: sized(1) }),
      "OutOfRange size 1Gi is below 2Gi",
    );
  });

  test("refuses a snapshot with a parameter that the driver refuses", () => {
    const known = { keyOtherThan: ["lockMode"], keyPrefixes: ["tag_"] };
    const snapshotRefusals = [{ ...known, text: "no <KEY> here", code: "Internal" }];
    const calls = new Calls({ snapshots: true, snapshotRefusals });
    calls.create();
    const keep = (name: string, parameters: Readonly<Record<string, string>>): unknown =>
      calls.call("CreateSnapshot", { name, source_volume_id: "vol-x", parameters });
    assert.equal(keep("a", { lockmode: "x", encrypted: "true" }), "Internal no encrypted here");
    const taken = { lockmode: "x", tag_1: "y", "csi.storage.k8s.io/volumesnapshot/name": "z" };
    assert.equal(typeof keep("a", taken), "object");
  });

  test("refuses a clone that is not exactly as large as its source, if the driver requires that", () => {
    const equalSourceSize = { volume: { code: "OutOfRange", text: "asked <SIZE>, is <SOURCE>" } };
    const calls = new Calls({ clone: true, snapshots: true, equalSourceSize });
    calls.create({ capacity_range: sized(2) });
    calls.call("CreateSnapshot", { name: "s", source_volume_id: "vol-x" });
    const copy = (name: string, gibibytes: number, from: CsiRequest["volume_content_source"]) =>
      calls.create({
        name,
        capacity_range: sized(gibibytes),
        ...(from !== undefined && { volume_content_source: from }),
      });
    const volume = { volume: { volume_id: "vol-x" } };
    assert.equal(copy("a", 3, volume), `OutOfRange asked ${3 * gi}, is ${2 * gi}`);
    assert.equal(typeof copy("b", 2, volume), "object");
    assert.equal(typeof copy("c", 3, { snapshot: { snapshot_id: "snap-s" } }), "object");
    assert.equal(typeof copy("d", 3, { volume: { volume_id: "of-old" } }), "object");
  });

  test("respects the requested limit, even if a volume of that name exists", () => {
    const calls = new Calls({ minSize: "2Gi" });
    const limit_bytes = String(gi);
    assert.equal(
      calls.create({ capacity_range: { limit_bytes } }),
      "OutOfRange size 2Gi is above the limit 1Gi",
    );
    calls.create({ capacity_range: sized(2) });
    assert.equal(
      calls.create({ capacity_range: { limit_bytes } }),
      "AlreadyExists volume x already exists with size 2Gi",
    );
    assert.equal(
      calls.create({
        capacity_range: sized(2),
        volume_capabilities: [{ block: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } }],
      }),
      "AlreadyExists volume x already exists with volume mode Filesystem",
    );
  });

  test("rounds sizes up, and refuses those out of bounds", () => {
    const calls = new Calls({ roundUpTo: "1Gi", minSize: "10Gi", maxSize: "16Gi" });
    const { volume } = calls.create({ capacity_range: sized(1) }) as Record<string, object>;
    assert.deepEqual(volume, {
      volume_id: "vol-x",
      capacity_bytes: String(10 * gi),
      volume_context: {},
    });
    assert.equal(
      calls.create({ name: "y", capacity_range: sized(20) }),
      "OutOfRange size 20Gi is above the maximum 16Gi",
    );
    assert.equal(
      calls.create({ name: "y", capacity_range: { required_bytes: "2", limit_bytes: "1" } }),
      "InvalidArgument required size 2 is above the limit 1",
    );
  });

  test("the minimum size may depend on the class, and also holds when the volume grows", () => {
    const premium = { where: [{ key: "tier", values: ["premium"] }], minSize: "10Gi" };
    const calls = new Calls({ sizesWhere: [premium], minSize: "2Gi" });
    const size = (name: string, tier: string): unknown => {
      const answer = calls.create({ name, parameters: { tier }, capacity_range: sized(1) });
      return ((answer as Record<string, unknown>)["volume"] as Record<string, unknown>)[
        "capacity_bytes"
      ];
    };
    assert.equal(size("x", "Premium"), String(10 * gi));
    assert.equal(size("y", "standard"), String(2 * gi));
    assert.deepEqual(
      calls.call("ControllerExpandVolume", { volume_id: "vol-x", capacity_range: sized(11) }),
      { capacity_bytes: String(11 * gi), node_expansion_required: true },
    );
  });

  test("a driver may round large sizes more coarsely than small ones", () => {
    const mi = 1024 ** 2;
    const calls = new Calls({ roundUpTo: "1Mi", roundLargeUpTo: "1Gi" });
    const size = (name: string, bytes: number): unknown => {
      const answer = calls.create({ name, capacity_range: { required_bytes: String(bytes) } });
      return ((answer as Record<string, unknown>)["volume"] as Record<string, unknown>)[
        "capacity_bytes"
      ];
    };
    assert.equal(size("a", gi - 1), String(gi));
    assert.equal(size("b", 3 * mi + 1), String(4 * mi));
    assert.equal(size("c", gi), String(gi));
    assert.equal(size("d", 1.5 * gi), String(2 * gi));
  });

  test("modes that the profile lacks are refused, in the driver's own words if it has any", () => {
    const traits = { accessModes: ["ReadWriteOnce"], volumeModes: ["Filesystem"] };
    const many = { volume_capabilities: [capability("MULTI_NODE_MULTI_WRITER")] };
    const block = {
      volume_capabilities: [{ block: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } }],
    };
    assert.equal(
      new Calls(traits).create(many),
      "InvalidArgument access mode MULTI_NODE_MULTI_WRITER is not supported by d.csi",
    );
    assert.equal(
      new Calls(traits).create(block),
      "InvalidArgument volume mode Block is not supported by d.csi",
    );
    const capabilityRefusal = "<MODE> will not do";
    assert.equal(
      new Calls({ ...traits, capabilityRefusal }).create(many),
      "InvalidArgument MULTI_NODE_MULTI_WRITER will not do",
    );
  });

  test("an access mode is refused in the driver's words at attachment, or at mount if nothing is attached", () => {
    const volume_capability = capability("MULTI_NODE_MULTI_WRITER");
    const traits = { accessModes: ["ReadWriteOnce"], stageUnstage: false };
    const publishRefusal = "<MODE> will not do";
    const refused = "InvalidArgument MULTI_NODE_MULTI_WRITER will not do";
    const attaching = new Calls({ ...traits, publishRefusal });
    assert.equal(attaching.publish("n1", { volume_capability }), refused);
    assert.equal(typeof attaching.publish("n1"), "object");
    const mount = (given: Partial<DriverProfile>, use = volume_capability, more: CsiRequest = {}) =>
      new Calls({ ...traits, ...given }).call(
        "NodePublishVolume",
        { volume_id: "vol-x", target_path: "/t", volume_capability: use, ...more },
        "n1",
      );
    assert.equal(mount({ attachRequired: false, publishRefusal }), refused);
    assert.equal(typeof mount({ attachRequired: false, publishRefusal }, capability()), "object");
    assert.equal(typeof mount({ publishRefusal }), "object", "the attacher has looked at it");
    assert.equal(typeof mount({ attachRequired: false }), "object", "a driver that does not look");
  });

  test("a new volume's attributes are its class's parameters, or those that its driver sets", () => {
    const made = (given: Partial<DriverProfile>): unknown => {
      const reply = new Calls(given).create({ parameters: { tier: "gold" } });
      if (typeof reply === "string") return reply;
      const { volume } = reply as { readonly volume: VolumeMessage };
      return volume.volume_context;
    };
    assert.deepEqual(made({}), { tier: "gold" });
    const newAttributes = { share: "share-of-<ID>" };
    assert.deepEqual(made({ newAttributes }), { share: "share-of-vol-x" });
  });

  test("a driver that needs a secret refuses to grow a volume without it, or without a key in it", () => {
    const calls = new Calls({
      secretRefusals: {
        ControllerExpandVolume: [
          { lacksSecrets: true, text: "which secret?" },
          { secretNeed: { oneOf: ["user"] }, code: "Internal", text: "which user?" },
        ],
      },
    });
    const growth = {
      volume_id: "v",
      capacity_range: { required_bytes: String(2 * gi) },
      volume_capability: { mount: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } },
    };
    const grow = (secrets?: GivenSecrets): unknown =>
      calls.call("ControllerExpandVolume", { ...growth, ...(secrets && { secrets }) });
    assert.equal(grow(), "InvalidArgument which secret?");
    assert.equal(grow(["key"]), "Internal which user?");
    assert.equal(typeof grow(["user"]), "object");
    assert.equal(typeof grow(strippedSecrets), "object");
  });

  test("Block volumes may have other access modes than file systems", () => {
    const traits = { accessModes: ["ReadWriteOnce"], blockAccessModes: ["ReadWriteMany"] };
    const volume_capabilities = [{ block: {}, access_mode: { mode: "MULTI_NODE_MULTI_WRITER" } }];
    assert.equal(typeof new Calls(traits).create({ volume_capabilities }), "object");
  });

  test("a request with the name of an existing volume must ask for the same again", () => {
    const calls = new Calls({ clone: true });
    calls.create({ capacity_range: sized(1) });
    assert.equal(typeof calls.create({ capacity_range: sized(1) }), "object");
    const taken = "AlreadyExists volume x already exists with";
    assert.equal(calls.create({ capacity_range: sized(2) }), `${taken} size 1Gi`);
    assert.equal(
      calls.create({ volume_content_source: { volume: { volume_id: "other" } } }),
      `${taken} content of nothing`,
    );
    const [gold, silver] = ["gold", "silver"].map((tier) => ({ name: "y", parameters: { tier } }));
    calls.create(gold);
    assert.equal(typeof calls.create(gold), "object");
    assert.equal(
      calls.create(silver),
      "AlreadyExists volume y already exists with other parameters",
    );
  });

  test("a volume that does not fit into a full pool goes elsewhere only if the driver spills", () => {
    const accessibility_requirements = {
      preferred: ["a", "b"].map((zone) => ({ segments: { "example.com/zone": zone } })),
    };
    const request = { capacity_range: sized(3), accessibility_requirements };
    for (const placement of ["first", "spill"] as const) {
      const calls = new Calls({ ...zonal, poolPerZone: "4Gi", placement });
      calls.create(request);
      const second = calls.create({ ...request, name: "y" });
      if (placement === "first") {
        assert.equal(second, "ResourceExhausted pool of a has 1Gi left, 3Gi needed");
      } else {
        const { volume } = second as { volume: { accessible_topology: unknown } };
        assert.deepEqual(volume.accessible_topology, [{ segments: { "example.com/zone": "b" } }]);
      }
    }
  });

  test("a driver may have its own words for a full pool", () => {
    const noRoom = {
      create: { code: "ResourceExhausted", text: "<FREE> of <NEEDED>" },
      grow: { code: "Internal", text: "no" },
    };
    const calls = new Calls({ ...zonal, poolPerZone: "4Gi", noRoom });
    const two = { name: "y", capacity_range: sized(2) };
    calls.create({ capacity_range: sized(3) });
    assert.equal(calls.create(two), `ResourceExhausted ${gi} of ${2 * gi}`);
    assert.equal(
      calls.call("ControllerExpandVolume", { volume_id: "vol-x", capacity_range: sized(5) }),
      "Internal no",
    );
  });

  test("a driver may grow only volumes with some access modes", () => {
    const refusals = [
      { modes: ["MULTI_NODE_MULTI_WRITER"], code: "Unimplemented", text: "no share" },
    ];
    const calls = new Calls({
      expansion: { controller: true, node: true, online: true, refusals },
    });
    calls.create();
    const grow = (mode: string): unknown =>
      calls.call("ControllerExpandVolume", {
        volume_id: "vol-x",
        capacity_range: sized(2),
        volume_capability: capability(mode),
      });
    assert.equal(grow("MULTI_NODE_MULTI_WRITER"), "Unimplemented no share");
    assert.equal(typeof grow("SINGLE_NODE_WRITER"), "object");
  });

  test("a driver whose volumes are reachable from everywhere returns no topology, whatever is requested", () => {
    const driver = new Calls({ ...zonal, reachesAllSegments: true });
    const only = { requisite: [{ segments: { "example.com/zone": "b" } }] };
    const { volume } = driver.create({ accessibility_requirements: only }) as {
      volume: { accessible_topology?: unknown };
    };
    assert.equal(volume.accessible_topology, undefined);
  });

  test("a volume is refused if no node has the requested topology", () => {
    const requisite = [{ segments: { "example.com/zone": "z" } }];
    assert.equal(
      new Calls(zonal).create({ accessibility_requirements: { requisite } }),
      "ResourceExhausted d.csi has no storage in the requested topology",
    );
  });

  test("a class may put each volume into several segments, each of which needs room for it", () => {
    const span = { key: "copies", values: ["two"], count: 2, refusal: "only <COUNT> zones" };
    const pools = { poolPerZone: "2Gi", storageCapacity: true };
    const calls = new Calls({ ...zonal, ...pools, spans: [span] });
    const zones = (...names: readonly string[]): CsiRequest => ({
      capacity_range: sized(1),
      parameters: { Copies: "TWO" },
      accessibility_requirements: {
        preferred: names.map((zone) => ({ segments: { "example.com/zone": zone } })),
      },
    });
    assert.equal(calls.create(zones("b")), "InvalidArgument only 1 zones");
    const { volume } = calls.create(zones("b", "a")) as Record<string, Record<string, unknown>>;
    assert.deepEqual(volume?.["accessible_topology"], [
      { segments: { "example.com/zone": "b" } },
      { segments: { "example.com/zone": "a" } },
    ]);
    assert.deepEqual(calls.call("GetCapacity", {}), { available_capacity: String(2 * gi) });
    for (const node of ["n1", "n2"]) {
      assert.equal(typeof calls.publish(node), "object");
      calls.call("ControllerUnpublishVolume", { volume_id: "vol-x", node_id: node });
    }
    assert.equal(
      calls.call("ControllerExpandVolume", { volume_id: "vol-x", capacity_range: sized(3) }),
      "ResourceExhausted pool of b has 1Gi left, 2Gi needed",
    );
    assert.equal(
      calls.create({ ...zones("b", "a"), name: "y", capacity_range: sized(2) }),
      "ResourceExhausted pool of b has 1Gi left, 2Gi needed",
    );
  });

  test("a class may put each volume into all segments, whatever the pod's node prefers", () => {
    const calls = new Calls({ ...zonal, spans: [{ key: "sku", values: ["ZRS"] }] });
    const preferred = [{ segments: { "example.com/zone": "b" } }];
    const create = (name: string, sku: string): unknown => {
      const accessibility_requirements = { preferred };
      const answer = calls.create({ name, parameters: { sku }, accessibility_requirements });
      const { volume } = answer as Record<string, Record<string, unknown>>;
      return volume?.["accessible_topology"];
    };
    assert.deepEqual(create("x", "ZRS"), [
      { segments: { "example.com/zone": "a" } },
      { segments: { "example.com/zone": "b" } },
    ]);
    assert.deepEqual(create("y", "LRS"), preferred);
  });

  test("a driver may take mutable parameters by the prefix of their keys, or any", () => {
    const create = (profile: object): unknown => {
      const calls = new Calls({ modify: true, modifyParameters: ["type"], ...profile });
      const mutable_parameters = { type: "fast", tag_1: "a=b", tag_2: "c=d", color: "red" };
      return calls.create({ mutable_parameters });
    };
    assert.equal(
      create({ modifyPrefixes: ["tag_"], modifyRefusal: "no key <KEY>" }),
      "InvalidArgument no key color",
    );
    assert.notEqual(typeof create({ modifyPrefixes: ["tag_", "color"] }), "string");
    assert.notEqual(typeof create({ modifyParameters: "any" }), "string");
  });

  test("unknown mutable parameters are refused", () => {
    assert.equal(
      new Calls({ modify: true }).create({ mutable_parameters: { color: "red" } }),
      "InvalidArgument unknown mutable parameter color",
    );
    assert.equal(
      new Calls().create({ mutable_parameters: { iops: "1" } }),
      "InvalidArgument d.csi has no mutable parameters",
    );
  });
});

suite("ControllerPublishVolume", () => {
  test("a volume with a single-node mode is published to one node at a time", () => {
    const calls = new Calls();
    calls.create();
    assert.deepEqual(calls.publish("n1"), { publish_context: { devicePath: "/dev/csi/vol-x" } });
    assert.equal(typeof calls.publish("n1"), "object");
    assert.equal(calls.publish("n2"), "FailedPrecondition volume vol-x is already published to n1");
    const shared = { volume_capability: capability("MULTI_NODE_MULTI_WRITER") };
    const raw = { volume_capability: { ...capability(), mount: undefined, block: {} } };
    for (const other of [{ readonly: true }, shared, raw]) {
      assert.equal(
        calls.publish("n1", other as CsiRequest),
        "AlreadyExists volume vol-x is already published to n1 with another capability",
      );
    }
    const taken = "FailedPrecondition volume vol-x is already published to n1";
    assert.equal(calls.publish("n2", shared), taken);
    const many = new Calls();
    many.publish("n1", shared);
    assert.equal(many.publish("n2"), taken);
    assert.equal(typeof many.publish("n2", shared), "object");
    assert.equal(
      calls.call("DeleteVolume", { volume_id: "vol-x" }),
      "FailedPrecondition volume vol-x is still published to n1",
    );
  });

  test("unpublishing from one node leaves a volume on the others", () => {
    const calls = new Calls();
    const volume_capability = capability("MULTI_NODE_MULTI_WRITER");
    for (const node of ["n1", "n2"]) calls.publish(node, { volume_capability });
    calls.call("ControllerUnpublishVolume", { volume_id: "vol-x", node_id: "n1" });
    const deleted = (): unknown => calls.call("DeleteVolume", { volume_id: "vol-x" });
    assert.equal(deleted(), "FailedPrecondition volume vol-x is still published to n2");
    // Without a node it is unpublished from all.
    calls.call("ControllerUnpublishVolume", { volume_id: "vol-x" });
    assert.deepEqual(deleted(), {});
  });

  test("a volume cannot be published to a node outside its zone", () => {
    const calls = new Calls(zonal);
    calls.create();
    assert.equal(
      calls.publish("n2"),
      "FailedPrecondition volume vol-x is in a and cannot be reached from n2",
    );
  });

  test("a handle that stands for each node's own disk is published everywhere with any mode", () => {
    const calls = new Calls({
      ownDiskHandle: "own://",
      accessModes: ["ReadWriteOnce"],
      publishRefusal: "no",
    });
    const shared = { volume_capability: capability("MULTI_NODE_MULTI_WRITER") };
    for (const node of ["n1", "n2"]) {
      assert.equal(typeof calls.publish(node, { volume_id: "own://sdb" }), "object");
      assert.equal(typeof calls.publish(node, { volume_id: "own://sdc", ...shared }), "object");
    }
    assert.equal(calls.publish("n1", shared), "InvalidArgument no");
  });

  test("a node takes no more volumes than its limit", () => {
    const calls = new Calls({ enforceMaxVolumes: true, maxVolumesPerNode: 1 });
    calls.publish("n1");
    assert.equal(
      calls.publish("n1", { volume_id: "vol-y" }),
      "ResourceExhausted node n1 has 1 volumes, 1 are allowed",
    );
  });

  test("unknown nodes, deleted volumes and drivers without attachment are refused", () => {
    const calls = new Calls();
    assert.equal(calls.publish("n9"), "NotFound node n9 does not exist");
    calls.call("DeleteVolume", { volume_id: "vol-x" });
    assert.equal(calls.publish("n1"), "NotFound volume vol-x does not exist");
    assert.equal(
      new Calls({ attachRequired: false }).publish("n1"),
      "Unimplemented method ControllerPublishVolume not implemented",
    );
  });
});

suite("node plugin", () => {
  test("a staged volume is not staged again with another capability", () => {
    const calls = new Calls();
    calls.create();
    calls.stage();
    assert.deepEqual(calls.stage(), {});
    const other = {
      volume_id: "vol-x",
      staging_target_path: "/s",
      volume_capability: { mount: { fs_type: "xfs" }, access_mode: { mode: "SINGLE_NODE_WRITER" } },
    };
    assert.equal(
      calls.call("NodeStageVolume", other, "n1"),
      "AlreadyExists volume vol-x is already staged at /s with another capability",
    );
  });

  test("the node grows a published volume even if the driver only grows volumes offline", () => {
    const calls = new Calls({ expansion: { controller: true, node: true, online: false } });
    calls.create({ capacity_range: sized(1) });
    calls.stage();
    calls.mount("/t");
    const answer = calls.call("NodeExpandVolume", { volume_id: "vol-x", volume_path: "/t" }, "n1");
    assert.deepEqual(answer, { capacity_bytes: String(gi) });
  });

  test("a volume must be staged before it is published, and has one capability at a path", () => {
    const calls = new Calls();
    assert.equal(calls.mount("/t"), "FailedPrecondition volume vol-x is not staged on n1");
    assert.deepEqual(calls.stage(), {});
    assert.deepEqual(calls.mount("/t"), {});
    assert.deepEqual(calls.mount("/t"), {});
    assert.equal(
      calls.mount("/t", "MULTI_NODE_READER_ONLY"),
      "AlreadyExists /t is already used for volume vol-x with another capability",
    );
  });

  test("a ReadWriteOncePod volume is published once on a node", () => {
    const calls = new Calls();
    calls.stage();
    calls.mount("/t", "SINGLE_NODE_SINGLE_WRITER");
    assert.equal(
      calls.mount("/u", "SINGLE_NODE_SINGLE_WRITER"),
      "FailedPrecondition volume vol-x is already published on n1",
    );
    calls.call("NodeUnpublishVolume", { volume_id: "vol-x", target_path: "/t" }, "n1");
    assert.deepEqual(calls.mount("/u", "SINGLE_NODE_SINGLE_WRITER"), {});
  });

  test("inline volumes need no staging", () => {
    const request = {
      volume_id: `csi-${"0".repeat(64)}`,
      target_path: "/t",
      volume_capability: capability(),
    };
    assert.deepEqual(new Calls().call("NodePublishVolume", request, "n1"), {});
  });

  test("without expansion in the controller the node grows the volume within its pool", () => {
    const calls = new Calls({
      ...zonal,
      poolPerZone: "4Gi",
      expansion: { controller: false, node: true, online: true },
    });
    calls.create({ capacity_range: sized(1) });
    const expand = (size: number): unknown =>
      calls.call(
        "NodeExpandVolume",
        { volume_id: "vol-x", volume_path: "/t", capacity_range: sized(size) },
        "n1",
      );
    assert.deepEqual(expand(2), { capacity_bytes: String(2 * gi) });
    assert.equal(expand(9), "ResourceExhausted pool of a has 2Gi left, 7Gi needed");
  });
});

suite("other controller calls", () => {
  test("offline drivers do not grow volumes in use", () => {
    const calls = new Calls({ expansion: { controller: true, node: true, online: false } });
    calls.create({ capacity_range: sized(1) });
    calls.publish("n1");
    assert.equal(
      calls.call("ControllerExpandVolume", { volume_id: "vol-x", capacity_range: sized(2) }),
      "FailedPrecondition volume vol-x is published to n1 and can only be expanded offline",
    );
  });

  test("offline drivers that attach nothing do not grow volumes that are mounted", () => {
    const expansion = { controller: true, node: true, online: false };
    const calls = new Calls({ attachRequired: false, expansion });
    calls.create({ capacity_range: sized(1) });
    calls.stage();
    calls.mount("/t");
    assert.equal(
      calls.call("ControllerExpandVolume", { volume_id: "vol-x", capacity_range: sized(2) }),
      "FailedPrecondition volume vol-x is published to n1 and can only be expanded offline",
    );
  });

  test("a driver may refuse to grow a volume that has snapshots", () => {
    const snapshotsKeepSize = { code: "Aborted", text: "<ID> has <COUNT>: <SNAPSHOTS>" };
    const calls = new Calls({ snapshots: true, snapshotsKeepSize });
    calls.create({ capacity_range: sized(1) });
    calls.call("CreateSnapshot", { name: "a", source_volume_id: "vol-x" });
    const grow = (): unknown =>
      calls.call("ControllerExpandVolume", { volume_id: "vol-x", capacity_range: sized(2) });
    assert.equal(grow(), "Aborted vol-x has 1: [snap-a]");
    calls.call("DeleteSnapshot", { snapshot_id: "snap-a" });
    assert.deepEqual(grow(), { capacity_bytes: String(2 * gi), node_expansion_required: true });
  });

  test("a driver may create a disk smaller than it answers, and answer the disk's size when it grows", () => {
    const calls = new Calls({ roundDownTo: "1Gi" });
    const { volume } = calls.create({ capacity_range: sized(1.5) }) as Record<string, object>;
    assert.deepEqual(volume, {
      volume_id: "vol-x",
      capacity_bytes: String(1.5 * gi),
      volume_context: {},
    });
    const grown = (gibibytes: number): unknown =>
      calls.call("ControllerExpandVolume", {
        volume_id: "vol-x",
        capacity_range: sized(gibibytes),
      });
    const needsNode = { node_expansion_required: true };
    assert.deepEqual(grown(2.5), { capacity_bytes: String(2 * gi), ...needsNode });
    assert.deepEqual(grown(2.5), { capacity_bytes: String(2 * gi), ...needsNode });
  });

  test("a driver may answer the requested size, each time or only when the disk grows", () => {
    const answers = (answersGrowthAsAsked: "always" | "when-it-grows"): readonly unknown[] => {
      const calls = new Calls({ roundUpTo: "1Gi", answersGrowthAsAsked });
      calls.create({ capacity_range: sized(1) });
      return [1.5, 1.75].map((gibibytes) => {
        const capacity_range = sized(gibibytes);
        const answer = calls.call("ControllerExpandVolume", { volume_id: "vol-x", capacity_range });
        return Number((answer as Record<string, unknown>)["capacity_bytes"]) / gi;
      });
    };
    assert.deepEqual(answers("always"), [1.5, 1.75]);
    assert.deepEqual(answers("when-it-grows"), [1.5, 2]);
  });

  test("a size above the maximum is refused in the driver's own words if it has any", () => {
    const calls = new Calls({ maxSize: "1Gi", maxSizeRefusal: "<SIZE> or <BYTES> > <MAX>" });
    assert.equal(calls.create({ capacity_range: sized(2) }), `OutOfRange 2Gi or ${2 * gi} > ${gi}`);
  });

  test("a volume that is large enough keeps its size; whether its node has work to do depends on the mode", () => {
    const calls = new Calls({
      expansion: { controller: true, node: true, online: true, nodeForBlock: false },
    });
    calls.create({ capacity_range: sized(2) });
    const grow = (more: CsiRequest): unknown =>
      calls.call("ControllerExpandVolume", {
        volume_id: "vol-x",
        capacity_range: sized(1),
        ...more,
      });
    const answer = { capacity_bytes: String(2 * gi), node_expansion_required: true };
    assert.deepEqual(grow({}), answer);
    assert.deepEqual(grow({ volume_capability: { ...capability(), block: {} } }), {
      ...answer,
      node_expansion_required: false,
    });
    assert.equal(
      calls.call("ControllerExpandVolume", { volume_id: "vol-x" }),
      "InvalidArgument capacity range is missing",
    );
  });

  test("the node has no work to do if the file system grows at the volume's next mount", () => {
    const { expansion } = knownDriver("driver.longhorn.io")?.traits ?? {};
    assert.ok(expansion !== undefined);
    const calls = new Calls({ expansion });
    calls.create({ capacity_range: sized(1) });
    const needsNode = (size: number, more: CsiRequest = {}): unknown => {
      const request = { volume_id: "vol-x", capacity_range: sized(size), ...more };
      const answer = calls.call("ControllerExpandVolume", request);
      return typeof answer === "string" ? answer : answer["node_expansion_required"];
    };
    assert.equal(needsNode(2), false);
    calls.publish("n1");
    assert.equal(needsNode(3), true);
    assert.equal(needsNode(4, { volume_capability: { ...capability(), block: {} } }), false);
  });

  test("GetCapacity returns what the pools of the segment have left", () => {
    const calls = new Calls({ ...zonal, storageCapacity: true, poolPerZone: "4Gi" });
    calls.create({ capacity_range: sized(1) });
    const ask = (zone?: string): unknown =>
      calls.call("GetCapacity", {
        ...(zone !== undefined && {
          accessible_topology: { segments: { "example.com/zone": zone } },
        }),
      });
    assert.deepEqual(ask("a"), { available_capacity: String(3 * gi) });
    assert.deepEqual(ask("z"), { available_capacity: "0" });
    assert.deepEqual(ask(), { available_capacity: String(7 * gi) });
  });

  test("a snapshot's name is refused for a second volume", () => {
    const calls = new Calls({ snapshots: true });
    const of = (volume: string): unknown =>
      calls.call("CreateSnapshot", { name: "s", source_volume_id: volume });
    assert.equal(typeof of("v"), "object");
    assert.deepEqual(of("v"), of("v"));
    assert.equal(of("w"), "AlreadyExists snapshot s already exists for volume v");
  });

  test("a driver lists a snapshot that it took or adopts, but none that it deleted", () => {
    const ids = (calls: Calls, snapshot_id: string): unknown => {
      const answer = calls.call("ListSnapshots", { snapshot_id });
      if (typeof answer === "string") return answer;
      const entries = answer["entries"] as readonly { snapshot: { snapshot_id: string } }[];
      return entries.map((entry) => entry.snapshot.snapshot_id);
    };
    const calls = new Calls({ snapshots: true, staticSnapshots: "reject" });
    calls.call("CreateSnapshot", { name: "s", source_volume_id: "v" });
    assert.deepEqual([ids(calls, "snap-s"), ids(calls, "other")], [["snap-s"], []]);
    calls.call("DeleteSnapshot", { snapshot_id: "snap-s" });
    assert.deepEqual(ids(calls, "snap-s"), []);
    assert.deepEqual(ids(new Calls({ snapshots: true }), "other"), ["other"]);
    assert.equal(ids(new Calls(), "other"), "Unimplemented method ListSnapshots not implemented");
  });
});

suite("access modes", () => {
  test("the access modes of a volume become one mode of CSI", () => {
    const rows: readonly (readonly [string, boolean, string])[] = [
      ["ReadWriteOnce", false, "SINGLE_NODE_WRITER"],
      ["ReadWriteOnce", true, "SINGLE_NODE_MULTI_WRITER"],
      ["ReadWriteOncePod", true, "SINGLE_NODE_SINGLE_WRITER"],
      ["ReadWriteOncePod ReadWriteOncePod", true, "SINGLE_NODE_SINGLE_WRITER"],
      ["ReadOnlyMany", true, "MULTI_NODE_READER_ONLY"],
      ["ReadWriteOnce ReadWriteMany", true, "MULTI_NODE_MULTI_WRITER"],
      [
        "ReadOnlyMany ReadWriteOnce",
        true,
        "CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume",
      ],
      [
        "ReadWriteOncePod ReadWriteOnce",
        true,
        "Kubernetes does not support use of ReadWriteOncePod with other access modes on the same PersistentVolume",
      ],
      [
        "ReadWriteMany ReadWriteOncePod",
        true,
        "Kubernetes does not support use of ReadWriteOncePod with other access modes on the same PersistentVolume",
      ],
      ["", true, "unsupported AccessMode combination: []"],
    ];
    for (const [modes, multiWriter, expected] of rows) {
      const list = modes === "" ? [] : modes.split(" ");
      const result = combinedAccessMode(list, multiWriter);
      assert.equal("mode" in result ? result.mode : result.error, expected);
    }
  });
});

suite("a call that cannot be served", () => {
  const able: Partial<DriverProfile> = {
    snapshots: true,
    expansion: { controller: true, node: true, online: true },
  };
  const answerWithout = (call: string, request: CsiRequest, field: string, node = ""): unknown => {
    const calls = new Calls(able);
    calls.create();
    const { [field as keyof CsiRequest]: _, ...rest } = request;
    return calls.call(call, rest, node);
  };
  const volume = { volume_id: "vol-x" };
  const wanted: readonly (readonly [call: string, request: CsiRequest, node?: string])[] = [
    ["CreateVolume", { name: "y" }],
    ["DeleteVolume", volume],
    ["ControllerPublishVolume", { ...volume, node_id: "n1", volume_capability: capability() }],
    ["ControllerUnpublishVolume", volume],
    ["CreateSnapshot", { name: "s", source_volume_id: "vol-x" }],
    ["DeleteSnapshot", { snapshot_id: "s" }],
    ["ControllerExpandVolume", { ...volume, capacity_range: sized(2) }],
    [
      "NodeStageVolume",
      { ...volume, staging_target_path: "/s", volume_capability: capability() },
      "n1",
    ],
    ["NodeUnstageVolume", { ...volume, staging_target_path: "/s" }, "n1"],
    [
      "NodePublishVolume",
      {
        ...volume,
        staging_target_path: "/s",
        target_path: "/t",
        volume_capability: capability(),
      },
      "n1",
    ],
    ["NodeUnpublishVolume", { ...volume, target_path: "/t" }, "n1"],
    ["NodeExpandVolume", { ...volume, volume_path: "/t" }, "n1"],
  ];
  for (const [call, request, node] of wanted) {
    for (const field of Object.keys(request)) {
      test(`${call} without its ${field} is an InvalidArgument`, () =>
        assert.match(
          String(answerWithout(call, request, field, node)),
          /^InvalidArgument .* missing$/,
        ));
    }
  }

  test("is unimplemented if the driver lacks the feature", () => {
    const calls = new Calls({
      attachRequired: false,
      stageUnstage: false,
      snapshots: false,
      expansion: { controller: false, node: false, online: false },
    });
    calls.create();
    for (const [call, request, node] of wanted) {
      const isAlwaysThere = /^(Create|Delete)Volume|NodePublish|NodeUnpublish/.test(call);
      const answer = calls.call(call, request, node);
      assert.equal(/^Unimplemented /.test(String(answer)), !isAlwaysThere, `${call}: ${answer}`);
    }
  });

  test("is refused for a published volume's deletion, an unstaged volume's mount and a deleted snapshot's restore", () => {
    const calls = new Calls(able);
    calls.create();
    calls.publish("n1");
    assert.match(String(calls.call("DeleteVolume", volume)), /^FailedPrecondition .* n1$/);
    calls.call("ControllerUnpublishVolume", { ...volume, node_id: "n1" });
    calls.stage();
    assert.deepEqual(calls.mount("/t"), {});
    calls.call("NodeUnpublishVolume", { ...volume, target_path: "/t" }, "n1");
    calls.call("NodeUnstageVolume", { ...volume, staging_target_path: "/s" }, "n1");
    assert.match(
      String(calls.mount("/t")),
      /^FailedPrecondition volume vol-x is not staged on n1$/,
    );
    const snapshot = { name: "s", source_volume_id: "vol-x" };
    calls.call("CreateSnapshot", snapshot);
    calls.call("DeleteSnapshot", { snapshot_id: "snap-s" });
    assert.match(
      String(
        calls.call("CreateVolume", {
          name: "restored",
          volume_capabilities: [capability()],
          volume_content_source: { snapshot: { snapshot_id: "snap-s" } },
        }),
      ),
      /^NotFound /,
    );
    assert.deepEqual(calls.call("DeleteVolume", volume), {});
  });
});
