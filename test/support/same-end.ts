/**
 * Tests whose runs are all repeated with each fault of fault-points.ts, or with watch events in many orders: the cluster twelve
 * minutes later must be the same, or one of the other ends that the test allows.
 */
import assert from "node:assert/strict";
import type { KubeObject } from "../../src/engine/api/meta.ts";
import type { Simulation } from "../../src/engine/simulation.ts";
import type { Fault } from "./fault.ts";
import { objectState, withoutUids } from "./object-state.ts";
import { exhaust, type OtherEnd, type Recorded, recipesOf, replay } from "./replay.ts";

/** Longer than any wait: a volume is detached from a dead node after six minutes, a driver's call is retried after five. */
const untilRest = { type: "advance", ms: 12 * 60_000 } as const;

export function testWithFaults(title: string, body: () => void): void {
  test(title, () => {
    for (const recipe of recipesOf(body)) checkSameEnd(recipe);
  });
}

/** From delays that reorder simultaneous events to delays that outlast a user's next steps. */
const shuffles: readonly Fault[] = Array.from({ length: 16 }, (_, i) => ({
  lateWatches: { delayMsMax: Math.round(1.8 ** (i + 1)) },
}));

export function testInAnyOrder(title: string, body: () => void): void {
  test(title, () => {
    for (const recipe of recipesOf(body)) checkSameEnd({ ...recipe, faults: shuffles });
  });
}

function checkSameEnd({ simulation, faults, otherEnds, ...given }: Recorded): void {
  const recipe = { ...given, steps: [...given.steps, untilRest] };
  exhaust(simulation.step(untilRest));
  const end = endOf(simulation);
  const ends = new Set([end, ...otherEnds.map((other) => otherEnd(end, other))].map(text));
  for (const fault of faults) {
    const found = text(endOf(replay(recipe, fault).simulation));
    if (!ends.has(found)) assert.equal(found, text(end), JSON.stringify(fault));
  }
}

type End = ReadonlyMap<string, string>;

function text(end: End): string {
  const lines = [...end].flatMap(([what, state]) => (state === "gone" ? [] : `${what}: ${state}`));
  return lines.sort().join("\n");
}

function otherEnd(end: End, { lines }: OtherEnd): End {
  return new Map([...end, ...Object.entries(lines)]);
}

/** Leaves out CSIStorageCapacities, whose names and last updates differ from run to run. */
function endOf(simulation: Simulation): End {
  const objects = [...simulation.runtime.api.store.all()] as KubeObject[];
  const lines = objects
    .filter(({ kind }) => kind !== "CSIStorageCapacity")
    .flatMap((object): string[] => [
      `${object.kind} ${object.metadata.name}\t${objectState(object)}`,
      ...(object.kind === "Node" ? attachments(object) : []),
    ]);
  for (const { name, mounts } of simulation.runtime.machines.values())
    lines.push(...mounts.entries.map(({ target }) => `${target} on ${name}\tmounted`));
  const named = withoutChance(lines.join("\n"), [...everCreated(simulation)]);
  return new Map(named.split("\n").map((line) => line.split("\t") as [string, string]));
}

/** Replaces uids and generated names, which depend on the order in which objects are made. */
function withoutChance(text: string, objects: readonly KubeObject[]): string {
  return objects.reduce(
    (named, { metadata: { name, generateName } }) =>
      generateName === undefined ? named : named.replaceAll(name, `${generateName}…`),
    withoutUids(text, objects),
  );
}

function attachments({ metadata: { name }, status }: KubeObject<"Node">): string[] {
  const attached = (status?.volumesAttached ?? []).map((volume) => volume.name);
  return [
    `attached to ${name}\t${attached.sort()}`,
    `in use on ${name}\t${(status?.volumesInUse ?? []).toSorted()}`,
  ];
}

/** All objects that ever existed, as uids of deleted ones are still part of other names. */
function everCreated({ trace }: Simulation): Iterable<KubeObject> {
  const byUid = new Map<string, KubeObject>();
  for (const entry of trace.entries) {
    if (entry.type === "write" && entry.after !== undefined)
      byUid.set(entry.after.metadata.uid, entry.after);
  }
  return byUid.values();
}
