/** The result of recognizing a message. */
import type { MessagePattern, MessageValues } from "./message-pattern.ts";

export interface Recognition {
  readonly pattern: MessagePattern;
  readonly values: MessageValues;
  /** How many nodes the scheduler says it about. */
  readonly nodeCount?: number;
  /** The messages inside the message: the driver's answer, the reason of each filter. */
  readonly inner: readonly Recognition[];
}

/** Leaves out what is usual, if anything else can be changed. */
export function worthChanging(found: readonly Recognition[]): readonly Recognition[] {
  const unusual = found.filter(({ pattern }) => pattern.isUsual !== true);
  return unusual.some(({ pattern }) => pattern.change.length > 0) ? unusual : found;
}
