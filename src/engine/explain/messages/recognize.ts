/** Which component wrote a message, by which rule, and what is behind it. Boundary of the engine. */

import { push } from "../../multi-map.ts";
import { apiMessages } from "./api-messages.ts";
import { binderMessages } from "./binder-messages.ts";
import { answerMessages } from "./driver-answers.ts";
import { type MessagePattern, type MessageValues, matchMessage } from "./message-pattern.ts";
import { attachMessages, mountMessages } from "./node-messages.ts";
import { anyProvisionerFailure, provisionerMessages } from "./provisioner-messages.ts";
import { resizerMessages } from "./resizer-messages.ts";
import { schedulerMessages } from "./scheduler-messages.ts";
import { snapshotMessages } from "./snapshot-messages.ts";
import { workloadMessages } from "./workload-messages.ts";

/** In the order in which they are tried: the special before the general. */
export const messagePatterns: readonly MessagePattern[] = [
  ...binderMessages,
  ...schedulerMessages,
  ...attachMessages,
  ...mountMessages,
  ...answerMessages,
  ...provisionerMessages,
  anyProvisionerFailure,
  ...resizerMessages,
  ...snapshotMessages,
  ...workloadMessages,
  ...apiMessages,
];

export interface Recognition {
  readonly pattern: MessagePattern;
  readonly values: MessageValues;
  /** Of how many nodes the scheduler says it. */
  readonly nodeCount?: number;
  /** What the message says inside of it: the driver's answer, the reason of each filter. */
  readonly inner: readonly Recognition[];
}

/** What is said in the end: the driver's answer, each node's reason; nothing of a message that is not known. */
export function leavesOf(found: Recognition | undefined): readonly Recognition[] {
  if (found === undefined) return [];
  return found.inner.length === 0 ? [found] : found.inner.flatMap(leavesOf);
}

const depthMax = 6;
/** Events are cut at 1024 letters; conditions and answers of the API server are longer. */
const lengthMax = 8192;

/** Undefined for a message that no component of the engine writes. The event's reason, where known, decides between equals. */
export function recognize(message: string, reason?: string): Recognition | undefined {
  return recognizeAt(message.slice(0, lengthMax).replace(/\s+/g, " ").trim(), reason, 0);
}

/**
 * A part of a message, as people shorten them: the pattern with the longest piece of fixed text that stands in it. Its
 * values are unknown.
 */
export function recognizeFragment(text: string): Recognition | undefined {
  const message = text.slice(0, lengthMax).replace(/\s+/g, " ");
  let best: { readonly pattern: MessagePattern; readonly length: number } | undefined;
  for (const pattern of messagePatterns) {
    for (const piece of fixedPieces(pattern)) {
      if (piece.length > (best?.length ?? 0) && message.includes(piece))
        best = { pattern, length: piece.length };
    }
  }
  return best === undefined ? undefined : { pattern: best.pattern, values: {}, inner: [] };
}

/** Shorter text stands in many messages. */
const pieceLengthMin = 15;

const pieces = new WeakMap<MessagePattern, readonly string[]>();

function fixedPieces(pattern: MessagePattern): readonly string[] {
  const known = pieces.get(pattern);
  if (known !== undefined) return known;
  const found = pattern.texts
    .flatMap((text) => text.split(/\{\w+\}|(?<=\.) /))
    // `Cannot bind to requested volume "…": requested PV is too small` is told by its end.
    .map((piece) => piece.replace(/^[":\s]+|[":\s]+$/g, ""))
    .filter((piece) => piece.length >= pieceLengthMin && piece.includes(" "));
  pieces.set(pattern, found);
  return found;
}

function recognizeAt(
  message: string,
  reason: string | undefined,
  depth: number,
): Recognition | undefined {
  if (depth > depthMax || message === "") return undefined;
  return (
    firstMatch(byReason.get(reason ?? "") ?? [], message, depth) ??
    firstMatch(ofThemselves, message, depth)
  );
}

const byReason = new Map<string, MessagePattern[]>();
for (const pattern of messagePatterns) {
  for (const reason of pattern.reasons ?? []) {
    push(byReason, reason, pattern);
  }
}

/** A pattern that takes any text tells something only together with the event's reason. */
const ofThemselves = messagePatterns.filter(({ texts }) => !texts.includes("{detail}"));

function firstMatch(
  patterns: readonly MessagePattern[],
  message: string,
  depth: number,
): Recognition | undefined {
  for (const pattern of patterns) {
    const values = matchMessage(pattern, message);
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
  const inner = recognizeAt(detail, undefined, depth + 1);
  return inner === undefined ? [] : [inner];
}

/** `1 Insufficient cpu, 2 node(s) were unschedulable. preemption: …`, or one reason that holds for all nodes. */
function nodeReasons(detail: string, depth: number): readonly Recognition[] {
  const [reasons = ""] = detail.split(/\. (?:no new claims|preemption:|not found)|\.$/);
  return reasons.split(/, (?=\d+ )/).flatMap((part): readonly Recognition[] => {
    const counted = /^(\d+) (.*)$/s.exec(part);
    const found = recognizeAt(counted?.[2] ?? part, undefined, depth + 1);
    if (found === undefined) return [];
    return [counted === null ? found : { ...found, nodeCount: Number(counted[1]) }];
  });
}
