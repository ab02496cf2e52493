/**
 * Checks that a cluster at rest has the same verdicts after it is imported: objects that were fine are, and the others have the
 * same root. Skips clusters with refused requests or writes, which no object shows, and pods with restarted containers.
 */
import type { KubeObject } from "../../src/engine/api/meta.ts";
import { RunFacts } from "../../src/engine/explain/run-facts.ts";
import { isGood } from "../../src/engine/explain/verdict.ts";
import { verdictOn } from "../../src/engine/explain/verdicts.ts";
import type { Scenario } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import { clusterAsItIs } from "../support/cluster-as-it-is.ts";
import { exhaust } from "../support/replay.ts";

const judged: ReadonlySet<string> = new Set([
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Pod",
  "VolumeAttachment",
  "VolumeSnapshot",
]);

/** Sentences about objects with another verdict after the import; empty if there are none. */
export function judgedOtherwise(simulation: Simulation, scenario: Scenario): readonly string[] {
  const { trace } = simulation;
  if (trace.entries.some(isRefusal)) return [];
  const [before, after] = [new RunFacts(trace), new RunFacts(imported(simulation, scenario).trace)];
  return [...before.objects.values()].flatMap((object) => {
    if (!judged.has(object.kind) || startsAgain(object)) return [];
    const was = verdictOn(before, object);
    if (was === undefined) return [];
    const same = after.objects.get(was.ref);
    const is = same && verdictOn(after, same);
    if (is !== undefined && isGood(is) === isGood(was) && is.root?.ref === was.root?.ref) return [];
    return [`${was.ref} ${was.headline}: imported it ${is?.headline ?? "is gone"}`];
  });
}

function isRefusal(entry: Simulation["trace"]["entries"][number]): boolean {
  if (entry.type === "request") return entry.status >= 400;
  return entry.type === "refused" && entry.error.reason !== "Conflict";
}

function imported(simulation: Simulation, scenario: Scenario): Simulation {
  const cluster = clusterAsItIs(simulation, scenario);
  const { version, seed, steps } = scenario;
  // The last step is the final settle.
  const again = new Simulation({ version, seed, cluster, steps: steps.slice(-1) });
  exhaust(again.slices());
  return again;
}

function startsAgain(object: KubeObject): boolean {
  if (object.kind !== "Pod") return false;
  const { initContainerStatuses = [], containerStatuses = [] } = object.status ?? {};
  return [...initContainerStatuses, ...containerStatuses].some((s) => s.restartCount > 0);
}
