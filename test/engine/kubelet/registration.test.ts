/** The Node and CSINode objects that a kubelet and its drivers create and keep. */
import assert from "node:assert/strict";
import { isIPv4 } from "node:net";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { type Fault, failWrite } from "../../support/fault.ts";
import { FaultPoints } from "../../support/fault-points.ts";
import { play } from "../../support/play.ts";
import { advance, boundClaim, clusterOf, fixture, nodeA, podWithClaim } from "./node-fixture.ts";

const zonal = driverProfile({
  name: "zonal.csi.test",
  topologyKey: "zonal.csi.test/zone",
  maxVolumesPerNode: 12,
});
const local = driverProfile({ name: "local.csi.test", topologyKey: "local.csi.test/node" });
const plain = driverProfile({ name: "plain.csi.test" });
const drivers = [zonal, local, plain];

suite("kubelet: registration", () => {
  test("a node has its labels, its taints and its capacity, and is Ready", () => {
    const node = {
      ...nodeA,
      labels: { disk: "ssd" },
      taints: [{ key: "gpu", effect: "NoSchedule" }],
      capacity: { cpu: "2" },
    };
    const { metadata, spec, status } =
      play("", { cluster: clusterOf([], [node]) }).get("Node", "node-a") ?? {};
    assert.equal(metadata?.labels?.["kubernetes.io/hostname"], "node-a");
    assert.equal(metadata?.labels?.["topology.kubernetes.io/zone"], "zone-a");
    assert.equal(metadata?.labels?.["disk"], "ssd");
    assert.deepEqual(spec?.taints, [{ key: "gpu", effect: "NoSchedule" }]);
    assert.deepEqual(status?.allocatable, {
      cpu: "2",
      memory: "32Gi",
      "ephemeral-storage": "100Gi",
      pods: "110",
    });
    assert.equal(status?.conditions?.find((c) => c.type === "Ready")?.reason, "KubeletReady");
    assert.equal(
      metadata?.annotations?.["volumes.kubernetes.io/controller-managed-attach-detach"],
      "true",
    );
  });

  test("each of many nodes has its own address", () => {
    const names = Array.from({ length: 300 }, (_, i) => `node-${i}`);
    const nodes = names.map((name) => ({ name }));
    const played = play("", { cluster: clusterOf([], nodes) });
    const addresses = names.map(
      (name) => played.get("Node", name)?.status?.addresses?.[0]?.address,
    );
    assert.equal(new Set(addresses).size, nodes.length);
    for (const address of addresses) assert.ok(isIPv4(address ?? ""), address);
  });

  test("a cordoned node is registered as unschedulable, with the taint for that", () => {
    const spec = (taints?: { readonly key: string; readonly effect: string }[]) =>
      play("", {
        cluster: clusterOf([], [{ ...nodeA, isCordoned: true, ...(taints && { taints }) }]),
      }).get("Node", "node-a")?.spec;
    const own = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
    assert.deepEqual(spec(), { unschedulable: true, taints: [own] });
    assert.deepEqual(spec([own]), { unschedulable: true, taints: [own] });
  });

  test("a restarted kubelet restores only the default labels of its Node", () => {
    const gone = { disk: null, "topology.kubernetes.io/zone": "elsewhere", color: "red" };
    const played = play("", {
      cluster: clusterOf([], [{ ...nodeA, labels: { disk: "ssd" } }]),
      steps: [
        {
          type: "patch",
          object: { kind: "Node", name: "node-a" },
          patch: { metadata: { labels: gone } },
        },
        { type: "node", name: "node-a", kubelet: "restart" },
        advance(20),
      ],
    });
    const labels = played.get("Node", "node-a")?.metadata.labels ?? {};
    assert.equal(labels["topology.kubernetes.io/zone"], "zone-a");
    assert.deepEqual([labels["disk"], labels["color"]], [undefined, "red"]);
  });

  test("the kubelet corrects what others write into a Node's volumesInUse and conditions", () => {
    const status = {
      volumesInUse: [],
      conditions: [{ type: "DiskPressure", status: "True", reason: "ByHand" }],
    };
    const played = play(fixture(boundClaim(), podWithClaim("web")), {
      cluster: clusterOf(),
      steps: [
        advance(20),
        {
          type: "patch",
          object: { kind: "Node", name: "node-a" },
          patch: { status },
          subresource: "status",
        },
        advance(20),
      ],
    });
    const after = played.get("Node", "node-a")?.status;
    assert.deepEqual(after?.volumesInUse, ["kubernetes.io/csi/block.csi.test^vol"]);
    assert.deepEqual(
      after?.conditions?.filter((c) => c.status === "True").map((c) => c.type),
      ["Ready"],
    );
  });

  test("drivers register in CSINode with topology keys and limits, and label the node", () => {
    const played = play("", { cluster: clusterOf(drivers) });
    const csiNode = played.get("CSINode", "node-a");
    assert.equal(csiNode?.metadata.ownerReferences?.[0]?.kind, "Node");
    assert.deepEqual(csiNode?.spec.drivers, [
      {
        name: "zonal.csi.test",
        nodeID: "node-a",
        topologyKeys: ["zonal.csi.test/zone"],
        allocatable: { count: 12 },
      },
      { name: "local.csi.test", nodeID: "node-a", topologyKeys: ["local.csi.test/node"] },
      { name: "plain.csi.test", nodeID: "node-a", topologyKeys: null },
    ]);
    const { labels, annotations } = played.get("Node", "node-a")?.metadata ?? {};
    assert.equal(labels?.["zonal.csi.test/zone"], "zone-a");
    assert.equal(labels?.["local.csi.test/node"], "node-a");
    assert.deepEqual(JSON.parse(annotations?.["csi.volume.kubernetes.io/nodeid"] ?? ""), {
      "zonal.csi.test": "node-a",
      "local.csi.test": "node-a",
      "plain.csi.test": "node-a",
    });
  });

  test("a driver that goes down is removed from CSINode until it is back; its labels stay", () => {
    const turn = (node: "up" | "down"): Step => ({
      type: "driver",
      name: "zonal.csi.test",
      node,
      nodeName: "node-a",
    });
    const names = (steps: readonly Step[]): readonly string[] => {
      const played = play("", { cluster: clusterOf(drivers), steps });
      assert.equal(
        played.get("Node", "node-a")?.metadata.labels?.["zonal.csi.test/zone"],
        "zone-a",
      );
      return played.get("CSINode", "node-a")?.spec.drivers.map((d) => d.name) ?? [];
    };
    assert.deepEqual(names([turn("down")]), ["local.csi.test", "plain.csi.test"]);
    assert.deepEqual(names([turn("down"), turn("up")]), [
      "local.csi.test",
      "plain.csi.test",
      "zonal.csi.test",
    ]);
  });

  test("the Node's annotation has the IDs of the drivers that are up, and is removed without any", () => {
    const down = (name: string): Step => ({
      type: "driver",
      name,
      node: "down",
      nodeName: "node-a",
    });
    const ids = (...steps: readonly Step[]): string | undefined =>
      play("", { cluster: clusterOf([zonal, plain]), steps }).get("Node", "node-a")?.metadata
        .annotations?.["csi.volume.kubernetes.io/nodeid"];
    assert.equal(ids(), '{"plain.csi.test":"node-a","zonal.csi.test":"node-a"}');
    assert.equal(ids(down(zonal.name)), '{"plain.csi.test":"node-a"}');
    assert.equal(ids(down(zonal.name), down(plain.name)), undefined);
  });

  const restart: Step = { type: "node", name: "node-a", kubelet: "restart" };
  const driverNames = (steps: readonly Step[]): readonly string[] => {
    const played = play("", { cluster: clusterOf(drivers), steps });
    return played.get("CSINode", "node-a")?.spec.drivers.map((d) => d.name) ?? [];
  };

  test("a deleted CSINode is recreated by the next driver that registers, without the others", () => {
    const remove: Step = { type: "delete", objects: [{ kind: "CSINode", name: "node-a" }] };
    const turn = (node: "up" | "down"): Step => ({
      type: "driver",
      name: zonal.name,
      node,
      nodeName: "node-a",
    });
    for (const steps of [[], [turn("down")]]) {
      const played = play("", {
        cluster: clusterOf(drivers),
        steps: [remove, ...steps, advance(60)],
      });
      assert.equal(played.get("CSINode", "node-a"), undefined);
    }
    assert.deepEqual(driverNames([remove, turn("down"), turn("up"), advance(5)]), [zonal.name]);
    assert.deepEqual(driverNames([remove, restart, advance(5)]).toSorted(), [
      local.name,
      plain.name,
      zonal.name,
    ]);
  });

  suite("with a CSIDriver's update period for limits", () => {
    const asked = (seconds: number): Step => ({
      type: "patch",
      object: { kind: "CSIDriver", name: zonal.name },
      patch: { spec: { nodeAllocatableUpdatePeriodSeconds: seconds } },
    });
    const entry = { name: zonal.name, nodeID: "node-a", topologyKeys: ["zonal.csi.test/zone"] };
    const written: Step = {
      type: "patch",
      object: { kind: "CSINode", name: "node-a" },
      patch: { spec: { drivers: [{ ...entry, allocatable: { count: 3 } }] } },
    };
    const limit = (...steps: Step[]): number | undefined =>
      play("", { cluster: clusterOf([zonal]), steps })
        .get("CSINode", "node-a")
        ?.spec.drivers.find(({ name }) => name === zonal.name)?.allocatable?.count;

    test("a limit that a user has written lasts half a period", () => {
      assert.equal(limit(written, advance(1000)), 3);
      assert.equal(limit(asked(60), written, advance(29)), 3);
      assert.equal(limit(asked(60), written, advance(31)), 12);
    });

    test("the first period begins with the CSIDriver's change", () => {
      assert.equal(limit(written, advance(100), asked(60), advance(59)), 3);
      assert.equal(limit(written, advance(100), asked(60), advance(61)), 12);
    });

    test("a deleted CSINode is recreated", () => {
      const remove: Step = { type: "delete", objects: [{ kind: "CSINode", name: "node-a" }] };
      assert.equal(limit(remove, advance(1000)), undefined);
      assert.equal(limit(asked(60), remove, advance(31)), 12);
    });
  });

  test("a driver whose NodeGetInfo fails is not in CSINode, and is retried after 1, 2, 3 and 5 seconds", () => {
    const fault = { driver: plain.name, call: "NodeGetInfo", code: "Internal", times: 4 };
    const silent: Step = { type: "fault", fault };
    const others = ["zonal.csi.test", "local.csi.test"];
    assert.deepEqual(driverNames([silent, restart, advance(10)]), others);
    assert.deepEqual(driverNames([silent, restart, advance(13)]), [...others, plain.name]);
  });

  test("a driver whose node has another topology label is not registered until the label is gone", () => {
    const label = (zone: string | null): Step => ({
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { metadata: { labels: { "zonal.csi.test/zone": zone } } },
    });
    const others = ["local.csi.test", "plain.csi.test"];
    const elsewhere = [label("zone-z"), restart, advance(20)];
    assert.deepEqual(driverNames(elsewhere), others);
    assert.deepEqual(driverNames([...elsewhere, label(null), advance(20)]), [
      ...others,
      "zonal.csi.test",
    ]);
  });

  test("a topology label that a user has removed comes back with the next registration", () => {
    const key = "zonal.csi.test/zone";
    const remove: Step = {
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { metadata: { labels: { [key]: null } } },
    };
    const labelAfter = (...steps: readonly Step[]): string | undefined =>
      play("", { cluster: clusterOf(drivers), steps }).get("Node", "node-a")?.metadata.labels?.[
        key
      ];
    assert.equal(labelAfter(remove, advance(20)), undefined);
    assert.equal(labelAfter(remove, restart, advance(20)), "zone-a");
  });

  test("no driver is registered while the annotation of node IDs is invalid", () => {
    const ids = (text: string | null): Step => ({
      type: "patch",
      object: { kind: "Node", name: "node-a" },
      patch: { metadata: { annotations: { "csi.volume.kubernetes.io/nodeid": text } } },
    });
    for (const [text, why] of [
      ["oops", "invalid character 'o' looking for beginning of value"],
      ["[]", "json: cannot unmarshal array into Go value of type map[string]string"],
      ['{"a":1}', "json: cannot unmarshal number into Go value of type string"],
    ] as const) {
      const steps = [ids(text), restart, advance(20)];
      const played = play("", { cluster: clusterOf(drivers), steps });
      assert.deepEqual(played.get("CSINode", "node-a")?.spec.drivers, []);
      const decision = played.simulation.trace.entries.findLast(
        (entry) => entry.type === "decision",
      );
      assert.ok(decision?.type === "decision" && decision.decision.text?.endsWith(`err=${why}`));
    }
    const names = driverNames([ids("oops"), restart, advance(20), ids(null), advance(20)]);
    assert.deepEqual(names.toSorted(), ["local.csi.test", "plain.csi.test", "zonal.csi.test"]);
  });

  test("a healthy node at rest writes nothing", () => {
    const { simulation } = play("", { cluster: clusterOf(drivers), steps: [advance(3600)] });
    const late = simulation.trace.entries.filter(
      (e) => e.type === "write" && e.actor === "kubelet node-a" && e.at > 60_000,
    );
    assert.deepEqual(late, []);
  });

  test("registration survives a crash after, and a conflict on, every write", () => {
    const simulationWith = (fault: Fault): Simulation => {
      const simulation = new Simulation({
        version: "1.36",
        seed: 1,
        cluster: { name: "test", nodes: [nodeA], drivers, manifests: [] },
        steps: [{ type: "settle" }],
        lateWatches: fault.lateWatches,
      });
      failWrite(simulation.runtime, fault);
      return simulation;
    };
    const plain = simulationWith({});
    const { faults } = new FaultPoints(plain.runtime);
    plain.run();
    assert.ok(faults.length > 6);
    for (const fault of faults) {
      const simulation = simulationWith(fault);
      simulation.run();
      const { store } = simulation.runtime.api;
      const registered = store.get("CSINode", undefined, "node-a")?.spec.drivers ?? [];
      assert.deepEqual(
        registered.map((driver) => driver.name).sort(),
        ["local.csi.test", "plain.csi.test", "zonal.csi.test"],
        JSON.stringify(fault),
      );
      const node = store.get("Node", undefined, "node-a");
      assert.equal(node?.status?.conditions?.find((c) => c.type === "Ready")?.status, "True");
    }
  });
});
