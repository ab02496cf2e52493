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
