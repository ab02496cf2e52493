/** Builds a verdict. Fixes and root field that are not given are taken from the catalogue of messages. */
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
  /** The links after the object itself. */
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
  // The message is about this object; it says nothing about a root in another object.
  const isOwn = blamed?.ref === ref;
  const isVague = isOwn && (blamed.field ?? "spec") === "spec";
  // A series of events keeps its first message, so the text of a later decision is more current.
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

/** The chosen candidate first, then the others; empty if there were no others, as nothing was compared then. */
function candidatesOf({ chosen, candidates = [] }: Decision): readonly Candidate[] {
  if (chosen === undefined || candidates.length === 0) return candidates;
  return [{ ref: chosen, failed: [] }, ...candidates];
}
