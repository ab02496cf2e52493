/** Timeouts, as any component words them. Upstream: apimachinery pkg/util/wait, context. */
import type { MessagePattern } from "./message-pattern.ts";

/** Tried late, as many messages that say more end with them. */
export const timeOutMessages: readonly MessagePattern[] = [
  {
    id: "timed-out",
    component: "waiting component",
    rule: "apimachinery wait.ErrWaitTimeout, context.DeadlineExceeded",
    texts: [
      "timed out waiting for the condition",
      "failed to sync {kind} cache: timed out waiting for the condition",
      "{lists}: context deadline exceeded",
      "context deadline exceeded",
    ],
    outlook: "retried",
    cause: "What was waited for did not happen in time.",
    change: [],
  },
];
