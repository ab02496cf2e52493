/**
 * One round of a StatefulSet: create, correct, scale down, update, in this order and as far as ordering allows. Upstream:
 * pkg/controller/statefulset/stateful_set_control.go updateStatefulSet, processReplica, processCondemned v1.36.
 */
import { makeRef, refOf } from "../../api/meta.ts";
import type { StatefulSetStatus } from "../../api/types.ts";
import { isInOrdinalRange, replicasOf, startOrdinal } from "../../matching/ordinals.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Task } from "../../runtime/effects.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { Decision } from "../../trace/decision.ts";
import type { Instant } from "../../trace/instant.ts";
import { rolloutsWaitForAvailability } from "../../version-differences.ts";
import { isTerminating } from "../workload/pod-status.ts";
import {
  identityMatches,
  ordinalOf,
  type Pod,
  podNameOf,
  type StatefulSet,
  storageMatches,
} from "./identity.ts";
import type { StatefulPodControl } from "./pod-control.ts";
import { applyRevision, type Revisions } from "./revisions.ts";
import { podToReplace, type Replicas } from "./rolling-update.ts";
import {
  isRunningAndAvailable,
  isRunningAndReady,
  isUnavailable,
  isUnhealthy,
  statefulSetStatus,
  withFewerCurrent,
} from "./status.ts";

export interface Round {
  readonly status: StatefulSetStatus;
  /** Why the round ended early; it is retried. */
  readonly failure?: string;
  /** Why there is nothing to do for now. */
  readonly waits?: Decision;
}

/** How one step of a round ended: go on, stop here for now, or failed. */
type StepEnd = "next" | "stop" | { readonly failure: string };

export class RoundOfSet {
  readonly #set: StatefulSet;
  readonly #updateSet: StatefulSet;
  readonly #currentSet: StatefulSet;
  readonly #revisions: Revisions;
  readonly #control: StatefulPodControl;
  readonly #now: Instant;
  readonly #version: KubernetesVersion;
  readonly #isMonotonic: boolean;
  readonly #replicas: Replicas;
  /** Pods beyond the replicas, highest ordinal first. */
  readonly #condemned: readonly Pod[];
  readonly #pods: readonly Pod[];
  #waits: Decision | undefined;

  constructor(
    set: StatefulSet,
    pods: readonly Pod[],
    revisions: Revisions,
    control: StatefulPodControl,
    { now, version }: Pick<ComponentContext, "now" | "version">,
  ) {
    this.#set = set;
    this.#pods = pods;
    this.#revisions = revisions;
    this.#control = control;
    this.#now = now;
    this.#version = version;
    this.#currentSet = applyRevision(set, revisions.current);
    this.#updateSet = applyRevision(set, revisions.update);
    this.#isMonotonic = set.spec?.podManagementPolicy !== "Parallel";
    const existing = new Map<number, Pod>();
    const condemned: Pod[] = [];
    for (const pod of pods) {
      if (isInOrdinalRange(set, pod.metadata.name))
        existing.set(ordinalOf(pod) - startOrdinal(set), pod);
      else if (ordinalOf(pod) >= 0) condemned.push(pod);
    }
    this.#replicas = { count: replicasOf(set), existing };
    this.#condemned = condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a));
  }

  *run(): Task<Round> {
    const round = yield* this.#run();
    return this.#waits === undefined ? round : { ...round, waits: this.#waits };
  }

  *#run(): Task<Round> {
    const status = statefulSetStatus(this.#set, this.#pods, this.#revisions, this.#now);
    // A set that is being deleted creates and deletes nothing; the garbage collector removes its pods.
    if (this.#set.metadata.deletionTimestamp !== undefined) return { status };
    const unhealthy = this.#firstUnhealthy();
    const end =
      (yield* this.#forAll(this.#replicas.count, (i) => this.#processReplica(i))) ??
      (yield* this.#forAll(this.#condemned.length, (i) => this.#correctClaims(i))) ??
      (yield* this.#forAll(this.#condemned.length, (i) => this.#processCondemned(i, unhealthy)));
    if (end !== undefined) return end === "stop" ? { status } : { status, failure: end.failure };
    if (this.#set.spec?.updateStrategy?.type === "OnDelete") return { status };
    return yield* this.#replace(status);
  }

  /**
   * Returns undefined if all steps were done. An OrderedReady set stops at the first step that does not end with "next"; a
   * Parallel one works in growing batches.
   */
  *#forAll(
    count: number,
    step: (index: number) => Task<StepEnd>,
  ): Task<Exclude<StepEnd, "next"> | undefined> {
    if (this.#isMonotonic) {
      for (let i = 0; i < count; i++) {
        const end = yield* step(i);
        if (end !== "next") return end;
      }
      return undefined;
    }
    let next = 0;
    for (
      let batch = Math.min(count, 1);
      batch > 0;
      batch = Math.min(2 * batch, count - next, 500)
    ) {
      let failure: StepEnd = "next";
      for (const last = next + batch; next < last; next++) {
        const end = yield* step(next);
        if (typeof end === "object") failure = end;
      }
      if (typeof failure === "object") return failure;
    }
    return undefined;
  }

  /**
   * Returns the set's first unhealthy pod if it is condemned; undefined if it is not, or if all are healthy. Before 1.34 a
   * ready pod counted as healthy here even if it was not yet available (Δ57).
   */
  #firstUnhealthy(): Pod | undefined {
    const isBad = rolloutsWaitForAvailability(this.#version)
      ? (pod: Pod): boolean => isUnavailable(this.#set, pod, this.#now)
      : isUnhealthy;
    const { count, existing } = this.#replicas;
    if (existing.size < count || [...existing.values()].some(isBad)) return undefined;
    return this.#condemned.findLast(isBad);
  }

  *#processReplica(index: number): Task<StepEnd> {
    const pod = this.#replicas.existing.get(index);
    if (pod === undefined) return yield* this.#create(startOrdinal(this.#set) + index);
    if (isPodEnded(pod)) {
      // It is created again once it is gone.
      const failure = isTerminating(pod)
        ? undefined
        : yield* this.#control.deletePod(this.#set, pod);
      return failure === undefined ? "stop" : { failure };
    }
    if (pod.status?.phase === "Pending") {
      const failure = yield* this.#control.createMissingClaims(this.#set, pod);
      if (failure !== undefined) return { failure };
    }
    const isSettled =
      !isTerminating(pod) &&
      isRunningAndReady(pod) &&
      isRunningAndAvailable(this.#set, pod, this.#now);
    if (this.#isMonotonic && !isSettled) return this.#waitFor(pod);
    const isInLine =
      identityMatches(this.#set, pod) &&
      storageMatches(this.#set, pod) &&
      this.#control.claimsMatchPolicy(this.#updateSet, pod.metadata);
    if (isInLine) return "next";
    const failure = yield* this.#control.updatePod(this.#updateSet, pod);
    return failure === undefined ? "next" : { failure };
  }

  /** Stops an OrderedReady set at this pod and records why. */
  #waitFor(pod: Pod): StepEnd {
    const { name } = pod.metadata;
    const ready = isRunningAndReady(pod)
      ? "has been ready for less than minReadySeconds"
      : "is not Running and Ready";
    const state = isTerminating(pod) ? "is still terminating" : ready;
    const text = `pod "${name}" ${state}; an OrderedReady set creates and deletes its pods one at a time`;
    this.#waits = { reason: "WaitsForPod", because: [refOf(pod)], text };
    return "stop";
  }

  *#create(ordinal: number): Task<StepEnd> {
    const name = podNameOf(this.#set, ordinal);
    if (this.#control.hasStaleClaim(this.#set, name)) {
      this.#waits = this.#waitForClaimDeletion(name);
      return "stop";
    }
    const isCurrent = this.#needsCurrentRevision(ordinal);
    const { current, update } = this.#revisions;
    const template = isCurrent ? this.#currentSet : this.#updateSet;
    const revision = (isCurrent ? current : update).metadata.name;
    const failure = yield* this.#control.createPod(this.#set, template, ordinal, revision);
    if (failure !== undefined) {
      this.#noteNamesake(name);
      return { failure };
    }
    return this.#isMonotonic ? "stop" : "next";
  }

  /**
   * Returns the decision to record; it is due only if the controller checks the set again by itself. Upstream: end of
   * syncStatefulSet.
   */
  #waitForClaimDeletion(podName: string): Decision {
    const about = `a claim of the former pod "${podName}" has not been deleted yet`;
    const { metadata, spec } = this.#set;
    const because = [makeRef("Pod", metadata.namespace, podName)];
    const delayMs = (spec?.minReadySeconds ?? 0) * 1000;
    if (delayMs > 0) {
      const text = `${about}; the controller checks again after minReadySeconds`;
      return { reason: "WaitsForClaimDeletion", because, text, due: this.#now + delayMs };
    }
    const text = `${about}, and the deletion of a claim does not trigger the controller`;
    return { reason: "WaitsForClaimDeletion", because, text };
  }

  /** Records that a pod's name is taken, because no event reports it. Upstream: CreateStatefulPod sinks AlreadyExists. */
  #noteNamesake(name: string): void {
    const { namespace } = this.#set.metadata;
    const namesake = this.#control.podNamed(namespace, name);
    if (namesake === undefined || this.#pods.some(({ metadata }) => metadata.name === name)) return;
    const text = `pod "${name}" exists but does not belong to the set, and no event reports this`;
    this.#waits = { reason: "NameTaken", because: [refOf(namesake)], text };
  }

  /** Below the partition, a lost pod is recreated from the current revision. Upstream: newVersionedStatefulSetPod. */
  #needsCurrentRevision(ordinal: number): boolean {
    const { type = "RollingUpdate", rollingUpdate } = this.#set.spec?.updateStrategy ?? {};
    if (type !== "RollingUpdate") return false;
    const kept =
      rollingUpdate === undefined
        ? (this.#set.status?.currentReplicas ?? 0)
        : (rollingUpdate.partition ?? 0);
    return ordinal < startOrdinal(this.#set) + kept;
  }

  *#correctClaims(index: number): Task<StepEnd> {
    const pod = this.#condemned[index];
    if (pod === undefined || this.#control.claimsMatchPolicy(this.#updateSet, pod.metadata))
      return "next";
    const failure = yield* this.#control.updateClaimOwners(this.#updateSet, pod.metadata);
    return failure === undefined ? "next" : { failure };
  }

  *#processCondemned(index: number, unhealthy: Pod | undefined): Task<StepEnd> {
    const pod = this.#condemned[index];
    if (pod === undefined) return "next";
    if (isTerminating(pod)) return this.#isMonotonic ? this.#waitFor(pod) : "next";
    const isSettled = isRunningAndReady(pod) && isRunningAndAvailable(this.#set, pod, this.#now);
    // An OrderedReady set deletes an unhealthy pod only if it is the first unhealthy one.
    if (this.#isMonotonic && !isSettled && pod !== unhealthy) return this.#waitFor(pod);
    const failure = yield* this.#control.deletePod(this.#set, pod);
    return failure === undefined ? "stop" : { failure };
  }

  *#replace(status: StatefulSetStatus): Task<Round> {
    const pod = podToReplace({
      set: this.#set,
      replicas: this.#replicas,
      updateRevision: this.#revisions.update.metadata.name,
      now: this.#now,
      version: this.#version,
    });
    if (pod === undefined) return { status };
    const failure = yield* this.#control.deletePod(this.#set, pod);
    return failure === undefined ? { status: withFewerCurrent(status) } : { status, failure };
  }
}
