/** What has changed in the assumed cluster between two states of an environment, and which islands that concerns. */
import type { ClusterProfile } from "../../engine/scenario.ts";
import type { Assumption } from "../prediction/scenario-of.ts";
import type { Environment } from "../workspace/environment.ts";
import { textOf } from "./object-text.ts";

/** Replaces the objects of an imported cluster, which may be thousands, by a number: rereading them makes a new list. */
function withoutState({ state, ...cluster }: ClusterProfile): unknown {
  if (state === undefined) return cluster;
  let number = numbersOfStates.get(state);
  if (number === undefined) numbersOfStates.set(state, (number = ++stateCount));
  return { ...cluster, state: number };
}

const numbersOfStates = new WeakMap<object, number>();
let stateCount = 0;

/** Clusters with the same signature are alike in everything that a run looks at. */
export function clusterSignature(cluster: ClusterProfile): string {
  return JSON.stringify(withoutState(cluster));
}

/** The paths on machines that have changed; undefined if the clusters differ in anything else. */
export function changedPaths(before: Assumption, after: Assumption): readonly string[] | undefined {
  if (before === after) return [];
  const [old, now] = [before.assumed.cluster, after.assumed.cluster];
  if (old === now && before.version === after.version) return [];
  if (before.version !== after.version || withoutPaths(old) !== withoutPaths(now)) return undefined;
  const changed = new Set<string>();
  for (const [index, { hostPaths = {} }] of now.nodes.entries()) {
    const known = old.nodes[index]?.hostPaths ?? {};
    for (const path of [...Object.keys(hostPaths), ...Object.keys(known)])
      if (hostPaths[path] !== known[path]) changed.add(path);
  }
  return [...changed];
}

function withoutPaths(cluster: ClusterProfile): string {
  const nodes = cluster.nodes.map(({ hostPaths: _, ...node }) => node);
  return JSON.stringify(withoutState({ ...cluster, nodes }));
}

/** True if an island may look at one of the paths, or at one above or below it. */
export function asksForPaths({ objects }: Environment, paths: readonly string[]): boolean {
  const roots = new Set(paths.map((path) => `"/${path.split("/")[1] ?? ""}`));
  return objects.some(({ object }) => {
    const text = textOf(object);
    return [...roots].some((root) => text.includes(root));
  });
}
