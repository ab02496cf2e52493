/** Runs a scenario to its end. The way into the engine: a scenario goes in, a trace comes out. */
import { awaitedUntil } from "./awaited-change.ts";
import { controlPlane } from "./control-plane.ts";
import { csiDriverObject } from "./csi/csi-driver-object.ts";
import { takeOver } from "./existing/take-over.ts";
import { gapMs, latency } from "./runtime/latency.ts";
import { Runtime } from "./runtime/runtime.ts";
import type { Limits, Manifest, Scenario, Step } from "./scenario.ts";
import { drainTargets } from "./store/drain.ts";
import type { Instant } from "./trace/instant.ts";
import type { Trace } from "./trace/trace.ts";
import { UserRequests } from "./user-requests.ts";

/** A run in slices: it yields after each of them, and returns the trace. */
export type Slices = Generator<void, Trace>;

const limitDefaults: Limits = {
  eventCountMax: 50_000_000,
  virtualTimeMsMax: 24 * 3600 * 1000,
  objectCountMax: 1_000_000,
  traceBytesMax: Number.POSITIVE_INFINITY,
};

/** A cluster in which nothing has changed for this long is at rest. */
const quietMsDefault = 17_000;
/** A `settle` step gives up after this long. */
const settleLimitMsDefault = 75_000;
const bootQuietMs = 2_000;
const bootLimitMs = 60_000;
/** How long it takes until the API shows that a driver or a kubelet is down or up, so that the next step can build on it. */
const driverStepMs = 4_000;
const nodeStepMs = 2_000;

export class Simulation {
  readonly scenario: Scenario;
  readonly runtime: Runtime;
  readonly #limits: Limits;
  readonly #user: UserRequests;
  readonly #sliceEventCount: number;
  /** The count of loop events at which the slice began. A slice may span many short steps. */
  #sliceStart = 0;
  #isUp = false;
  #stopped = false;

  /**
   * The generators that run it yield after every `sliceEventCount` loop events, so that the caller can do other work in
   * between.
   */
  constructor(scenario: Scenario, sliceEventCount: number = Number.POSITIVE_INFINITY) {
    this.scenario = scenario;
    this.#limits = { ...limitDefaults, ...scenario.limits };
    this.runtime = new Runtime(scenario);
    this.#user = new UserRequests(this.runtime, scenario.client);
    this.#sliceEventCount = sliceEventCount;
  }

  get trace(): Trace {
    return this.runtime.trace;
  }

  get now(): Instant {
    return this.runtime.loop.now;
  }

  /** True once a limit has ended the run. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Starts the cluster: what the profile installs, then all components, until they are at rest. */
  *boot(): Generator<void> {
    const { cluster } = this.scenario;
    const { manifests, nodes, state = [] } = cluster;
    if (state.length > 0) {
      this.#user.existing = this.runtime.as("cluster", undefined, () =>
        takeOver(this.runtime, cluster),
      );
      // Components list what exists when they start, so their caches must hold it by then.
      yield* this.#wait(latency.watchMs + 1);
    }
    this.#install(this.#driverObjects());
    for (const component of controlPlane(this.scenario)) this.runtime.start(component);
    for (const { name, isKubeletDown } of nodes) if (isKubeletDown === true) this.#silence(name);
    yield* this.#settle(bootQuietMs, bootLimitMs);
    this.#install(manifests);
    yield* this.#settle(bootQuietMs, bootLimitMs);
    this.#isUp = true;
  }

  #install(manifests: readonly Manifest[]): void {
    const { runtime } = this;
    for (const manifest of manifests)
      runtime.as("profile", undefined, () => runtime.api.create(manifest));
  }

  /** The CSIDriver objects that installing the drivers creates, except those that the profile has itself. */
  #driverObjects(): readonly Manifest[] {
    const { drivers, manifests, state = [] } = this.scenario.cluster;
    // An imported state that lists drivers lists all of them.
    const isListed = state.some(({ kind }) => kind === "CSIDriver" || kind === "CSINode");
    if (isListed) return [];
    const own = new Set(
      manifests
        .filter(({ kind }) => kind === "CSIDriver")
        .map(({ metadata }) => (metadata as { readonly name?: unknown } | undefined)?.name),
    );
    return drivers.filter(({ name }) => !own.has(name)).map(csiDriverObject);
  }

  /** Runs one step. The trace records requests whether or not the API server accepts them. */
  *step(step: Step): Generator<void> {
    this.#user.begin(step);
    switch (step.type) {
      case "apply":
        for (const [i, manifest] of step.manifests.entries()) {
          if (this.#stopped) return;
          this.#user.apply(manifest);
          yield* this.#wait(step.gapMs ?? gapMs(i));
        }
        return;
      case "delete":
        for (const [i, target] of step.objects.entries()) {
          if (this.#stopped) return;
          // No pause after the last one: the next step must come before any finalizer can be removed.
          if (i > 0) yield* this.#wait(latency.requestMs);
          this.#user.delete(target);
        }
        return;
      case "patch":
        this.#user.patch(step);
        yield* this.#wait(latency.requestMs);
        return;
      case "scale":
        this.#user.scale(step);
        yield* this.#wait(latency.requestMs);
        return;
      case "createJob":
        this.#user.createJob(step);
        yield* this.#wait(latency.requestMs);
        return;
      case "settle":
        yield* this.#settle(step.quietMs ?? quietMsDefault, step.limitMs ?? settleLimitMsDefault);
        return;
      case "advance":
        yield* this.#wait(step.ms);
        return;
      case "fault":
        this.runtime.drivers.setFault(step.fault);
        return;
      case "driver":
        yield* this.#driver(step);
        return;
      case "node":
        yield* this.#node(step);
        return;
      case "cordon":
        this.#user.cordon(step.name);
        yield* this.#wait(latency.requestMs);
        return;
      case "uncordon":
        this.#user.uncordon(step.name);
        yield* this.#wait(latency.requestMs);
        return;
      case "drain":
        yield* this.#drain(step.name);
        return;
    }
  }

  /** Runs everything. If a limit ended the run, the trace holds what happened until then. */
  run(): Trace {
    const slices = this.slices();
    for (;;) {
      const next = slices.next();
      if (next.done === true) return next.value;
    }
  }

  /**
   * Runs everything in slices; after `boot`, only the steps. The start of a cluster does not depend on the steps that
   * follow.
   */
  *slices(steps: readonly Step[] = this.scenario.steps): Slices {
    if (!this.#isUp) yield* this.boot();
    for (const step of steps) {
      if (this.#stopped) break;
      yield* this.step(step);
    }
    return this.trace;
  }

  *#wait(ms: number): Generator<void> {
    yield* this.#until(this.now + ms);
  }

  /** Runs everything that is due until `end`. */
  *#until(end: Instant): Generator<void> {
    const { loop } = this.runtime;
    while (!this.#stopped && loop.step(end)) {
      this.#checkLimits();
      if (loop.eventCount >= this.#sliceStart + this.#sliceEventCount) {
        this.#sliceStart = loop.eventCount;
        yield;
      }
    }
    if (!this.#stopped) loop.now = Math.max(loop.now, end);
    this.trace.reach(loop.now);
  }

  /** Runs until no object has changed for `quietMs` and none is certain to change later, but for no longer than `limitMs`. */
  *#settle(quietMs: number, limitMs: number): Generator<void> {
    const start = this.now;
    const end = start + limitMs;
    for (;;) {
      const quietFrom = Math.max(start, this.runtime.lastChangeAt);
      const rest = Math.min(awaitedUntil(this.runtime, quietFrom, end) + quietMs, end);
      if (this.#stopped || rest <= this.now) return;
      yield* this.#until(rest);
    }
  }

  #checkLimits(): void {
    const limit = this.#reachedLimit();
    if (limit === undefined) return;
    const reached = `${limit} ${this.#limits[limit]}`;
    this.#stopped = true;
    this.trace.add(this.now, {
      type: "limit",
      actor: "runtime",
      limit: reached,
      message: `the run reached its limit ${reached} and was stopped`,
    });
  }

  #reachedLimit(): keyof Limits | undefined {
    const { loop, api } = this.runtime;
    const limits = this.#limits;
    if (loop.eventCount > limits.eventCountMax) return "eventCountMax";
    if (loop.now > limits.virtualTimeMsMax) return "virtualTimeMsMax";
    if (api.store.objectCount > limits.objectCountMax) return "objectCountMax";
    return this.trace.keptBytes > limits.traceBytesMax ? "traceBytesMax" : undefined;
  }

  /** A driver's sidecars exit when its controller goes down, and come back with it. */
  *#driver(step: Extract<Step, { type: "driver" }>): Generator<void> {
    const { drivers } = this.runtime;
    if (step.controller !== undefined) drivers.setUp(step.name, "", step.controller === "up");
    if (step.node !== undefined && step.nodeName !== undefined)
      drivers.setUp(step.name, step.nodeName, step.node === "up");
    this.trace.add(this.now, {
      type: "lifecycle",
      actor: "user",
      what: `driver ${step.name}`,
      state: step.controller ?? step.node ?? "",
    });
    yield* this.#wait(driverStepMs);
  }

  *#node(step: Extract<Step, { type: "node" }>): Generator<void> {
    const machine = this.runtime.machines.get(step.name);
    if (machine === undefined) return;
    const kubelet = `kubelet ${step.name}`;
    if (step.kubelet === "down") {
      this.#silence(step.name);
      yield* this.#wait(latency.requestMs);
      return;
    }
    machine.setKubeletUp(true, this.now);
    if (step.kubelet === "restart") this.runtime.stop(kubelet);
    if (!this.runtime.thaw(kubelet)) this.runtime.startAgain(kubelet, latency.restartMs);
    yield* this.#wait(nodeStepMs);
  }

  /** A kubelet that is down is frozen: once up, it goes on where it was. Only a restart makes it forget what it knew. */
  #silence(node: string): void {
    this.runtime.machines.get(node)?.setKubeletUp(false, this.now);
    this.runtime.freeze(`kubelet ${node}`);
  }

  /** Like `kubectl drain`: cordons the node, then evicts its pods one by one. */
  *#drain(node: string): Generator<void> {
    this.#user.cordon(node);
    for (const { metadata } of drainTargets(this.runtime.api.store, node)) {
      if (this.#stopped) return;
      this.#user.evict(node, metadata.namespace ?? "default", metadata.name);
      yield* this.#wait(latency.requestMs);
    }
  }
}
