/**
 * How long things take in virtual time. Real clusters vary; these are typical of an idle one, and only their order matters:
 * a write takes longer than its watch event, a user's next document comes after a few controller writes. What is written
 * here to the millisecond was fitted to recordings of real clusters, and races between components come out as in most of them.
 */
import type { WriteEffect } from "./effects.ts";

export const latency = {
  readMs: 2,
  /** From a component's request to its answer. A create and a patch take effect half-way. */
  updateMs: 4,
  /**
   * From an update that has taken effect to its answer: no longer than to the informers' handlers, so that whoever writes an
   * object twice in a row is ahead of those who hear of the first write, another worker of the same controller not least.
   */
  updateAnswerMs: 1,
  /** All of admission looks at a new object, quotas too. */
  createMs: 8,
  /** The API server reads, merges and writes. */
  patchMs: 8,
  /** Where a patch is the first thing that a component writes, nothing is warm. */
  firstPatchMs: 20,
  /** From a committed write to the informers' handlers. */
  watchMs: 1,
  /** Round trip of a CSI call that the driver answers at once: longer than a user's next document, as with any real storage. */
  callMs: 20,
  /** Until a container's program has answered a probe. */
  probeMs: 10,
  /** Between two requests of a user. */
  requestMs: 20,
  /** Between the documents of one apply: the first few, and those that come when the client is warm. */
  applyMs: 12,
  warmApplyMs: 6,
  /** Until a new pod's sandbox is there, and from then to its first container. Longer than until a user's next document. */
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
