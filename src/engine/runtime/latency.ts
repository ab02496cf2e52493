/**
 * How long things take in virtual time. Real clusters vary; these are typical of an idle one, and only their order matters:
 * a write takes longer than its watch event, and a user's next document comes after a few controller writes. The exact
 * values were fitted to recordings of real clusters, so that races between components end as they do in most of them.
 */
import type { WriteEffect } from "./effects.ts";

export const latency = {
  readMs: 2,
  /** From a component's request to its answer. A create and a patch take effect half-way. */
  updateMs: 4,
  /**
   * From the moment an update takes effect to its answer. Not longer than to the informers' handlers, so that a component which
   * writes an object twice in a row is ahead of everything that reacts to the first write, including its own other workers.
   */
  updateAnswerMs: 1,
  /** A create passes through all of admission, including quotas. */
  createMs: 8,
  /** The API server reads, merges and writes. */
  patchMs: 8,
  /** The first write of a component, if it is a patch: nothing is warm yet. */
  firstPatchMs: 20,
  /** From a committed write to the informers' handlers. */
  watchMs: 1,
  /**
   * Round trip of a CSI call that the driver answers at once: longer than the gap between a user's documents, as with real
   * storage.
   */
  callMs: 20,
  /** From a probe to its answer. */
  probeMs: 10,
  /** Between two requests of a user. */
  requestMs: 20,
  /** Between the documents of one apply: the first few, and the others, when the client is warm. */
  applyMs: 12,
  warmApplyMs: 6,
  /** From a new pod to its sandbox, and from that to its first container. Longer than the gap between a user's documents. */
  sandboxMs: 50,
  imageMs: 50,
  /** From a component's crash to its next start. */
  restartMs: 1000,
} as const;

/** How long a component waits for the answer to a write. */
export function writeMs(type: WriteEffect["type"], isFirst: boolean): number {
  switch (type) {
    case "create":
      return latency.createMs;
    case "patch":
      return isFirst ? latency.firstPatchMs : latency.patchMs;
    default:
      return latency.updateMs;
  }
}

const warmFromIndex = 4;

/** How long after the document with this index of an apply the next one comes. */
export function gapMs(index: number): number {
  return index < warmFromIndex ? latency.applyMs : latency.warmApplyMs;
}
