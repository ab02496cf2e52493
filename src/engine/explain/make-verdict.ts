/** Puts a verdict together; what is left out is empty, or what the catalogue of messages knows of it. */
import { type KubeObject, refOf } from "../api/meta.ts";
import type { Candidate, Decision } from "../trace/decision.ts";
import type { EventEntry } from "../trace/entry.ts";
import { adviceOf } from "./advice.ts";
import {
  type Fix,
  isGood,
  type Link,
  type Place,
  type Verdict,
  type VerdictKind,
} from "./verdict.ts";

export interface VerdictParts {
  readonly event?: EventEntry | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly withinMs?: number | undefined;
  readonly root?: Place | undefined;
  /** What follows the object itself in the chain. */
  readonly chain?: readonly Link[] | undefined;
  readonly decision?: Decision | undefined;
  readonly fixes?: readonly Fix[] | undefined;
}

export function makeVerdict(
  object: KubeObject,
  kind: VerdictKind,
  headline: string,
  parts: VerdictParts = {},
): Verdict {
  const ref = refOf(object);
  const { event, root, chain = [], decision, fixes = [] } = parts;
  const reason = event?.reason ?? parts.reason;
  const message = event?.message ?? parts.message;
  const blamed = root ?? (isGood({ kind }) ? undefined : { ref });
  // A message is about the object that it is told of; a root elsewhere has its own.
  const isOwn = blamed?.ref === ref;
  const isVague = isOwn && (blamed.field ?? "spec") === "spec";
  // Of events of a series the first message stays, whatever was decided later.
  const cause = decision?.text ?? message;
  const advice =
    cause !== undefined && (isVague || (isOwn && fixes.length === 0))
      ? adviceOf(cause, reason)
      : undefined;
  const field = isVague ? (advice?.field ?? blamed.field) : blamed?.field;
  const place = blamed === undefined || field === undefined ? blamed : { ref: blamed.ref, field };
  const candidates = decision === undefined ? [] : candidatesOf(decision);
  return {
    ref,
    kind,
    headline,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...(parts.withinMs !== undefined && { withinMs: parts.withinMs }),
    ...(place !== undefined && { root: place }),
    chain: [{ ref, text: headline }, ...chain],
    candidates,
    candidateCount: decision?.candidateCount ?? candidates.length,
    fixes: fixes.length > 0 ? fixes : (advice?.changes ?? []).map((text) => ({ text })),
  };
}

/** The one that was chosen comes first; where there was no other, nothing was compared. */
function candidatesOf({ chosen, candidates = [] }: Decision): readonly Candidate[] {
  if (chosen === undefined || candidates.length === 0) return candidates;
  return [{ ref: chosen, failed: [] }, ...candidates];
}
