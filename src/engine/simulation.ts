/** Runs a scenario to its end. Boundary of the engine: scenario in, trace out. */
import { applied } from "./api/apply-patch.ts";
import { mergePatch } from "./api/json.ts";
import {
  type ApiError,
  isNamespaced,
  isServed,
  type KubeObject,
  makeRef,
  notFound,
  type Ref,
} from "./api/meta.ts";
import { controlPlane } from "./control-plane.ts";
import { csiDriverObject } from "./csi/csi-driver-object.ts";
import { takeOver } from "./existing/take-over.ts";
import { gapMs, latency } from "./runtime/latency.ts";
import { Runtime } from "./runtime/runtime.ts";
import type { DeleteTarget, Limits, Manifest, ObjectName, Scenario, Step } from "./scenario.ts";
import type { Answer } from "./store/api-server.ts";
import { drainTargets } from "./store/drain.ts";
import type { RequestEntry } from "./trace/entry.ts";
import type { Instant } from "./trace/instant.ts";
import { stepText } from "./trace/step-text.ts";
import type { Trace } from "./trace/trace.ts";

/** A run that was cut into slices yields between them; its end is the trace. */
export type Slices = Generator<void, Trace>;

const limitDefaults: Limits = {
  eventCountMax: 50_000_000,
  virtualTimeMsMax: 24 * 3600 * 1000,
  objectCountMax: 1_000_000,
  traceBytesMax: Number.POSITIVE_INFINITY,
};

/** As long as this nothing may change before a cluster counts as at rest. */
const quietMsDefault = 17_000;
const settleLimitMsDefault = 75_000;
const evictionRetryMs = 5_000;

export class Simulation {
  readonly scenario: Scenario;
  readonly runtime: Runtime;
  readonly #limits: Limits;
  #stopped = false;
  /** Where the slice began: many short steps make one slice as well as a long one. */
  #sliceStart = 0;
  #step = -1;
  /** Uids of the objects that were there before the run. */
  #taken: ReadonlySet<string> = new Set();

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.#limits = { ...limitDefaults, ...scenario.limits };
    this.runtime = new Runtime(scenario);
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
  *boot(sliceEvents: number = Number.POSITIVE_INFINITY): Generator<void> {
    const { drivers, manifests, nodes, state = [] } = this.scenario.cluster;
    if (state.length > 0) {
      this.#taken = this.runtime.as("cluster", undefined, () => takeOver(this.runtime, state));
      // Whoever starts lists what is there.
      yield* this.#until(this.now + latency.watchMs + 1, sliceEvents);
    }
    // Where drivers are listed, those without an object have none.
    const isListed = state.some(({ kind }) => kind === "CSIDriver" || kind === "CSINode");
    for (const driver of isListed ? [] : drivers) {
      const own = manifests.some(
        (m) =>
          m["kind"] === "CSIDriver" &&
          (m["metadata"] as { name?: unknown } | undefined)?.name === driver.name,
      );
      if (!own)
        this.runtime.as("profile", undefined, () =>
          this.runtime.api.create(csiDriverObject(driver)),
        );
    }
    for (const component of controlPlane(this.scenario)) this.runtime.start(component);
    for (const { name, isKubeletDown } of nodes) if (isKubeletDown === true) this.#silence(name);
    yield* this.#settle(2_000, 60_000, sliceEvents);
    for (const manifest of manifests)
      this.runtime.as("profile", undefined, () => this.runtime.api.create(manifest));
    yield* this.#settle(2_000, 60_000, sliceEvents);
  }

  /** One step; requests are recorded whether or not the API server accepts them. */
  *step(step: Step, sliceEvents: number = Number.POSITIVE_INFINITY): Generator<void> {
    this.#step++;
    this.trace.add(this.now, {
      type: "step",
      actor: "user",
      step: this.#step,
      text: stepText(step),
    });
    switch (step.type) {
      case "apply":
        for (const [i, manifest] of step.manifests.entries()) {
          if (this.#stopped) return;
          this.#apply(manifest);
          yield* this.#until(this.now + (step.gapMs ?? gapMs(i)), sliceEvents);
        }
        return;
      case "delete":
        for (const [i, target] of step.objects.entries()) {
          if (this.#stopped) return;
          // After the last one the next step follows at once, before any finalizer can have gone.
          if (i > 0) yield* this.#until(this.now + latency.requestMs, sliceEvents);
          this.#delete(target);
        }
        return;
      case "patch":
        this.#patch(step.object, step.patch, step.subresource ?? "");
        yield* this.#until(this.now + latency.requestMs, sliceEvents);
        return;
      case "scale":
        this.#patch(step.object, { spec: { replicas: step.replicas } }, "");
        yield* this.#until(this.now + latency.requestMs, sliceEvents);
        return;
      case "settle":
        yield* this.#settle(
          step.quietMs ?? quietMsDefault,
          step.limitMs ?? settleLimitMsDefault,
          sliceEvents,
        );
        return;
      case "advance":
        yield* this.#until(this.now + step.ms, sliceEvents);
        return;
      case "fault":
        this.runtime.drivers.setFault(step.fault);
        return;
      case "driver":
        yield* this.#driver(step, sliceEvents);
        return;
      case "node":
        yield* this.#node(step, sliceEvents);
        return;
      case "cordon":
      case "uncordon":
        this.#cordon(step.name, step.type === "cordon");
        yield* this.#until(this.now + latency.requestMs, sliceEvents);
        return;
      case "drain":
        yield* this.#drain(step.name, sliceEvents);
        return;
    }
  }

  /** The whole run; the trace holds it even where a limit ended it. */
  run(): Trace {
    const slices = this.slices();
    for (;;) {
      const next = slices.next();
      if (next.done === true) return next.value;
    }
  }

  /** The whole run in slices of at most `sliceEvents` loop events, so that others can work in between. */
  *slices(sliceEvents: number = Number.POSITIVE_INFINITY): Slices {
    yield* this.boot(sliceEvents);
    for (const step of this.scenario.steps) {
      if (this.#stopped) break;
      yield* this.step(step, sliceEvents);
    }
    return this.trace;
  }

  *#until(end: Instant, sliceEvents: number): Generator<void> {
    const { loop } = this.runtime;
    while (!this.#stopped && loop.step(end)) {
      this.#checkLimits();
      if (loop.eventCount >= this.#sliceStart + sliceEvents) {
        this.#sliceStart = loop.eventCount;
        yield;
      }
    }
    if (!this.#stopped) loop.now = Math.max(loop.now, end);
    this.trace.reach(loop.now);
  }

  /** Until no object has changed for `quietMs`, at most `limitMs`. */
  *#settle(quietMs: number, limitMs: number, sliceEvents: number): Generator<void> {
    const end = this.now + limitMs;
    let quietFrom = this.now;
    for (;;) {
      const rest = Math.min(Math.max(quietFrom, this.runtime.lastChangeAt) + quietMs, end);
      if (this.#stopped || rest <= this.now) return;
      yield* this.#until(rest, sliceEvents);
      quietFrom = Math.max(quietFrom, this.runtime.lastChangeAt);
      if (this.now >= end || this.now - quietFrom >= quietMs) return;
    }
  }

  #checkLimits(): void {
    const { loop, api } = this.runtime;
    const reached =
      loop.eventCount > this.#limits.eventCountMax
        ? `eventCountMax ${this.#limits.eventCountMax}`
        : loop.now > this.#limits.virtualTimeMsMax
          ? `virtualTimeMsMax ${this.#limits.virtualTimeMsMax}`
          : api.store.objectCount > this.#limits.objectCountMax
            ? `objectCountMax ${this.#limits.objectCountMax}`
            : this.trace.keptBytes > this.#limits.traceBytesMax
              ? `traceBytesMax ${this.#limits.traceBytesMax}`
              : undefined;
    if (reached === undefined) return;
    this.#stopped = true;
    this.trace.add(this.now, {
      type: "limit",
      actor: "runtime",
      limit: reached,
      message: `the run was ended at its limit ${reached}`,
    });
  }

  #apply(manifest: Manifest): void {
    const { api } = this.runtime;
    const apiVersion = String(manifest["apiVersion"] ?? "");
    const kind = String(manifest["kind"] ?? "");
    const metadata = (manifest["metadata"] ?? {}) as Record<string, unknown>;
    // A request is known by what its manifest says, if that is only how the name begins.
    const name =
      [metadata["name"], metadata["generateName"]].find((n) => typeof n === "string") ?? "";
    if (!isServed(apiVersion, kind)) {
      const message = "the server could not find the requested resource";
      this.#answered(
        "create",
        `${kind}//${name}`,
        { ok: false, error: { code: 404, reason: "NotFound", message } },
        201,
      );
      return;
    }
    const namespace = typeof metadata["namespace"] === "string" ? metadata["namespace"] : "default";
    const ref = makeRef(kind, isNamespaced(kind) ? namespace : undefined, name);
    const current =
      name === ""
        ? undefined
        : api.store.get(kind, isNamespaced(kind) ? namespace : undefined, name);
    if (current === undefined) this.#request("create", ref, 201, () => api.create(manifest));
    else
      this.#request("patch", ref, 200, () =>
        api.replace(current, this.#changed(current, manifest), ""),
      );
  }

  /** An object of before the run is changed as kubectl does it, one of the run by a merge patch, as in the recordings. */
  #changed(current: KubeObject, manifest: Manifest): unknown {
    const isTaken = this.#taken.has(current.metadata.uid);
    return isTaken ? applied(current, manifest) : mergePatch(current, manifest);
  }

  #patch(object: ObjectName, patch: unknown, subresource: "" | "status"): void {
    const namespace = isNamespaced(object.kind) ? (object.namespace ?? "default") : undefined;
    const ref = makeRef(object.kind, namespace, object.name);
    const current = this.runtime.api.store.get(object.kind, namespace, object.name);
    this.#request("patch", ref, 200, () =>
      current === undefined
        ? { ok: false, error: notFound(object.kind, object.name) }
        : this.runtime.api.replace(current, mergePatch(current, patch), subresource),
    );
  }

  #delete(target: DeleteTarget): void {
    const namespace = isNamespaced(target.kind) ? (target.namespace ?? "default") : undefined;
    const ref = makeRef(target.kind, namespace, target.name);
    this.#request("delete", ref, 200, () =>
      this.runtime.api.delete(target.kind, namespace ?? "", target.name, {
        propagationPolicy: target.propagationPolicy ?? "Background",
        ...(target.grace !== undefined && { gracePeriodSeconds: target.grace }),
      }),
    );
  }

  #request(verb: string, ref: Ref, okStatus: number, action: () => Answer): void {
    this.#answered(verb, ref, this.runtime.as("user", undefined, action), okStatus);
  }

  #answered(
    verb: string,
    ref: Ref,
    answer:
      | { readonly ok: true; readonly warnings?: readonly string[] }
      | { readonly ok: false; readonly error: ApiError; readonly warnings?: readonly string[] },
    okStatus: number,
  ): void {
    const { warnings } = answer;
    const error = answer.ok ? undefined : answer.error;
    const entry: RequestEntry = {
      type: "request",
      actor: "user",
      step: this.#step,
      verb,
      ref,
      status: error?.code ?? okStatus,
      reason: error?.reason,
      message: error?.message,
      causes: error?.causes,
      warnings: warnings !== undefined && warnings.length > 0 ? warnings : undefined,
      seq: 0,
      at: 0,
    };
    this.trace.add(this.now, entry);
  }

  /** Sidecars that lose their driver exit and come back; a driver's controller takes them along both ways. */
  *#driver(step: Extract<Step, { type: "driver" }>, sliceEvents: number): Generator<void> {
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
    yield* this.#until(this.now + 4_000, sliceEvents);
  }

  *#node(step: Extract<Step, { type: "node" }>, sliceEvents: number): Generator<void> {
    const machine = this.runtime.machines.get(step.name);
    if (machine === undefined) return;
    const kubelet = `kubelet ${step.name}`;
    if (step.kubelet === "down") {
      this.#silence(step.name);
      yield* this.#until(this.now + latency.requestMs, sliceEvents);
      return;
    }
    machine.kubeletUp = true;
    if (step.kubelet === "restart") this.runtime.stop(kubelet);
    if (!this.runtime.thaw(kubelet)) this.runtime.startAgain(kubelet, latency.restartMs);
    yield* this.#until(this.now + 2_000, sliceEvents);
  }

  /** A kubelet that is down is frozen: it goes on where it was. Only a restart makes it forget. */
  #silence(node: string): void {
    const machine = this.runtime.machines.get(node);
    if (machine !== undefined) machine.kubeletUp = false;
    this.runtime.freeze(`kubelet ${node}`);
  }

  #cordon(node: string, unschedulable: boolean): void {
    this.#patch({ kind: "Node", name: node }, { spec: { unschedulable } }, "");
  }

  *#drain(node: string, sliceEvents: number): Generator<void> {
    this.#cordon(node, true);
    for (const pod of drainTargets(this.runtime.api.store, node)) {
      if (this.#stopped) return;
      this.#evict(node, pod.metadata.namespace ?? "default", pod.metadata.name);
      yield* this.#until(this.now + latency.requestMs, sliceEvents);
    }
  }

  /**
   * What a budget forbids is asked for again, until the pod may go or the node is wanted back; of the same refusals the first is
   * recorded. Upstream: kubectl pkg/drain evictPods.
   */
  #evict(node: string, namespace: string, name: string, refusal?: string): void {
    const answer = this.runtime.evict(namespace, name);
    const error = answer.ok ? undefined : answer.error;
    if (error?.code === 404) return;
    if (error === undefined || error.message !== refusal)
      this.#answered("evict", makeRef("Pod", namespace, name), answer, 201);
    if (error?.code !== 429) return;
    this.runtime.loop.after(evictionRetryMs, () => {
      const isCordoned = this.runtime.api.store.get("Node", undefined, node)?.spec.unschedulable;
      if (isCordoned === true) this.#evict(node, namespace, name, error.message);
    });
  }
}

/** Runs a scenario to its end. */
export function simulate(scenario: Scenario): Trace {
  return new Simulation(scenario).run();
}
