/** What a starting kubelet does with the mounts that it finds. Upstream: reconstruct.go updateReconstructedFromNodeStatus. */
import assert from "node:assert/strict";
import type { Step } from "../../../src/engine/scenario.ts";
import { play } from "../../support/play.ts";
import {
  advance,
  applied,
  asDevice,
  boundClaim,
  clusterOf,
  deletePods,
  fault,
  nodeCalls,
  podWithClaim,
  podWithDevice,
  podWithVolume,
  settle,
} from "./node-fixture.ts";

const node = (kubelet: "down" | "restart"): Step => ({ type: "node", name: "node-a", kubelet });
const removePod: Step = { type: "delete", objects: [{ kind: "Pod", name: "p", grace: 0 }] };

/** Returns how many volumes a restarted kubelet reports as in use if it cannot unstage the one that it found. */
function inUseAfter(...meanwhile: readonly Step[]): number | undefined {
  const before = [fault("NodeUnstageVolume", "Internal"), ...applied(boundClaim())];
  const run = [...applied(podWithClaim("p")), advance(20), node("down"), removePod];
  const steps = [...before, ...run, ...meanwhile, node("restart"), advance(30)];
  const played = play("", { cluster: clusterOf(), steps });
  assert.match(nodeCalls(played.simulation), /^NS NP NX( NU:Internal)+$/);
  return played.get("Node", "node-a")?.status?.volumesInUse?.length;
}

suite("kubelet: mounts found at the start", () => {
  test("a volume is in use until it is unstaged", () => {
    assert.equal(inUseAfter(advance(60)), 1);
  });

  test("a volume that was meanwhile detached by force is not reported as in use", () => {
    assert.equal(inUseAfter(advance(450)), undefined);
  });

  test("nor is a volume of a recreated Node, which lists no attached volumes", () => {
    const removeNode: Step = { type: "delete", objects: [{ kind: "Node", name: "node-a" }] };
    assert.equal(inUseAfter(removeNode), undefined);
  });

  test("a volume that cannot be staged again is unpublished and unstaged with its pod, a device too", () => {
    const device = asDevice("csi: { driver: block.csi.test, volumeHandle: vol }");
    for (const [claim, pod] of [
      [boundClaim(), podWithClaim("p")],
      [device, podWithDevice()],
    ] as const) {
      const run = [...applied(claim), ...applied(pod), advance(20)];
      const again = [fault("NodeStageVolume", "Internal"), node("restart"), advance(10)];
      const played = play("", {
        cluster: clusterOf(),
        steps: [...run, ...again, removePod, settle],
      });
      assert.match(nodeCalls(played.simulation), /^NS NP( NS:Internal)+ NX NU$/);
      assert.deepEqual(played.list("VolumeAttachment"), []);
    }
  });

  test("a volume that may have been published is unpublished with its pod; before 1.36 only after another restart", () => {
    const call = "NodePublishVolume";
    const begun = [fault(call, "DeadlineExceeded"), ...applied(boundClaim(), podWithClaim("p"))];
    const refused = [fault(call, "Internal"), node("restart"), advance(20)];
    const ending = [...begun, advance(20), ...refused, deletePods("p"), advance(300)];
    const ended = (
      version: "1.35" | "1.36",
      ...more: readonly Step[]
    ): readonly [string | undefined, string] => {
      const played = play("", { version, cluster: clusterOf(), steps: [...ending, ...more] });
      const calls = nodeCalls(played.simulation).split(" ").slice(-2).join(" ");
      return [played.get("Pod", "p")?.metadata.deletionTimestamp && "Terminating", calls];
    };
    assert.deepEqual(ended("1.36"), [undefined, "NX NU"]);
    assert.deepEqual(ended("1.35"), ["Terminating", "NP:Internal NP:Internal"]);
    assert.equal(ended("1.35", node("restart"), advance(60))[0], undefined);
  });

  test("the directories of pods that are gone are removed, also of pods without CSI volumes", () => {
    const pods = [podWithVolume("p", "emptyDir: {}"), podWithVolume("q", "hostPath: { path: /a }")];
    const objects = ["p", "q"].map((name) => ({ kind: "Pod", name, grace: 0 }) as const);
    const stays = podWithVolume("stays", "hostPath: { path: /a }");
    const gone: readonly Step[] = [node("down"), { type: "delete", objects }, node("restart")];
    const steps = [...applied(...pods, stays), advance(20), ...gone, advance(60)];
    const played = play("", { cluster: clusterOf(), steps });
    const { files } = played.simulation.runtime.machines.get("node-a") ?? {};
    const { uid = "" } = played.get("Pod", "stays")?.metadata ?? {};
    assert.deepEqual(files?.below("/var/lib/kubelet/pods"), [`/var/lib/kubelet/pods/${uid}`]);
  });
});
