/** That something did not happen in time, as any component says it. Upstream: apimachinery pkg/util/wait, context; helm pkg/kube. */
import type { MessagePattern } from "./message-pattern.ts";

/** Tried last: they end many messages that say more. */
export const timeOutMessages: readonly MessagePattern[] = [
  {
    id: "helm-waited",
    component: "helm",
    rule: "pkg/kube/wait.go, --wait",
    texts: [
      "Error: INSTALLATION FAILED: timed out waiting for the condition",
      "Error: UPGRADE FAILED: timed out waiting for the condition",
      "Error: INSTALLATION FAILED: context deadline exceeded",
      "Error: UPGRADE FAILED: context deadline exceeded",
      "Error: timed out waiting for the condition",
    ],
    outlook: "retried",
    cause:
      "helm --wait waits until every claim of the release is Bound and every pod ready. A claim whose class has WaitForFirstConsumer never is without a pod that uses it.",
    change: [
      "read the events of the release's claims and pods: the cause is there",
      "leave claims that nothing uses out of the release, or install without --wait",
    ],
  },
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
