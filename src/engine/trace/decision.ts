/** The reasons behind a decision, as data. Explanations and fixes are made from these, never by a second analysis. */
import type { Ref } from "../api/meta.ts";
import type { Instant } from "./instant.ts";

/** One rule that a candidate failed, with both sides as a person would compare them. */
export interface FailedRule {
  /**
   * The rule's name in kebab case: `access-modes`, `capacity`, `storage-class`, `volume-mode`, `selector`, `node-affinity`,
   * `phase`, `claim-ref` …
   */
  readonly rule: string;
  /** What was asked for, and by which field: `spec.resources.requests.storage` `10Gi`. */
  readonly wanted: string;
  readonly wantedField?: string;
  /** In a decision about a pod: the claim with the requirement, and its volume. */
  readonly claim?: Ref;
  readonly volume?: Ref;
  readonly found: string;
  readonly foundField?: string;
}

export interface Candidate {
  readonly ref: Ref;
  readonly failed: readonly FailedRule[];
}

/** What a component decided about an object. */
export interface Decision {
  /** What was decided, or why, in a word of the component that decides: `Matched`, `WaitForFirstConsumer`. */
  readonly reason: string;
  /** The object that was chosen, if one was. */
  readonly chosen?: Ref;
  /** Volumes or nodes that were looked at, best first; bounded, `candidateCount` tells how many there were. */
  readonly candidates?: readonly Candidate[];
  readonly candidateCount?: number;
  /** Objects that the decision rests on: class, driver, node. */
  readonly because?: readonly Ref[];
  readonly text?: string;
  /** When the component acts next by itself, if known. */
  readonly due?: Instant;
}
