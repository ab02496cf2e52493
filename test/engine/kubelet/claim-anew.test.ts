/** A claim that is recreated while its pod runs. Upstream: processPodVolumes, findAndRemoveDeletedPods of the populator. */
import assert from "node:assert/strict";
import type { Step } from "../../../src/engine/scenario.ts";
import { type Played, play } from "../../support/play.ts";
import {
  advance,
  applied,
  boundClaim,
  clusterOf,
  deletePods,
  fixture,
  nodeA,
  nodeCalls,
  podWithClaim,
  settle,
} from "./node-fixture.ts";

const claim = { kind: "PersistentVolumeClaim", name: "data" } as const;
const other = boundClaim().replace("name: pv }", "name: pv2 }").replaceAll(": pv,", ": pv2,");

/** Removes the finalizer that keeps the claim while its pod runs, and recreates the claim with another volume. */
const anew: readonly Step[] = [
  { type: "delete", objects: [claim] },
  { type: "patch", object: claim, patch: { metadata: { finalizers: null } } },
  ...applied(other.replace("volumeHandle: vol,", "volumeHandle: vol2,")),
];

function playWith(...steps: readonly Step[]): Played {
  const cluster = clusterOf(undefined, [nodeA]);
  return play(fixture(boundClaim(), podWithClaim("p")), { cluster, steps });
}

function inUse({ simulation }: Played): number | undefined {
  return simulation.runtime.api.store.list("Node")[0]?.status?.volumesInUse?.length;
}

suite("kubelet: a claim recreated while its pod runs", () => {
  test("the new volume is mounted beside the old one at a periodic sync", () => {
    const early = playWith(...anew, settle);
    assert.equal(early.get("PersistentVolumeClaim", "data")?.spec.volumeName, "pv2");
    assert.equal(nodeCalls(early.simulation), "NS NP");
    const played = playWith(...anew, advance(100));
    assert.equal(nodeCalls(played.simulation), "NS NP NS NP");
    assert.equal(inUse(played), 2);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
    assert.deepEqual(played.events("FailedMount"), []);
  });

  test("both are unmounted with the pod, but the first stays attached until the kubelet checks for deleted pods", () => {
    const gone: readonly Step[] = [...anew, advance(100), deletePods("p"), settle];
    const early = playWith(...gone);
    assert.equal(nodeCalls(early.simulation), "NS NP NS NP NX NX NU NU");
    assert.equal(inUse(early), undefined);
    const { source } = early.list("VolumeAttachment")[0]?.spec ?? {};
    assert.deepEqual(source, { persistentVolumeName: "pv" });
    assert.deepEqual(playWith(...gone, advance(30)).list("VolumeAttachment"), []);
  });
});
