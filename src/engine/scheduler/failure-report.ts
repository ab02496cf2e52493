/**
 * Reports a pod that could not be scheduled: event, condition, nomination.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/schedule_one.go handleSchedulingFailure, updatePod.
 */
import { withFields } from "../api/json.ts";
import { timestamp } from "../api/timestamp.ts";
import type { Pod } from "../api/types.ts";
import { hasCondition, withCondition } from "../matching/pod-condition.ts";
import type { ComponentContext } from "../runtime/component.ts";
import { eventInSeries, patch, type Task } from "../runtime/effects.ts";
import type { Informer } from "../runtime/informer.ts";
import { tellsFailuresOfNewestPod } from "../version-differences.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import { truncatedNote } from "./framework/fit-error.ts";

export interface Failure {
  readonly reason: "Unschedulable" | "SchedulerError";
  readonly message: string;
  /** The node that the pod is nominated for, "" for none; if absent, the nomination stays as it is. */
  readonly nomination?: string;
}

export class FailureReport {
  readonly #context: ComponentContext;
  readonly #pods: Informer<"Pod">;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#pods = context.informer("Pod");
  }

  /** Blocks the scheduler until the API server has answered: the gate SchedulerAsyncAPICalls is off. */
  *fail(tried: PodInfo, { reason, message, nomination }: Failure): Task {
    const pod = this.#asKnown(tried);
    yield* this.event(pod, truncatedNote(message));
    yield* this.#writeStatus(pod, { reason, message }, nomination);
  }

  *event({ ref, pod: { metadata } }: PodInfo, message: string): Task {
    yield* eventInSeries({ ref, metadata }, "Warning", "FailedScheduling", message);
  }

  /** Writes the node that the pod is nominated for, "" for none. */
  *nominate(pod: PodInfo, node: string): Task {
    yield* this.#writeStatus(pod, undefined, node);
  }

  /**
   * The version of the pod to compare with: the one that the attempt began with, or from 1.36 on the newest. So from 1.36 on a
   * failed binding clears the nomination that its own attempt wrote; earlier versions clear it when the next attempt fails too.
   */
  #asKnown(tried: PodInfo): PodInfo {
    const known = this.#pods.get(tried.key);
    const isSame = known?.metadata.uid === tried.uid;
    return isSame && tellsFailuresOfNewestPod(this.#context.version)
      ? { ...tried, pod: known }
      : tried;
  }

  /** Writes condition and nomination unless the pod has them already. */
  *#writeStatus(
    { key, uid, pod: told }: PodInfo,
    failure: Pick<Failure, "reason" | "message"> | undefined,
    nomination: string | undefined,
  ): Task {
    const { metadata } = told;
    if (this.#pods.get(key)?.metadata.uid !== uid) return;
    const condition = failure && { type: "PodScheduled", status: "False", ...failure };
    const conditionIsKnown = condition === undefined || hasCondition(told, condition);
    const nominationIsKnown =
      nomination === undefined || (told.status?.nominatedNodeName ?? "") === nomination;
    if (conditionIsKnown && nominationIsKnown) return;
    const now = timestamp(this.#context.now);
    const change = (pod: Pod): Pod => {
      if (pod.metadata.uid !== uid) return pod;
      const next = condition === undefined ? pod : withCondition(pod, condition, now);
      return nominationIsKnown ? next : withNomination(next, nomination);
    };
    yield* patch("Pod", metadata.namespace, metadata.name, change, "status");
  }
}

function withNomination(pod: Pod, node: string): Pod {
  const { nominatedNodeName: _, ...status } = pod.status ?? {};
  return {
    ...pod,
    status: node === "" ? status : withFields(status, { nominatedNodeName: node }),
  };
}
