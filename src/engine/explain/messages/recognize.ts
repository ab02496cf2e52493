/** Which component wrote a message, by which rule, and why. Boundary of the engine. */
import { push } from "../../api/go/multi-map.ts";
import { patternsBeginning } from "./beginning.ts";
import { messagePatterns } from "./catalogue.ts";
import { isCut, recognizeFragment } from "./fragment.ts";
import { patternsInside } from "./inside.ts";
import { matchMessage } from "./match-message.ts";
import { asRead, type MessagePattern, type MessageValues } from "./message-pattern.ts";
import type { Recognition } from "./recognition.ts";

/** The innermost messages: the driver's answer, each node's reason; empty if the message is not recognized. */
export function leavesOf(found: Recognition | undefined): readonly Recognition[] {
  if (found === undefined) return [];
  return found.inner.length === 0 ? [found] : found.inner.flatMap(leavesOf);
}

const depthMax = 6;

/** Undefined if the message matches no pattern. Patterns with the event's reason, if given, are tried first. */
export function recognize(message: string, reason?: string): Recognition | undefined {
  return recognizeAt(readable(message), reason, 0);
}

/** The prefix of an event that stands for many similar ones. Upstream: client-go tools/record/events_cache.go. */
const combinedMark = /^\(combined from similar events\): /;

function readable(message: string): string {
  return asRead(message).replace(combinedMark, "");
}

/** Recognizes a message that `recognize` does not know by its event's reason alone; undefined if that is not known either. */
export function recognizeByReason(
  message: string,
  reason: string | undefined,
): Recognition | undefined {
  const ofReason = messagePatterns.filter(
    ({ isLastResort, reasons }) =>
      isLastResort === true && reason !== undefined && reasons?.includes(reason) === true,
  );
  return firstMatch(ofReason, readable(message), 0, "reason");
}

function recognizeAt(
  message: string,
  reason: string | undefined,
  depth: number,
): Recognition | undefined {
  if (depth > depthMax || message === "") return undefined;
  return (
    firstMatch(byReason.get(reason ?? "") ?? [], message, depth, "reason") ??
    firstMatch(patternsBeginning(message), message, depth, "text") ??
    (depth === 0 ? undefined : wrapped(message, depth))
  );
}

/** `a is wrong, b is 2, but 1 was wanted` */
function listed(detail: string, depth: number): readonly Recognition[] {
  return detail.split(/, (?!but )/).flatMap((part): readonly Recognition[] => {
    const found = recognizeAt(part, undefined, depth + 1);
    return found === undefined ? [] : [found];
  });
}

const wrapCountMax = 8;

/** Go's errors hold others behind a colon: `failed to get the secret: secrets "key" not found`. */
function wrapped(message: string, depth: number): Recognition | undefined {
  let at = message.indexOf(": ");
  for (let count = 0; at >= 0 && count < wrapCountMax; count++) {
    const inside = message.slice(at + 2);
    const isList = inside.startsWith("[");
    const found = isList ? undefined : firstMatch(patternsBeginning(inside), inside, depth, "text");
    if (found !== undefined) return found;
    at = message.indexOf(": ", at + 2);
  }
  return firstMatch(patternsInside(message), message, depth, "text");
}

const byReason = new Map<string, MessagePattern[]>();
for (const pattern of messagePatterns) {
  if (pattern.isLastResort === true) continue;
  for (const reason of pattern.reasons ?? []) {
    push(byReason, reason, pattern);
  }
}

function firstMatch(
  patterns: readonly MessagePattern[],
  message: string,
  depth: number,
  chosenBy: "reason" | "text",
): Recognition | undefined {
  for (const pattern of patterns) {
    const values = matchMessage(pattern, message, chosenBy);
    if (values !== undefined) return { pattern, values, inner: innerOf(pattern, values, depth) };
  }
  return undefined;
}

function innerOf(
  pattern: MessagePattern,
  { detail }: MessageValues,
  depth: number,
): readonly Recognition[] {
  if (detail === undefined) return [];
  if (pattern.detail === "node-reasons") return nodeReasons(detail, depth);
  if (pattern.detail === "list") return listed(detail, depth);
  const inner = recognizeAt(detail, undefined, depth + 1);
  // Brackets alone do not make a list: any text may be in brackets.
  const isListOfNothing = inner?.pattern.detail === "list" && inner.inner.length === 0;
  return inner === undefined || isListOfNothing ? [] : [inner];
}

/**
 * `1 Insufficient cpu, 2 node(s) were unschedulable. preemption: …`, or a single reason for all nodes; before 1.9
 * `MatchNodeSelector (1), NoVolumeZoneConflict (2).` Some clients append more: `3 Insufficient cpu.; [pod has …]`.
 */
function nodeReasons(detail: string, depth: number): readonly Recognition[] {
  const [reasons = ""] = detail.split(/\. (?:no new claims|preemption:|not found)|(?<!\.)\.$/);
  return reasons
    .split(/, (?=\d+ |[\w ]+ \(\d+\))|\.; \[?/)
    .flatMap((part): readonly Recognition[] => {
      const [, count, after] = /^(\d+) (.*)$/s.exec(part) ?? [];
      const [, before, countBehind] = /^([\w ]+) \((\d+)\)$/.exec(part) ?? [];
      const reason = after ?? before ?? part.replace(/\]$/, "");
      const found =
        recognizeAt(reason, undefined, depth + 1) ??
        (isCut(reason) ? recognizeFragment(reason) : undefined);
      if (found === undefined) return [];
      const nodeCount = count ?? countBehind;
      return [nodeCount === undefined ? found : { ...found, nodeCount: Number(nodeCount) }];
    });
}
