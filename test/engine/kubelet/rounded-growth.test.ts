/** Growth if the driver rounds sizes up. Upstream: expand_and_recover.go, volumeNeedsExpansion. */
import assert from "node:assert/strict";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { play } from "../../support/play.ts";
import { exhaust } from "../../support/replay.ts";
import {
  advance,
  applied,
  clusterOf,
  nodeA,
  nodeCalls,
  podWithClaim,
  settle,
} from "./node-fixture.ts";

const rounding = driverProfile({ name: "block.csi.test", roundUpTo: "1Gi" });
const grow = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "grow" },
  provisioner: rounding.name,
  allowVolumeExpansion: true,
};
const claim = `
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: grow }`;

function request(storage: string): Step {
  const patch = { spec: { resources: { requests: { storage } } } };
  return { type: "patch", object: { kind: "PersistentVolumeClaim", name: "data" }, patch };
}

suite("kubelet: growth that the driver rounds up", () => {
  test("the claim gets the size that it requested; a second growth within the rounding is repeated without end", () => {
    const cluster = { ...clusterOf([rounding], [nodeA]), manifests: [grow] };
    const first = [...applied(podWithClaim("p")), settle, request("1100Mi"), advance(100), settle];
    const { simulation } = play(claim, { cluster, steps: first });
    const capacity = (): string | undefined =>
      simulation.runtime.api.store.list("PersistentVolumeClaim")[0]?.status?.capacity?.["storage"];
    assert.equal(nodeCalls(simulation), "NS NP EX");
    assert.equal(capacity(), "1100Mi");
    const from = simulation.runtime.loop.eventCount;
    exhaust(simulation.step(advance(60)));
    assert.equal(simulation.runtime.loop.eventCount, from);
    for (const step of [request("1200Mi"), advance(10)]) exhaust(simulation.step(step));
    assert.match(nodeCalls(simulation), /^NS NP EX( EX){10,}/);
    assert.equal(capacity(), "1100Mi");
  });

  test("a ReadWriteMany volume, being larger than its claim, is grown on each node without end", () => {
    const nodes = [nodeA, { ...nodeA, name: "node-b" }];
    const cluster = { ...clusterOf([rounding], nodes), manifests: [grow] };
    const shared = claim.replace("grow }", "grow, accessModes: [ReadWriteMany] }");
    const pods = [podWithClaim("p"), podWithClaim("q").replace("node-a", "node-b")];
    const steps = [...applied(...pods), settle, request("1100Mi"), advance(100)];
    const { simulation } = play(shared, { cluster, steps });
    const growths = (node: string): number =>
      simulation.trace.entries.filter(
        (e) => e.type === "call" && e.call === "NodeExpandVolume" && e.node === node,
      ).length;
    assert.ok(growths("node-a") > 50 && growths("node-b") > 50);
    const before = growths("node-a");
    exhaust(simulation.step(advance(10)));
    assert.ok(growths("node-a") >= before + 50);
    const [{ status } = {}] = simulation.runtime.api.store.list("PersistentVolumeClaim");
    assert.equal(status?.capacity?.["storage"], "1100Mi");
  });
});
