/**
 * Does all storage runs of a suite once more with each fault of everyFault, and compares the objects that are there twenty
 * minutes later. For the last test of a suite.
 */
import assert from "node:assert/strict";
import type { Kind, KubeObject } from "../../src/engine/api/meta.ts";
import type { RuntimeFaults, Step } from "../../src/engine/scenario.ts";
import type { Simulation } from "../../src/engine/simulation.ts";
import { everyFault } from "./check.ts";
import { objectState, withoutUids } from "./object-state.ts";
import { type Recipe, StorageRun, takeRecipes } from "./storage-run.ts";

/** A suite has a dozen runs. */
const faultCountMax = 20;
const untilRest = { type: "advance", ms: 20 * 60_000 } as const;

export function checkSameEnds(): void {
  for (const recipe of takeRecipes()) if (!recipe.endDependsOnFaults) checkSameEnd(recipe);
  takeRecipes();
}

function checkSameEnd(recipe: Recipe): void {
  const plain = replay(recipe, undefined);
  const end = endOf(plain);
  for (const runtimeFaults of everyFault(plain, faultCountMax)) {
    const found = endOf(replay(recipe, runtimeFaults));
    if (found !== end) assert.equal(found, end, JSON.stringify({ runtimeFaults, ...recipe }));
  }
}

function replay({ options, steps }: Recipe, runtimeFaults: RuntimeFaults | undefined): StorageRun {
  const run = new StorageRun({ ...options, ...(runtimeFaults !== undefined && { runtimeFaults }) });
  for (const step of steps) run.step(withUids(step, run));
  return run.step(untilRest);
}

function withUids(step: Step, run: StorageRun): Step {
  const text = JSON.stringify(step).replace(
    /<uid (\w+)\/([^/>]*)\/([^>]*)>/g,
    (placeholder, kind: Kind, namespace: string, name: string) =>
      run.get(kind, name, namespace)?.metadata.uid ?? placeholder,
  );
  return JSON.parse(text) as Step;
}

/** Without capacities: their names differ, and so does when they were last asked for. */
function endOf({ simulation }: StorageRun): string {
  const objects = [...simulation.runtime.api.store.all()];
  const lines = objects
    .filter(({ kind }) => kind !== "CSIStorageCapacity")
    .map((object) => `${object.kind} ${object.metadata.name}: ${objectState(object)}`);
  return withoutUids(lines.join("\n"), everCreated(simulation)).split("\n").sort().join("\n");
}

/** Gone objects too: their uids live on in the names of what was made for them. */
function everCreated({ trace }: Simulation): Iterable<KubeObject> {
  const byUid = new Map<string, KubeObject>();
  for (const entry of trace.entries) {
    if (entry.type === "write" && entry.after !== undefined)
      byUid.set(entry.after.metadata.uid, entry.after);
  }
  return byUid.values();
}
