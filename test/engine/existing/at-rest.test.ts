/**
 * A cluster at rest stays at rest when it is imported: a new run begins with the objects at the end of a recorded scenario,
 * as an API server would print them, and no component writes anything.
 */
import assert from "node:assert/strict";
import path from "node:path";
import type { Scenario } from "../../../src/engine/scenario.ts";
import { Simulation } from "../../../src/engine/simulation.ts";
import { scenarioIds } from "../../conformance/replay.ts";
import { readScenario } from "../../conformance/scenario-file.ts";
import { clusterAsItIs } from "../../support/cluster-as-it-is.ts";
import { exhaust } from "../../support/replay.ts";

const directory = path.join(import.meta.dirname, "../../recordings");
const areas =
  "attach binding clone ephemeral lost mount protection resize snapshot statefulset topology vac workload";

/** The objects do not show injected faults, so that in the new run the next attempt succeeds. */
const withFaults: ReadonlySet<string> = new Set([
  "attach/attach-limit-error-rejects-the-pod",
  "attach/detach-error-does-not-block-the-other-node",
  "resize/node-refuses-in-use-but-mount-goes-on",
]);

suite("the end of a recorded scenario stays as it is in a cluster that starts with it", () => {
  const chosen = new Set(areas.split(" "));
  for (const id of scenarioIds(directory)) {
    if (!chosen.has(id.split("/")[0] ?? "") || withFaults.has(id)) continue;
    test(id, () => assert.deepEqual(writesAfter(readScenario(directory, id).scenario), []));
  }
});

const untilRest = { type: "settle", limitMs: 900_000, quietMs: 130_000 } as const;

function writesAfter(scenario: Scenario): readonly string[] {
  const ended = run({ ...scenario, steps: [...scenario.steps, untilRest] });
  const cluster = clusterAsItIs(ended, scenario);
  const { trace } = run({ ...scenario, seed: 7, cluster, steps: [untilRest] });
  return trace.entries.flatMap((e) =>
    e.type === "write" && e.actor !== "cluster" ? [`${e.actor} ${e.verb} ${e.ref}`] : [],
  );
}

function run(scenario: Scenario): Simulation {
  const simulation = new Simulation(scenario);
  exhaust(simulation.slices());
  return simulation;
}
