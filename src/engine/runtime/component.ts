/**
 * A process of the control plane or of a node: a controller, the scheduler, a sidecar, a kubelet. All its state is created by
 * `start`, so a crash means: forget everything, start again, hear of every object again.
 */
import type { Kind, Ref } from "../api/meta.ts";
import type { DriverHost } from "../csi/driver-host.ts";
import type { Machine } from "../node/machine.ts";
import type { KubernetesVersion } from "../scenario.ts";
import type { Decision } from "../trace/decision.ts";
import type { Instant } from "../trace/instant.ts";
import type { Task } from "./effects.ts";
import type { Informer } from "./informer.ts";
import type { QueueOptions, WorkQueue } from "./work-queue.ts";

export interface Component {
  /** `persistentvolume-binder`, `kubelet node-a`, `external-provisioner ebs.csi.aws.com`. */
  readonly name: string;
  /** What its events name as their source: `persistentvolume-controller`. */
  readonly source: string;
  start(context: ComponentContext): void;
}

/** All that a component can see and do. It is valid until the component stops or crashes. */
export interface ComponentContext {
  readonly name: string;
  readonly version: KubernetesVersion;
  readonly now: Instant;
  informer<K extends Kind>(kind: K): Informer<K>;
  queue(options: QueueOptions): WorkQueue;
  /** Runs a task beside the others, as a goroutine would. */
  go<T>(task: Task<T>, ended?: (answer: T) => void): void;
  /** Like `go`, but the task runs before anything else that is due now: for a task that was waiting for this very moment. */
  goAtOnce(task: Task): void;
  after(delayMs: number, action: () => void): CancelTimer;
  /**
   * Calls the listener for each event about objects of that name, beginning with the existing ones; repetitions are left out.
   * Call the result to stop.
   */
  onEvents(about: Ref, listener: (event: SeenEvent) => void): () => void;
  /** Records a decision and its reasons in the trace, unless the last decision about the same object was equal. */
  decide(about: Ref, decision: Decision): void;
  /** The next random number in [0, 1), from the scenario's seed. */
  fraction(): number;
  /** The machine of that name; undefined if there is none. What is mounted and running there survives its kubelet. */
  machine(node: string): Machine | undefined;
  readonly machines: readonly Machine[];
  readonly drivers: DriverHost;
  /** Ends this component; it starts again after `delayMs`, as a pod that exits does. */
  exit(delayMs: number): void;
}

export type CancelTimer = () => void;

export interface SeenEvent {
  readonly eventType: "Normal" | "Warning";
  readonly message: string;
}
