/** Groups failures by the line that causes them: each root cause appears once, with everything that fails because of it. */
import { makeRef, type Ref } from "../../engine/api/meta.ts";
import { isGood, type Verdict } from "../../engine/explain/verdict.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { printPath } from "../yaml/field-path.ts";
import type { Path } from "../yaml/place.ts";
import type { Prediction } from "./prediction.ts";
import { type Source, sourceOf } from "./source-of.ts";

export interface RootCause {
  /** The line to blame, or the nearest one that a user wrote; absent if no file is related to it. */
  readonly source?: Source;
  /** The verdict nearest to the cause: that of a claim rather than of the pod waiting for it. */
  readonly verdict: Verdict;
  /** What else fails for this reason, nearest first. */
  readonly victims: readonly Verdict[];
}

/** Worst first. Empty if everything is in order or on its way. */
export function rootCauses(prediction: Prediction): readonly RootCause[] {
  for (const _ of findRootCauses(prediction));
  return recent.get(prediction) ?? [];
}

/** Finds them for later calls of `rootCauses`. Yields often. */
export function* findRootCauses(prediction: Prediction): Generator<void> {
  if (recent.has(prediction)) return;
  const causes = new Map<
    string,
    { readonly source: Source | undefined; readonly verdicts: Verdict[] }
  >();
  const ofTrials = new Set(prediction.trials.verdicts);
  for (const verdict of [...prediction.verdicts, ...ofTrials]) {
    if (isGood(verdict)) continue;
    yield;
    const source = rootSource(prediction, verdict);
    const key = source === undefined ? rootKey(verdict) : sourceKey(source);
    const cause = causes.get(key);
    if (cause === undefined) causes.set(key, { source, verdicts: [verdict] });
    else cause.verdicts.push(verdict);
  }
  const found = [...causes.values()].flatMap(({ source, verdicts }): RootCause[] => {
    const [verdict, ...others] = verdicts.sort(byDistance);
    if (verdict === undefined) return [];
    // Objects that were only made for a trial are represented by their CronJob.
    const victims = others.filter((other) => !ofTrials.has(other));
    return [{ verdict, victims, ...(source !== undefined && { source }) }];
  });
  recent.set(prediction, found);
}

const recent = new WeakMap<Prediction, readonly RootCause[]>();

/** Shortest chain first; with equal length, claims before what uses them. */
function byDistance(a: Verdict, b: Verdict): number {
  return a.chain.length - b.chain.length || rank(a.ref) - rank(b.ref) || (a.ref < b.ref ? -1 : 1);
}

const kindsByDepth: readonly string[] = [
  "PersistentVolumeClaim",
  "PersistentVolume",
  "VolumeSnapshot",
  "Pod",
];

function rank(ref: Ref): number {
  const index = kindsByDepth.indexOf(ref.slice(0, ref.indexOf("/")));
  return index < 0 ? kindsByDepth.length : index;
}

function rootKey({ ref, root }: Verdict): string {
  return root === undefined ? ref : `${root.ref} ${root.field ?? ""}`;
}

function sourceKey({ entry, path }: Source): string {
  return `${entry.file.uri} ${entry.documentIndex} ${printPath([...entry.object.path, ...path])}`;
}

/** The verdict of the object that is to blame, if it is bad, too: it knows the field, or the next object to blame. */
function nearestToRoot({ verdictOf }: Prediction, verdict: Verdict): Verdict {
  const seen = new Set([verdict]);
  let nearest = verdict;
  for (;;) {
    const { root } = nearest;
    const next = root?.field === undefined ? verdictOf.get(root?.ref ?? "") : undefined;
    if (next === undefined || isGood(next) || seen.has(next)) return nearest;
    seen.add(next);
    nearest = next;
  }
}

/**
 * The root's line; else, in the nearest object of the chain that a user wrote, the reference to the next object; else that
 * object.
 */
function rootSource(prediction: Prediction, one: Verdict): Source | undefined {
  const verdict = nearestToRoot(prediction, one);
  const { root } = verdict;
  const atRoot = root === undefined ? undefined : sourceOf(prediction, root.ref, root.field);
  if (atRoot !== undefined) return atRoot;
  let next = root?.ref;
  for (const { ref } of verdict.chain.toReversed()) {
    const source = sourceOf(prediction, ref);
    if (source !== undefined) return { ...source, path: pathTo(source.entry, next) ?? source.path };
    next = ref;
  }
  return undefined;
}

function pathTo({ object }: WorkspaceObject, named: Ref | undefined): Path | undefined {
  return referencesOf(object).find(
    ({ kind, namespace, name }) => makeRef(kind, namespace, name) === named,
  )?.path;
}
