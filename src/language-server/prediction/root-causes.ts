/**
 * What does not get there, gathered by the line at which it goes wrong. One root cause stands once, with everything that
 * fails because of it.
 */
import { makeRef, type Ref } from "../../engine/api/meta.ts";
import { isGood, type Verdict } from "../../engine/explain/verdict.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { printPath } from "../yaml/field-path.ts";
import type { Path } from "../yaml/place.ts";
import type { Prediction } from "./prediction.ts";
import { type Source, sourceOf } from "./source-of.ts";

export interface RootCause {
  /** The line that is to blame, or the nearest one that a user wrote; absent where no file has to do with it. */
  readonly source?: Source;
  /** The verdict that is nearest to the cause: a claim's rather than that of the pod waiting for it. */
  readonly verdict: Verdict;
  /** Whatever else fails for this reason, nearest first. */
  readonly victims: readonly Verdict[];
}

/** Worst first. Empty where everything is as it should be or on its way. */
export function rootCauses(prediction: Prediction): readonly RootCause[] {
  for (const _ of findRootCauses(prediction));
  return recent.get(prediction) ?? [];
}

/** Finds them for whoever asks later. Yields often. */
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
    // For what nobody has made beside it the CronJob speaks.
    const victims = others.filter((other) => !ofTrials.has(other));
    return [{ verdict, victims, ...(source !== undefined && { source }) }];
  });
  recent.set(prediction, found);
}

const recent = new WeakMap<Prediction, readonly RootCause[]>();

/** The shortest chain first, and of equally short ones claims before what uses them. */
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

/** The verdict of the object that is to blame as a whole, where that has one: it says which field, or whom else. */
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

/** The root's line, else where the nearest object of the chain that a user wrote names what comes next, else that object's. */
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
