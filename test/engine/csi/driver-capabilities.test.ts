import assert from "node:assert/strict";
import { segmentOf } from "../../../src/engine/csi/driver-capabilities.ts";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";

const zonal = driverProfile({
  name: "disk.example.com",
  topologyKey: "topology.kubernetes.io/zone",
  extraTopologyKeys: ["topology.disk.example.com/zone", "topology.disk.example.com/region"],
});

suite("the topology segment that a driver reports for a node", () => {
  test("is its zone", () => {
    assert.equal(segmentOf(zonal, { name: "a", zone: "one" }), "one");
    assert.equal(segmentOf(zonal, { name: "a" }), undefined);
  });

  test("is the value of a label that it has set already, under either of its keys for zones", () => {
    const labels = { "topology.disk.example.com/zone": "two" };
    assert.equal(segmentOf(zonal, { name: "a", labels }), "two");
    assert.equal(
      segmentOf(zonal, {
        name: "a",
        labels: { ...labels, "topology.kubernetes.io/zone": "three" },
      }),
      "three",
    );
  });

  test("is empty if the driver has set an empty label, as Azure's does outside of zones", () => {
    const labels = { "topology.disk.example.com/zone": "" };
    assert.equal(segmentOf(zonal, { name: "a", zone: "one", labels }), "");
    assert.equal(segmentOf(zonal, { name: "a", zone: "" }), undefined);
  });

  test("is not taken from its label for something else", () => {
    const labels = { "topology.disk.example.com/region": "north" };
    assert.equal(segmentOf(zonal, { name: "a", labels }), undefined);
  });
});
