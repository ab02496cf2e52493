import { strict as assert } from "node:assert";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { Scenario } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { NodeReplay } from "../../../src/webview/model/node-replay.ts";
import type { NodeView } from "../../../src/webview/model/node-view.ts";
import { claim, fast, manifests, oneNode, pod } from "../../support/storage-run.ts";

const scenario: Scenario = {
  version: "1.36",
  seed: 1,
  cluster: {
    name: "test",
    nodes: oneNode,
    drivers: [driverProfile({ name: "d.csi" })],
    manifests: manifests(fast),
  },
  steps: [{ type: "apply", manifests: manifests(`${claim}\n---\n${pod}`) }, { type: "settle" }],
};

suite("machines at a moment", () => {
  const ended = new Simulation(scenario);
  ended.run();
  const replay = new NodeReplay({ scenario, ended });

  const at = (seq: number): readonly NodeView[] => {
    const views = replay.at(seq);
    let next = views.next();
    while (next.done !== true) next = views.next();
    return next.value;
  };
  const textAt = (seq: number): string =>
    at(seq)
      .flatMap(({ outputs }) => outputs.map(({ text }) => text))
      .join("\n");
  const callOf = (call: string): number => {
    const seq = ended.trace.entries.findIndex(
      (entry) => entry.type === "call" && entry.call === call,
    );
    assert.ok(seq >= 0, `${call} is called`);
    return seq;
  };

  test("a disk is mounted once its driver has staged it, going forward or back", () => {
    assert.doesNotMatch(textAt(callOf("NodeStageVolume")), /globalmount/);
    assert.match(textAt(callOf("NodePublishVolume")), /globalmount/);
    assert.doesNotMatch(textAt(callOf("CreateVolume")), /globalmount/);
  });

  test("at the last entry they are as at the end of the run", () => {
    assert.match(textAt(ended.trace.entries.length - 1), /Running/);
    assert.doesNotMatch(textAt(0), /Running/);
  });

  test("they exist at the first moment", () =>
    assert.equal(at(0).length, ended.runtime.machines.size));
});
