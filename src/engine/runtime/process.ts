/**
 * The timers that the event loop runs for the runtime: tasks of components, their delayed actions, and the watch events of
 * writes.
 */
import type { Ref } from "../api/meta.ts";
import type { Slot } from "../store/object-store.ts";
import type { Decision } from "../trace/decision.ts";
import type { WriteEntry } from "../trace/entry.ts";
import type { Component } from "./component.ts";
import type { Effect, Task, WriteEffect } from "./effects.ts";
import { Timer } from "./event-loop.ts";
import type { EventRecorder } from "./event-recorder.ts";
import type { Life } from "./life.ts";
import type { Waiter } from "./work-queue.ts";

/** A running component. A restart after a crash begins a new life. */
export interface Running {
  readonly component: Component;
  life: Life;
  writes: number;
  /** Remembers the recorded events; a new life starts counting and combining afresh. */
  recorder: EventRecorder;
  /** Its last decision about each object. */
  readonly decisions: Map<Ref, Decision>;
  /** What the runtime does when one of its tasks wakes, or a delayed action is due. */
  readonly woken: (process: Process) => void;
  readonly due: (delayed: DelayedAction) => void;
}

/** A request to the API server, which takes effect between request and answer. */
export type ServerEffect = WriteEffect | Extract<Effect, { type: "get" | "list" }>;

/** A running task. It waits for one thing at a time, so it can be its own timer. */
export class Process extends Timer {
  readonly running: Running;
  readonly life: Life;
  readonly cause: number | undefined;
  readonly task: Task<unknown>;
  readonly waiter: Waiter<unknown> | undefined;
  /** What to perform when it wakes; undefined if it only resumes with `answer`. */
  effect: ServerEffect | undefined = undefined;
  answer: unknown = undefined;
  answerMs = 0;

  constructor(
    running: Running,
    life: Life,
    cause: number | undefined,
    task: Task<unknown>,
    waiter: Waiter<unknown> | undefined,
  ) {
    super();
    this.running = running;
    this.life = life;
    this.cause = cause;
    this.task = task;
    this.waiter = waiter;
  }

  run(): void {
    this.running.woken(this);
  }
}

/** An action that a component takes later, unless it is cancelled or the component's life has ended. */
export class DelayedAction extends Timer {
  readonly running: Running;
  readonly life: Life;
  readonly cause: number | undefined;
  readonly action: () => void;

  constructor(running: Running, life: Life, cause: number | undefined, action: () => void) {
    super();
    this.running = running;
    this.life = life;
    this.cause = cause;
    this.action = action;
  }

  run(): void {
    this.running.due(this);
  }
}

/** A committed write on its way to the informers. */
export class WatchEvent extends Timer {
  readonly slot: Slot;
  readonly entry: WriteEntry;
  readonly #arrived: (event: WatchEvent) => void;

  constructor(slot: Slot, entry: WriteEntry, arrived: (event: WatchEvent) => void) {
    super();
    this.slot = slot;
    this.entry = entry;
    this.#arrived = arrived;
  }

  run(): void {
    this.#arrived(this);
  }
}
