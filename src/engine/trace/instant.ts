/** When something happens in a run. */

/** Virtual milliseconds since the start of the run. */
export type Instant = number;
