/** What has been found out about a message. */
import type { MessagePattern, MessageValues } from "./message-pattern.ts";

export interface Recognition {
  readonly pattern: MessagePattern;
  readonly values: MessageValues;
  /** Of how many nodes the scheduler says it. */
  readonly nodeCount?: number;
  /** What the message says inside of it: the driver's answer, the reason of each filter. */
  readonly inner: readonly Recognition[];
}

/** Without what is as it should be, where something else is told that can be changed. */
export function worthChanging(found: readonly Recognition[]): readonly Recognition[] {
  const unusual = found.filter(({ pattern }) => pattern.isUsual !== true);
  return unusual.some(({ pattern }) => pattern.change.length > 0) ? unusual : found;
}
