/** What is known about one island: the findings of the rules that compare objects, and the run of the engine. */
import type { CodedReport } from "../diagnostics/rule.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { sameItems } from "../same-items.ts";
import type { Environment } from "../workspace/environment.ts";
import { textOf } from "./object-text.ts";
import type { Island } from "./parting/islands.ts";
import type { RecordedNames } from "./recorded-names.ts";
import type { RecordedRefs } from "./recorded-refs.ts";

export interface Comparison {
  readonly reports: readonly CodedReport[];
  /** Without findings on objects that the island only reads: those belong to their own island. */
  readonly own: readonly CodedReport[];
  /** The names that the rules asked for. */
  readonly names: RecordedNames;
  /** The objects of other islands that the rules looked at. */
  readonly refs: RecordedRefs;
}

/** What the prediction finds beyond the comparison. */
export interface OutcomeReports {
  readonly own: readonly CodedReport[];
  /** Findings at lines of objects that the island only reads. */
  readonly ofRead: readonly CodedReport[];
}

export interface JudgedIsland {
  readonly island: Island;
  /** The island as an environment of its own. */
  readonly environment: Environment;
  comparison?: Comparison;
  /** Findings of an earlier comparison, used until the present objects are compared. */
  lastCompared?: readonly CodedReport[];
  prediction?: Prediction;
  /** That of an earlier state, until the present one is predicted. */
  outcome?: OutcomeReports;
  /** The outcome was kept by an earlier process for the present state, which has not been predicted since. */
  isRecalled?: boolean;
  /** Set if an internal error occurred in its rules or its run: other islands are not affected. */
  hasFailed?: boolean;
  /** The prediction of an earlier state of the island. */
  lastPrediction?: Prediction;
}

/** The findings of its comparison, else those of an earlier one. */
export function comparedOf({
  comparison,
  lastCompared,
}: JudgedIsland): readonly CodedReport[] | undefined {
  return comparison?.own ?? lastCompared;
}

/** True if two islands hold the same objects at the same places of the same files. */
export function isSameIsland(a: Island, b: Island): boolean {
  return a === b || (sameItems(a.members, b.members) && sameItems(a.context, b.context));
}

/** True if two environments have equal objects in the same files, possibly at other places: their findings are the same. */
export function saysTheSame(a: Environment, b: Environment): boolean {
  return (
    a.objects.length === b.objects.length &&
    a.objects.every(({ object, file, patched }, index) => {
      const other = b.objects[index];
      if (other === undefined || other.file.uri !== file.uri) return false;
      if (!sameItems(patched?.uris ?? [], other.patched?.uris ?? [])) return false;
      return other.object === object || textOf(other.object) === textOf(object);
    })
  );
}

export function saysTheSameOfCommit(a: Environment, b: Environment): boolean {
  if (a.committed.size !== b.committed.size) return false;
  for (const [ref, object] of a.committed) {
    const other = b.committed.get(ref);
    if (other !== object && (other === undefined || textOf(other) !== textOf(object))) return false;
  }
  return true;
}
