/** Tables of a decision's candidates, the volumes or nodes that were considered, by the rules that each one failed. */
import { compareText } from "../api/go/text-order.ts";
import { kindOfRef, type Ref, refOf } from "../api/meta.ts";
import type { Candidate, Decision, FailedRule } from "../trace/decision.ts";
import type { RunFacts } from "./run-facts.ts";

export interface RuleMatrix {
  /** The columns. */
  readonly rules: readonly string[];
  readonly rows: readonly RuleRow[];
  /** How many candidates were considered; more than there are rows if the record was cut. */
  readonly count: number;
  /** True if every rule was checked, so that a rule without a failure was passed; else checking may have ended at a failure. */
  readonly isComplete: boolean;
}

export interface RuleRow {
  readonly ref: Ref;
  readonly isChosen: boolean;
  readonly failed: ReadonlyMap<string, FailedRule>;
}

/** The rules that every volume is checked against. Other rules become columns only if a candidate fails them. */
const volumeRules: readonly string[] = [
  "storage-class",
  "access-modes",
  "capacity",
  "volume-mode",
  "selector",
  "claim-ref",
  "phase",
];

/** Reasons of decisions about a volume that the claim names, which only some of the rules are checked for. */
const ofNamedVolume: ReadonlySet<string> = new Set(["VolumeMismatch", "VolumeTaken"]);

/** Undefined for a decision without candidates. */
export function ruleMatrix(decision: Decision): RuleMatrix | undefined {
  const { chosen, candidates = [], candidateCount } = decision;
  const chosenRow: readonly Candidate[] = chosen === undefined ? [] : [{ ref: chosen, failed: [] }];
  const all = [...chosenRow, ...candidates];
  const [first] = all;
  if (first === undefined) return undefined;
  const isComplete = isOfVolumes(first.ref) && !ofNamedVolume.has(decision.reason);
  const failing = new Set(all.flatMap(({ failed }) => failed.map(({ rule }) => rule)));
  const known = isComplete ? volumeRules : volumeRules.filter((rule) => failing.has(rule));
  const others = [...failing].filter((rule) => !known.includes(rule)).sort(compareText);
  return {
    rules: [...known, ...others],
    rows: all.map(({ ref, failed }) => ({
      ref,
      isChosen: ref === chosen,
      failed: new Map(failed.map((rule) => [rule.rule, rule])),
    })),
    count: Math.max(candidateCount ?? 0, all.length),
    isComplete,
  };
}

/** All claims by all volumes, with the rules that keep each pair apart. */
export interface ClaimVolumeMatrix {
  readonly volumes: readonly Ref[];
  readonly rows: readonly {
    readonly claim: Ref;
    /** From volumes to cells, without pairs that were not compared. */
    readonly cells: ReadonlyMap<Ref, ClaimVolumeCell>;
  }[];
}

export interface ClaimVolumeCell {
  readonly isChosen: boolean;
  /** Empty for a volume that fits. */
  readonly failed: readonly FailedRule[];
}

/** Sorted by name; undefined if fewer than two claims or volumes were compared, or more than `countMax`. */
export function claimVolumeMatrix(
  facts: RunFacts,
  countMax: number,
): ClaimVolumeMatrix | undefined {
  const volumes = new Set<Ref>();
  const rows = facts.list("PersistentVolumeClaim").flatMap((claim) => {
    const decision = facts.lastComparison(refOf(claim));
    const cells = new Map<Ref, ClaimVolumeCell>();
    for (const { ref, failed } of decision?.candidates ?? [])
      if (isOfVolumes(ref)) cells.set(ref, { isChosen: false, failed });
    const { chosen } = decision ?? {};
    if (chosen !== undefined && isOfVolumes(chosen))
      cells.set(chosen, { isChosen: true, failed: [] });
    for (const ref of cells.keys()) volumes.add(ref);
    return cells.size === 0 ? [] : [{ claim: refOf(claim), cells }];
  });
  const isReadable = (count: number): boolean => count > 1 && count <= countMax;
  if (!isReadable(rows.length) || !isReadable(volumes.size)) return undefined;
  return {
    volumes: [...volumes].sort(compareText),
    rows: rows.sort((a, b) => compareText(a.claim, b.claim)),
  };
}

function isOfVolumes(ref: Ref): boolean {
  return kindOfRef(ref) === "PersistentVolume";
}
