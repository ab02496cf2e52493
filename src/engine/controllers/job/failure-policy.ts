/**
 * What a failed pod means for its Job. Upstream: pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy and
 * job_controller.go getFailJobMessage v1.36. The first rule that matches decides; without one the failure counts.
 */
import type { ContainerStatus, PodFailurePolicyRule } from "../../api/types.ts";
import { hasFailed, type Job, type Pod } from "./job-pods.ts";

interface Judgement {
  readonly isCounted: boolean;
  /** True if the pod's index is not tried again. */
  readonly failsIndex: boolean;
  /** Why the whole Job fails for this pod. */
  readonly failsJob?: string;
}

const counted: Judgement = { isCounted: true, failsIndex: false };

export function judge(job: Job, pod: Pod): Judgement {
  for (const [index, rule] of (job.spec?.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (match === undefined) continue;
    if (rule.action === "Ignore") return { isCounted: false, failsIndex: false };
    if (rule.action === "FailIndex") return { isCounted: true, failsIndex: true };
    if (rule.action !== "FailJob") return counted;
    return { ...counted, failsJob: `${match} matching FailJob rule at index ${index}` };
  }
  return counted;
}

/** The message of the first failed pod for which the Job is to fail. */
export function failJobMessage(job: Job, pods: readonly Pod[]): string | undefined {
  if (job.spec?.podFailurePolicy === undefined) return undefined;
  for (const pod of pods) {
    const message = hasFailed(job, pod) ? judge(job, pod).failsJob : undefined;
    if (message !== undefined) return message;
  }
  return undefined;
}

function matchOf(rule: PodFailurePolicyRule, pod: Pod): string | undefined {
  const name = `${pod.metadata.namespace ?? ""}/${pod.metadata.name}`;
  if (rule.onExitCodes !== undefined) {
    const container = matchingContainer(rule.onExitCodes, pod);
    const code = container?.state?.terminated?.exitCode;
    return container === undefined
      ? undefined
      : `Container ${container.name} for pod ${name} failed with exit code ${code}`;
  }
  // If several match, the pod's first condition is named.
  const condition = pod.status?.conditions?.find((c) =>
    rule.onPodConditions?.some(
      ({ type, status = "True" }) => c.type === type && c.status === status,
    ),
  );
  return condition === undefined ? undefined : `Pod ${name} has condition ${condition.type}`;
}

function matchingContainer(
  { containerName, operator, values }: NonNullable<PodFailurePolicyRule["onExitCodes"]>,
  pod: Pod,
): ContainerStatus | undefined {
  const statuses = [
    ...(pod.status?.containerStatuses ?? []),
    ...(pod.status?.initContainerStatuses ?? []),
  ];
  return statuses.find(({ name, state }) => {
    const code = state?.terminated?.exitCode ?? 0;
    if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
    return operator === "In" ? values.includes(code) : !values.includes(code);
  });
}
