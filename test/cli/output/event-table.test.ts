import assert from "node:assert/strict";
import { eventsOf } from "../../../src/cli/output/event-table.ts";
import { play } from "../../support/play.ts";

suite("table of events", () => {
  test("has a line for each container with the same event", () => {
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

  test("has one line for combined events, with the message of the last", () => {
    const { simulation } = play(
      `
    apiVersion: apps/v1
    kind: ReplicaSet
    metadata: { name: web }
    spec:
      replicas: 12
      selector: { matchLabels: { app: web } }
      template:
        metadata: { labels: { app: web } }
        spec: { containers: [{ name: app, image: app }] }`,
    );
    const created = simulation.trace.entries.flatMap((entry) =>
      entry.type === "event" && entry.reason === "SuccessfulCreate" ? [entry] : [],
    );
    const lines = eventsOf(simulation.trace).filter(
      ({ entry }) => entry.reason === "SuccessfulCreate",
    );
    assert.equal(created.length, 12);
    assert.equal(lines.length, 10);
    assert.deepEqual(lines.at(-1)?.entry, created.at(-1));
    assert.match(
      created.at(-1)?.message ?? "",
      /^\(combined from similar events\): Created pod: web-/,
    );
  });

  test("has a line for each version of a pod with the same event of the scheduler", () => {
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
    // The pod's condition makes a second version, which is retried every five minutes.
    assert.deepEqual(
      failed.map(({ entry }) => entry.count),
      [1, 2],
    );
  });
});
