/** How drivers answer their callers: concurrent calls, faults, plugins that go down and come back. */
import assert from "node:assert/strict";
import { DriverHost } from "../../../src/engine/csi/driver-host.ts";
import { type DriverProfile, driverProfile } from "../../../src/engine/csi/driver-profile.ts";

const nodes = [{ name: "n1", zone: "a" }];
const create = {
  name: "pvc-1",
  volume_capabilities: [{ mount: {}, access_mode: { mode: "SINGLE_NODE_WRITER" } }],
};

function host(traits: Partial<DriverProfile> = {}): DriverHost {
  return new DriverHost([driverProfile({ ...traits, name: "d.csi" })], nodes);
}

/** Returns the answer to a call without a delay: `CODE MESSAGE`, or OK. */
function answer(
  drivers: DriverHost,
  call: string,
  request: Readonly<Record<string, unknown>>,
  node = "",
): string {
  const { result } = drivers.begin("d.csi", node, call, request, 0).finish(0);
  return `${result.code} ${result.message}`.trim();
}

suite("driver host", () => {
  test("the same call for the same volume is refused while one runs", () => {
    const drivers = host();
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", delayMs: 5_000 });
    const first = drivers.begin("d.csi", "", "CreateVolume", create, 0);
    assert.equal(first.delayMs, 5_000);
    const second = drivers.begin("d.csi", "", "CreateVolume", create, 1_000).finish(1_000);
    assert.deepEqual(second.result, {
      code: "Aborted",
      message: "an operation for pvc-1 is already in progress",
      response: {},
    });
    assert.equal(first.finish(5_000).result.code, "OK");
    assert.equal(answer(drivers, "CreateVolume", create), "OK");
  });

  test("a driver that makes calls wait serves one after the other", () => {
    const drivers = host({ concurrency: "wait" });
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", delayMs: 5_000 });
    drivers.begin("d.csi", "", "CreateVolume", create, 0);
    assert.equal(drivers.begin("d.csi", "", "CreateVolume", create, 1_000).delayMs, 4_000);
  });

  test("a driver without locks serves all calls at once", () => {
    const drivers = host({ concurrency: "none" });
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", delayMs: 5_000 });
    drivers.begin("d.csi", "", "CreateVolume", create, 0);
    assert.equal(drivers.begin("d.csi", "", "CreateVolume", create, 1_000).delayMs, 0);
  });

  test("a fault ends after its number of calls; an endless one stays until it is cleared", () => {
    const drivers = host();
    const fault = { driver: "d.csi", call: "CreateVolume", code: "Internal" };
    drivers.setFault({ ...fault, message: "once" });
    assert.equal(answer(drivers, "CreateVolume", create), "Internal once");
    assert.equal(answer(drivers, "CreateVolume", create), "OK");
    drivers.setFault({ ...fault, times: 0 });
    assert.equal(answer(drivers, "CreateVolume", create), "Internal injected Internal");
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", clear: true });
    assert.equal(answer(drivers, "CreateVolume", create), "OK");
  });

  test("clearing faults without naming a call clears those of every call, but only the named node's", () => {
    const drivers = host();
    const fault = { driver: "d.csi", code: "Internal", times: 0 };
    drivers.setFault({ ...fault, call: "CreateVolume" });
    drivers.setFault({ ...fault, call: "NodeExpandVolume", node: "n1" });
    const grow = (): string => answer(drivers, "NodeExpandVolume", {}, "n1");
    drivers.setFault({ driver: "d.csi", call: "DeleteVolume", clear: true });
    drivers.setFault({ driver: "d.csi", node: "n2", clear: true });
    assert.equal(grow(), "Internal injected Internal");
    drivers.setFault({ driver: "d.csi", node: "n1", clear: true });
    assert.notEqual(grow(), "Internal injected Internal");
    assert.equal(answer(drivers, "CreateVolume", create), "Internal injected Internal");
    drivers.setFault({ driver: "d.csi", clear: true });
    assert.equal(answer(drivers, "CreateVolume", create), "OK");
  });

  test("a code may be spelled as in gRPC, Go or protobuf", () => {
    const drivers = host();
    for (const code of ["RESOURCE_EXHAUSTED", "ResourceExhausted", "resource_exhausted"]) {
      drivers.setFault({ driver: "d.csi", call: "CreateVolume", code });
      const said = answer(drivers, "CreateVolume", create);
      assert.equal(said, "ResourceExhausted injected ResourceExhausted");
    }
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", code: "CANCELLED" });
    assert.match(answer(drivers, "CreateVolume", create), /^Canceled/);
  });

  test("a later endless fault replaces an earlier one of the same call and node", () => {
    const drivers = host();
    for (const code of ["Internal", "Unavailable"]) {
      drivers.setFault({ driver: "d.csi", call: "CreateVolume", code, times: 0 });
    }
    assert.match(answer(drivers, "CreateVolume", create), /^Unavailable/);
    drivers.setFault({ driver: "d.csi", call: "DeleteVolume", code: "Internal", times: 0 });
    assert.match(answer(drivers, "CreateVolume", create), /^Unavailable/);
    const grow = { driver: "d.csi", call: "NodeExpandVolume", code: "Internal", times: 0 };
    for (const node of ["n1", "n2"]) drivers.setFault({ ...grow, node });
    assert.match(answer(drivers, "NodeExpandVolume", {}, "n1"), /^Internal/);
  });

  test("a fault of one node does not affect other nodes", () => {
    const drivers = host();
    const stage = {
      volume_id: "v",
      staging_target_path: "/staging",
      volume_capability: create.volume_capabilities[0],
    };
    drivers.setFault({ driver: "d.csi", call: "NodeStageVolume", node: "n2", code: "Internal" });
    assert.equal(answer(drivers, "NodeStageVolume", stage, "n1"), "OK");
  });

  test("a fault after the effect hides that the work was done", () => {
    const drivers = host();
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", code: "Unavailable", after: true });
    assert.match(answer(drivers, "CreateVolume", create), /^Unavailable/);
    const other = { ...create, parameters: { tier: "gold" } };
    assert.equal(
      answer(drivers, "CreateVolume", other),
      "AlreadyExists volume pvc-1 already exists with other parameters",
    );
  });

  test("a plugin that goes down breaks running calls and cannot be reached until it is back", () => {
    const drivers = host();
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", delayMs: 5_000 });
    const call = drivers.begin("d.csi", "", "CreateVolume", create, 0);
    let isBroken = false;
    call.onBroken(() => {
      isBroken = true;
    });
    const before = drivers.connection("d.csi", "");
    drivers.setUp("d.csi", "", false);
    assert.ok(isBroken);
    const { result, served } = call.finish(100);
    assert.equal(result.message, "error reading from server: EOF");
    assert.equal(served.message, "the controller was stopped");
    assert.match(answer(drivers, "CreateVolume", create), /^Unavailable connection error/);
    let isWoken = false;
    drivers.whenUp("d.csi", "", () => {
      isWoken = true;
    });
    assert.equal(isWoken, false);
    drivers.setUp("d.csi", "", true);
    assert.ok(isWoken);
    assert.notEqual(drivers.connection("d.csi", ""), before);
    assert.equal(answer(drivers, "CreateVolume", create), "OK");
  });

  test("a plugin that goes down or comes up does not affect the controller or other nodes", () => {
    const drivers = host();
    drivers.setFault({ driver: "d.csi", call: "CreateVolume", delayMs: 5_000 });
    const call = drivers.begin("d.csi", "", "CreateVolume", create, 0);
    const heard: string[] = [];
    call.onBroken(() => heard.push("the controller's call broke"));
    drivers.onDown("d.csi", "", () => heard.push("the controller is down"));
    drivers.setUp("d.csi", "n1", false);
    drivers.whenUp("d.csi", "n1", () => heard.push("n1 is up"));
    assert.deepEqual(heard, []);
    drivers.setUp("d.csi", "", false);
    drivers.setUp("d.csi", "", true);
    assert.deepEqual(heard, ["the controller's call broke", "the controller is down"]);
    drivers.setUp("d.csi", "n1", true);
    assert.equal(heard.at(-1), "n1 is up");
  });

  test("a driver that is not in the cluster is never up", () => {
    assert.equal(host().isUp("other.csi", ""), false);
  });
});
