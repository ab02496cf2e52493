/**
 * The sentence that says why a pod fits no node. Upstream: kube-scheduler v1.36 pkg/scheduler/framework/types.go
 * FitError.Error, schedule_one.go truncateMessage.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { NodeRejections } from "./node-rejections.ts";
import type { Rejection } from "./plugin.ts";

export const noNodesAvailable = "no nodes available to schedule pods";

export type StandsFor = (node: string) => number;

/** What kept a pod off the nodes. */
export interface Diagnosis {
  /** How many machines a node stands for; one each if absent. */
  readonly standsFor?: StandsFor | undefined;
  readonly nodeCount: number;
  /** One rejection for all nodes, made before any was filtered. */
  readonly preFilter?: Rejection;
  readonly byNode: NodeRejections;
  /** The rejection of the nodes that are not among those that a plugin named. */
  readonly absent?: Rejection;
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.`, then the message of preemption. */
export function fitErrorMessage(diagnosis: Diagnosis, postFilterMessage: string): string {
  const start = `0/${diagnosis.nodeCount} nodes are available:`;
  const middle =
    diagnosis.preFilter !== undefined
      ? ` ${diagnosis.preFilter.reasons.join(", ")}.`
      : histogram(countReasons(diagnosis));
  return `${start}${middle}${postFilterMessage === "" ? "" : ` ${postFilterMessage}`}`;
}

function countReasons({
  byNode,
  absent,
  nodeCount,
  standsFor,
}: Diagnosis): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (reasons: readonly string[], count: number): void => {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + count);
  };
  let counted = 0;
  for (const [rejection, count] of byNode.counts(standsFor)) {
    add(rejection.reasons, count);
    counted += count;
  }
  if (absent !== undefined && counted < nodeCount) add(absent.reasons, nodeCount - counted);
  return counts;
}

/** Sorted as text, so that "10 …" comes before "2 …". */
function histogram(counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return "";
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return ` ${parts.sort(compareText).join(", ")}.`;
}

const noteLengthMax = 1024;
const cutMark = " ...";

/** Cuts the message to the length that the note of an event may have. */
export function truncatedNote(message: string): string {
  if (message.length <= noteLengthMax) return message;
  return message.slice(0, noteLengthMax - cutMark.length) + cutMark;
}
