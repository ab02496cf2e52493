/** What a node's kubelet sees of a pod, from which it makes the pod's status. */
import type { Container, Pod, PodStatus } from "../api/types.ts";
import type { PodSandbox, ReportedStatuses } from "../node/container-runtime.ts";
import type { Instant } from "../trace/instant.ts";
import type { PodProbes } from "./prober/pod-probes.ts";

/** Why a container does not start, as its status says it. */
export interface WaitingReason {
  readonly reason: string;
  readonly message: string;
}

export interface PodObservation {
  readonly pod: Pod;
  /** The pod's, with what the kubelet itself said last. */
  readonly known: PodStatus;
  readonly sandbox: PodSandbox | undefined;
  readonly reported: ReportedStatuses | undefined;
  /** By container; those that fail to start or have to wait. */
  readonly waiting: ReadonlyMap<string, WaitingReason>;
  /** Undefined where none of its containers is probed. */
  readonly probes: PodProbes | undefined;
  /** All containers are stopped for good. */
  readonly isTerminal: boolean;
  /** All containers are about to start anew; undefined where kubelets do not know this (before 1.36). */
  readonly isRestartingAll: boolean | undefined;
  /** Can the node's runtime mount read-only all the way down? */
  readonly canRecurse: boolean;
  /** The node's address. */
  readonly hostIp: string;
  readonly now: Instant;
}

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** Stands for the container of a status that the spec does not know. */
export const noContainer: Container = { name: "" };
