/** What became of an object, and why, as a person would be told. Every display of an outcome is built from these. */
import type { Ref } from "../api/meta.ts";
import type { Candidate } from "../trace/decision.ts";

export type VerdictKind =
  /** As it should be. */
  | "healthy"
  /** On its way: nothing is missing but time. */
  | "will-happen"
  /** Nothing is wrong, but a person has to do something first. */
  | "waits-for-you"
  /** Nothing that runs in the cluster will ever change this. */
  | "stuck"
  /** A component tries something again and again, and fails. */
  | "fails"
  /** Another order of the same manifests gives another outcome. */
  | "depends-on-order";

/** Worst first. */
export const verdictKinds: readonly VerdictKind[] = [
  "fails",
  "stuck",
  "depends-on-order",
  "waits-for-you",
  "will-happen",
  "healthy",
];

export interface Place {
  readonly ref: Ref;
  /** Field path as Kubernetes writes it; absent for the whole object. */
  readonly field?: string;
}

/** A step from the symptom towards the cause. */
export interface Link {
  readonly ref: Ref;
  readonly text: string;
}

/** A change that would help. `value` is for the field at `at`: null removes it; absent if only the text says what to do. */
export interface Fix {
  readonly text: string;
  /** What writing the value does; present if `text` names an alternative as well. */
  readonly doing?: string;
  readonly at?: Place;
  readonly value?: string | number | boolean | null;
}

export interface Verdict {
  readonly ref: Ref;
  readonly kind: VerdictKind;
  /** One sentence without the object's name: `stays Pending: no volume fits and the cluster has no default class`. */
  readonly headline: string;
  /** Reason and message of the Kubernetes event or condition that a user would see; absent if Kubernetes says nothing. */
  readonly reason?: string;
  readonly message?: string;
  /** Within this time it happens, or is tried again, by itself; absent if that cannot be said. */
  readonly withinMs?: number;
  /** Where the first wrong line is; absent for healthy objects. */
  readonly root?: Place;
  /** From this object to the root, this object first; a single link if this object is the root. */
  readonly chain: readonly Link[];
  /** Volumes or nodes that were considered: the chosen one, which failed no rule, then the others, nearest misses first. */
  readonly candidates: readonly Candidate[];
  readonly candidateCount: number;
  readonly fixes: readonly Fix[];
}

/** By when: `within 4 min 52 s`, `tried again within 8 s`; undefined if that cannot be said. */
export function dueText({ kind, withinMs }: Verdict): string | undefined {
  if (withinMs === undefined) return undefined;
  const seconds = Math.ceil(withinMs / 1000);
  const minutes = Math.floor(seconds / 60);
  const parts = [
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(seconds % 60 > 0 ? [`${seconds % 60} s`] : []),
  ];
  return `${kind === "will-happen" ? "" : "tried again "}within ${parts.join(" ")}`;
}

export function isGood({ kind }: Pick<Verdict, "kind">): boolean {
  return kind === "healthy" || kind === "will-happen";
}
