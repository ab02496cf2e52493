/** That something did not happen in time, as any component says it. Upstream: apimachinery pkg/util/wait, context. */
import type { MessagePattern } from "./message-pattern.ts";

/** Tried last: they end many messages that say more. */
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
