import assert from "node:assert/strict";
import { eventsOf } from "../../../src/cli/output/event-table.ts";
import { play } from "../../support/play.ts";

suite("table of events", () => {
  test("has a line for each container that the same is told of", () => {
    const { simulation } = play(
      `
    kind: Pod
    metadata: { name: p }
    spec: { containers: [{ name: app, image: app }, { name: proxy, image: app }] }`,
    );
    const started = eventsOf(simulation.trace).filter(({ entry }) => entry.reason === "Started");
    assert.deepEqual(
      started.map(({ entry }) => [entry.container, entry.count]),
      [
        ["app", 1],
        ["proxy", 1],
      ],
    );
  });

  test("has a line for each version of a pod that the scheduler tells the same of", () => {
    const { simulation } = play(
      `
    kind: Pod
    metadata: { name: p }
    spec: { nodeSelector: { disk: none }, containers: [{ name: app, image: app }] }`,
      { steps: [{ type: "advance", ms: 660_000 }] },
    );
    const failed = eventsOf(simulation.trace).filter(
      ({ entry }) => entry.reason === "FailedScheduling",
    );
    // Its condition makes the second version, and every five minutes it is tried again.
    assert.deepEqual(
      failed.map(({ entry }) => entry.count),
      [1, 2],
    );
  });
});
