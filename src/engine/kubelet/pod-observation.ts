/** What a kubelet knows of a pod when it makes the pod's status. */
import type { Container, Pod, PodStatus } from "../api/types.ts";
import type { PodSandbox, ReportedStatuses } from "../node/container-runtime.ts";
import type { Instant } from "../trace/instant.ts";
import type { PodProbes } from "./prober/pod-probes.ts";

/** Why a container does not start, as written in its status. */
export interface WaitingReason {
  readonly reason: string;
  readonly message: string;
}

export interface PodObservation {
  readonly pod: Pod;
  /** The pod's status, updated with what the kubelet last set itself. */
  readonly known: PodStatus;
  readonly sandbox: PodSandbox | undefined;
  readonly reported: ReportedStatuses | undefined;
  /** By name, the containers that fail to start or have to wait. */
  readonly waiting: ReadonlyMap<string, WaitingReason>;
  /** Undefined if none of its containers is probed. */
  readonly probes: PodProbes | undefined;
  /** True if all containers are stopped for good. */
  readonly isTerminal: boolean;
  /** True if all containers are about to be restarted; undefined before 1.36, where kubelets do not support this. */
  readonly isRestartingAll: boolean | undefined;
  /** True if the node's runtime supports recursive read-only mounts. */
  readonly canRecurse: boolean;
  /** The node's address. */
  readonly hostIp: string;
  readonly now: Instant;
}

export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed";

/** Stands in for a container that the spec does not have. */
export const noContainer: Container = { name: "" };
