/**
 * How long things take in virtual time. Real clusters vary; these are typical of an idle one and only their order matters:
 * a write takes longer than its watch event, a user's next document comes after a few controller writes.
 */
export const latency = {
  /** From a component's request to its answer. The write itself takes effect half-way. */
  writeMs: 4,
  readMs: 2,
  /** From a committed write to the informers' handlers. */
  watchMs: 1,
  /** Round trip of a CSI call that the driver answers at once: longer than a user's next document, as with any real storage. */
  callMs: 20,
  /** Between two documents of one apply. */
  applyMs: 12,
  /** From a component's crash to its next start. */
  restartMs: 1000,
} as const;
