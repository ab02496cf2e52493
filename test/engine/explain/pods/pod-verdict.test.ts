import assert from "node:assert/strict";
import type { Verdict } from "../../../../src/engine/explain/verdict.ts";
import { verdicts } from "../../../../src/engine/explain/verdicts.ts";
import type { Step } from "../../../../src/engine/scenario.ts";
import { play } from "../../../support/play.ts";
import {
  advance,
  applied,
  boundClaim,
  clusterOf,
  deletePods,
  fault,
  podWithClaim,
} from "../../kubelet/node-fixture.ts";

function podVerdict(...steps: readonly Step[]): Verdict | undefined {
  const { simulation } = play("", { cluster: clusterOf(), steps });
  return verdicts(simulation.trace).find((v) => v.ref === "Pod/default/p");
}

const pod = applied(boundClaim(), podWithClaim("p"));

suite("verdict on a pod", () => {
  test("a volume that cannot be unmounted keeps a deleted pod, though no event says so", () => {
    const verdict = podVerdict(
      fault("NodeUnpublishVolume", "Internal"),
      ...pod,
      advance(10),
      deletePods("p"),
      advance(10),
    );
    assert.equal(verdict?.kind, "fails");
    assert.equal(verdict?.headline, "stays Terminating: a volume cannot be unmounted");
    assert.match(verdict?.message ?? "", /NodeUnpublishVolume refused$/);
    assert.deepEqual(verdict?.chain[1], { ref: "PersistentVolume//pv", text: "is still mounted" });
  });

  test("a pod waits for a slow attach", () => {
    const slow: Step = {
      type: "fault",
      fault: { driver: "block.csi.test", call: "ControllerPublishVolume", delayMs: 12_000 },
    };
    const verdict = podVerdict(slow, ...pod, advance(8));
    assert.equal(verdict?.headline, "waits on node-a for a volume to be attached");
  });
});
