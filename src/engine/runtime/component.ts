/**
 * A process of the control plane or of a node: a controller, the scheduler, a sidecar, a kubelet. It keeps no state outside
 * what `start` creates, so a crash is: forget everything, start again, hear of every object anew.
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

/** What a component has of the world. It lives until the component stops or crashes. */
export interface ComponentContext {
  readonly name: string;
  readonly version: KubernetesVersion;
  readonly now: Instant;
  informer<K extends Kind>(kind: K): Informer<K>;
  queue(options: QueueOptions): WorkQueue;
  /** Runs a task beside the others, as a goroutine would. */
  go<T>(task: Task<T>, ended?: (answer: T) => void): void;
  /** As `go`, for a task that was waiting for this very moment: it runs before anybody hears of anything else. */
  goAtOnce(task: Task): void;
  after(delayMs: number, action: () => void): CancelTimer;
  /** Tells of each event about an object of that name, those that are there first, not of repetitions, until the answer is called. */
  onEvents(about: Ref, listener: (event: SeenEvent) => void): () => void;
  /** Keeps the reasons of a decision; an equal decision about the same object is kept once in a row. */
  decide(about: Ref, decision: Decision): void;
  /** The seeded chance. */
  fraction(): number;
  /** The machine of that name: what is mounted and running there survives its kubelet. */
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
