/**
 * Runs the components: performs their effects in virtual time, delivers watch events, keeps the trace. Crashes, lost races and
 * slow calls are inserted between two effects here, and nowhere else.
 */
import { deepEqual } from "../api/json.ts";
import { conflict, type Kind, notFound, type Ref, type Result } from "../api/meta.ts";
import { driverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import { DriverHost } from "../csi/driver-host.ts";
import { Machine } from "../node/machine.ts";
import type { Scenario } from "../scenario.ts";
import { ApiServer, type Change } from "../store/api-server.ts";
import type { Decision } from "../trace/decision.ts";
import type { DecisionEntry, WriteEntry } from "../trace/entry.ts";
import type { Instant } from "../trace/instant.ts";
import { Trace } from "../trace/trace.ts";
import type { CancelTimer, Component, ComponentContext } from "./component.ts";
import { DriverCalls } from "./driver-calls.ts";
import type { Effect, EventEffect, Task, WriteEffect } from "./effects.ts";
import { EventBroadcaster } from "./event-broadcaster.ts";
import { EventLoop } from "./event-loop.ts";
import { EventRecorder } from "./event-recorder.ts";
import { type Informer, KindCache } from "./informer.ts";
import { LateWatches } from "./late-watches.ts";
import { latency, writeMs } from "./latency.ts";
import { type Life, newLife } from "./life.ts";
import { DelayedAction, Process, type Running, type ServerEffect, WatchEvent } from "./process.ts";
import { Random } from "./random.ts";
import { refOfTarget, targetOf, write } from "./server-write.ts";
import { RateLimitedQueue, type Waiter } from "./work-queue.ts";

/** The component crashes after its write, or loses the race for it. */
export type WriteFault = "crash" | "conflict";

export class Runtime {
  readonly loop: EventLoop = new EventLoop();
  readonly trace: Trace;
  readonly random: Random;
  readonly api: ApiServer;
  readonly drivers: DriverHost;
  readonly machines: ReadonlyMap<string, Machine>;
  /** When an object last changed; heartbeats do not count. */
  lastChangeAt: Instant = 0;
  /** Called for each write that a component asks for, with its number. Tests return a fault to inject there. */
  onWrite:
    | ((component: string, write: number, effect: WriteEffect) => WriteFault | undefined)
    | undefined;
  /** Undefined unless the scenario asks for this fault. */
  readonly lateWatches: LateWatches | undefined;
  readonly #scenario: Scenario;
  readonly #calls: DriverCalls;
  readonly #caches = new Map<Kind, KindCache<Kind>>();
  readonly #components = new Map<string, Running>();
  readonly #events: EventBroadcaster;
  #actor = "user";
  #cause: number | undefined;
  readonly #arrived = (event: WatchEvent): void => this.#deliver(event);

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const knowledge = driverKnowledge(scenario.cluster.describedDrivers ?? []);
    this.trace = new Trace(knowledge, scenario.version);
    this.random = new Random(scenario.seed);
    this.machines = new Map(
      scenario.cluster.nodes.map((node, index) => [node.name, new Machine(node, index)]),
    );
    this.drivers = new DriverHost(scenario.cluster.drivers, scenario.cluster.nodes);
    this.#calls = new DriverCalls(this.loop, this.trace, this.drivers);
    this.api = new ApiServer(
      scenario.version,
      this.random,
      () => this.loop.now,
      (change) => this.#committed(change),
      scenario.cluster.disabledAdmissionPlugins,
    );
    this.#events = new EventBroadcaster(this.loop, this.trace, this.api.store);
    const late = scenario.lateWatches;
    this.lateWatches =
      late &&
      new LateWatches(scenario.seed, late.delayMsMax, this.loop, this.api.store, (entry, deliver) =>
        this.as("watch", entry.seq, deliver),
      );
  }

  /** Adds a component and starts it at once. */
  start(component: Component): void {
    const running: Running = {
      component,
      life: newLife(),
      writes: 0,
      recorder: new EventRecorder(this.loop.now),
      decisions: new Map(),
      woken: (process) => this.#wake(process),
      due: (delayed) => this.#act(delayed),
    };
    this.#components.set(component.name, running);
    this.#begin(running);
  }

  /** Ends a component; whatever it was doing is dropped. */
  stop(name: string): void {
    const running = this.#components.get(name);
    if (running === undefined || running.life.hasEnded) return;
    running.life.hasEnded = true;
    running.life.held = undefined;
    this.#note(name, "down");
  }

  /** Pauses a component like SIGSTOP: it keeps its state, and hears of everything once it resumes. */
  freeze(name: string): void {
    const running = this.#components.get(name);
    if (running === undefined || running.life.hasEnded || running.life.held !== undefined) return;
    running.life.held = [];
    this.#note(name, "frozen");
  }

  /** Resumes a frozen component; false if it was not frozen. */
  thaw(name: string): boolean {
    const running = this.#components.get(name);
    const held = running?.life.held;
    if (running === undefined || held === undefined) return false;
    running.life.held = undefined;
    this.#note(name, "up");
    for (const action of held) this.loop.after(0, action);
    return true;
  }

  /** Starts a component that was stopped, after `delayMs`. */
  startAgain(name: string, delayMs: number): void {
    const running = this.#components.get(name);
    if (running === undefined || !running.life.hasEnded) return;
    const { life } = running;
    this.loop.after(delayMs, () => {
      if (running.life === life) this.#begin(running);
    });
  }

  /** Runs `action` on behalf of `actor`: its writes are recorded as that actor's. */
  as<T>(actor: string, cause: number | undefined, action: () => T): T {
    const actorBefore = this.#actor;
    const causeBefore = this.#cause;
    this.#actor = actor;
    this.#cause = cause;
    try {
      return action();
    } finally {
      this.#actor = actorBefore;
      this.#cause = causeBefore;
    }
  }

  #begin(running: Running): void {
    running.life = newLife();
    running.recorder = new EventRecorder(this.loop.now);
    this.#note(running.component.name, "up");
    const context = this.#context(running);
    this.as(running.component.name, undefined, () => running.component.start(context));
  }

  #note(what: string, state: string): void {
    this.trace.add(this.loop.now, { type: "lifecycle", actor: this.#actor, what, state });
  }

  #committed({ verb, subresource, slot, before, after }: Change): void {
    // One literal with all fields gives these entries one shape: a trace holds more of them than of anything else.
    const entry: WriteEntry = {
      type: "write",
      actor: this.#actor,
      verb,
      ref: slot.ref,
      cause: this.#cause,
      subresource: subresource === "" ? undefined : subresource,
      before,
      after,
      seq: 0,
      at: 0,
    };
    this.trace.add(this.loop.now, entry);
    this.lastChangeAt = this.loop.now;
    if (after === undefined) this.#forget(slot.ref);
    if (this.lateWatches !== undefined) this.lateWatches.send(slot, entry);
    else this.loop.schedule(latency.watchMs, new WatchEvent(slot, entry, this.#arrived));
  }

  /**
   * Forgets the events and decisions about a removed object, which must not silence those about the next object of its name.
   */
  #forget(ref: Ref): void {
    this.#events.hasGone(ref);
    for (const { decisions } of this.#components.values()) decisions.delete(ref);
  }

  #deliver({ slot, entry }: WatchEvent): void {
    this.as("watch", entry.seq, () => this.#cache(slot.kind).deliver(slot, entry.after));
  }

  #cache<K extends Kind>(kind: K): KindCache<K> {
    let cache = this.#caches.get(kind);
    if (cache === undefined) {
      cache = new KindCache<Kind>(this.api.store.keys(kind));
      this.#caches.set(kind, cache);
    }
    return cache as unknown as KindCache<K>;
  }

  #context(running: Running): ComponentContext {
    const runtime = this;
    const { life } = running;
    const alive = (): boolean => !life.hasEnded;
    const { name } = running.component;
    const process = <T>(
      task: Task<T>,
      cause: number | undefined,
      waiter: Waiter<T> | undefined,
    ): Process => {
      const answered = waiter as Waiter<unknown> | undefined;
      return new Process(running, life, cause, task, answered);
    };
    return {
      name,
      version: runtime.#scenario.version,
      get now(): Instant {
        return runtime.loop.now;
      },
      informer: runtime.#informers(life),
      queue: (options) =>
        new RateLimitedQueue(options, {
          loop: runtime.loop,
          alive,
          cause: () => runtime.#cause,
          run: (task, cause, waiter) => runtime.#run(process(task, cause, waiter), undefined),
        }),
      go: (task, ended) => {
        const waiter = ended && { ended };
        runtime.loop.schedule(0, process(task, runtime.#cause, waiter));
      },
      goAtOnce: (task) => runtime.loop.scheduleAtOnce(process(task, runtime.#cause, undefined)),
      after: (delayMs, action): CancelTimer => {
        const { loop } = runtime;
        const timer = new DelayedAction(running, life, runtime.#cause, action);
        loop.schedule(delayMs, timer);
        return () => loop.cancel(timer);
      },
      onEvents: (about, listener) =>
        runtime.#events.listen(about, (event) => {
          if (alive()) runtime.as(name, undefined, () => listener(event));
        }),
      decide: (about, decision) => runtime.#decide(running, about, decision),
      fraction: () => runtime.random.fraction(),
      machine: (node) => runtime.machines.get(node),
      machines: [...runtime.machines.values()],
      drivers: runtime.drivers,
      exit: (delayMs) => {
        runtime.stop(name);
        runtime.startAgain(name, delayMs);
      },
    };
  }

  /** Returns the component's informers, one per kind, created on first use. */
  #informers(life: Life): ComponentContext["informer"] {
    const informers = new Map<Kind, Informer<Kind>>();
    return <K extends Kind>(kind: K): Informer<K> => {
      let informer = informers.get(kind);
      if (informer === undefined) {
        informer = this.lateWatches?.informer(kind, life) ?? this.#cache<Kind>(kind).informer(life);
        informers.set(kind, informer);
      }
      return informer as unknown as Informer<K>;
    };
  }

  #act(delayed: DelayedAction): void {
    const { running, life, cause, action } = delayed;
    if (delayed.isCancelled || life.hasEnded) return;
    if (life.held === undefined) this.as(running.component.name, cause, action);
    else life.held.push(() => this.#act(delayed));
  }

  #decide({ component, decisions }: Running, about: Ref, decision: Decision): void {
    if (deepEqual(decisions.get(about), decision)) return;
    decisions.set(about, decision);
    const entry: DecisionEntry = {
      type: "decision",
      actor: component.name,
      cause: this.#cause,
      about,
      decision,
      seq: 0,
      at: 0,
    };
    this.trace.add(this.loop.now, entry);
  }

  /** Runs a process until its next effect that takes time. */
  #run(process: Process, value: unknown): void {
    const { running, life } = process;
    if (life.held !== undefined) {
      life.held.push(() => this.#run(process, value));
      return;
    }
    let answer = value;
    while (!life.hasEnded) {
      const next = this.#advance(process, answer);
      if (life.hasEnded) return;
      if (next.done === true) {
        const { waiter } = process;
        if (waiter !== undefined)
          this.as(running.component.name, process.cause, () => waiter.ended(next.value));
        return;
      }
      const effect = next.value;
      if (effect.type !== "event") {
        this.#perform(process, effect);
        return;
      }
      this.#events.record(running, process.cause, effect);
      answer = undefined;
    }
  }

  /** Like `as`, but without a closure: every effect of every component passes here. */
  #advance({ running, cause, task }: Process, answer: unknown): IteratorResult<Effect, unknown> {
    const actorBefore = this.#actor;
    const causeBefore = this.#cause;
    this.#actor = running.component.name;
    this.#cause = cause;
    try {
      return task.next(answer);
    } finally {
      this.#actor = actorBefore;
      this.#cause = causeBefore;
    }
  }

  #wake(process: Process): void {
    const { effect } = process;
    if (effect === undefined) {
      this.#run(process, process.answer);
    } else {
      process.effect = undefined;
      this.#serve(process, effect);
    }
  }

  #resume(process: Process, delayMs: number, answer: unknown): void {
    process.answer = answer;
    this.loop.schedule(delayMs, process);
  }

  #perform(process: Process, effect: Exclude<Effect, EventEffect>): void {
    switch (effect.type) {
      case "sleep":
        this.#resume(process, effect.ms, undefined);
        return;
      case "suspend": {
        let resumed = false;
        const { name } = process.running.component;
        this.as(name, process.cause, () =>
          effect.begin((value) => {
            if (!resumed) this.#resume(process, 0, value);
            resumed = true;
          }),
        );
        return;
      }
      case "call":
        this.#call(process, effect);
        return;
      default: {
        const isRead = effect.type === "get" || effect.type === "list";
        const ms = isRead ? latency.readMs : writeMs(effect.type, process.running.writes === 0);
        process.effect = effect;
        process.answerMs = effect.type === "update" ? latency.updateAnswerMs : ms / 2;
        this.loop.schedule(ms - process.answerMs, process);
      }
    }
  }

  /** The request has reached the API server. */
  #serve(process: Process, effect: ServerEffect): void {
    const { store } = this.api;
    if (effect.type === "get") {
      const object = store.get(effect.kind, effect.namespace, effect.name);
      const answer =
        object === undefined
          ? { ok: false, error: notFound(effect.kind, effect.name) }
          : { ok: true, object };
      this.#resume(process, process.answerMs, answer);
    } else if (effect.type === "list") {
      this.#resume(process, process.answerMs, store.list(effect.kind, effect.namespace));
    } else if (!process.life.hasEnded) {
      this.#write(process, effect);
    }
  }

  #write(process: Process, effect: WriteEffect): void {
    const { running } = process;
    const { name } = running.component;
    running.writes++;
    const fault = this.onWrite?.(name, running.writes, effect);
    // A create cannot conflict: there is nothing yet that somebody else could have changed.
    const isLost = fault === "conflict" && effect.type !== "create";
    const result: Result<unknown> = isLost
      ? { ok: false, error: conflict(...targetOf(effect)) }
      : this.as(name, process.cause, () => write(this.api, effect));
    if (!result.ok) {
      this.trace.add(this.loop.now, {
        type: "refused",
        actor: name,
        cause: process.cause,
        verb: effect.type,
        ref: refOfTarget(effect),
        error: result.error,
      });
    }
    if (fault === "crash") {
      this.stop(name);
      this.startAgain(name, latency.restartMs);
      return;
    }
    this.#resume(process, process.answerMs, result);
  }

  #call(process: Process, effect: Extract<Effect, { type: "call" }>): void {
    const { name } = process.running.component;
    this.#calls.begin(name, process.cause, effect, (result) =>
      this.#resume(process, latency.callMs / 2, result),
    );
  }
}
