/**
 * Gives pods their nodes. One pod is decided upon at a time; its volumes and the pod itself are bound beside.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/schedule_one.go, scheduler.go. Not modelled: other profiles, extenders, permit
 * plugins, gang scheduling.
 */
import type { Node, Pod } from "../api/types.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { bindPod, event, patch, sleep, type Task } from "../runtime/effects.ts";
import type { Informer } from "../runtime/informer.ts";
import { timestamp } from "../runtime/timestamp.ts";
import { hasDynamicResources, nominatesBeforeBinding } from "../version-differences.ts";
import { type PodInfo, updatedPodInfo } from "./cache/pod-info.ts";
import { SchedulerCache } from "./cache/scheduler-cache.ts";
import { type DefaultPlugins, defaultPlugins } from "./default-plugins.ts";
import { EventSeries } from "./event-series.ts";
import { schedulerName, watchCluster } from "./event-handlers.ts";
import {
  type Diagnosis,
  fitErrorMessage,
  noNodesAvailable,
  truncatedNote,
} from "./framework/fit-error.ts";
import type { PluginName, Rejection } from "./framework/plugin.ts";
import { gatesRejection } from "./plugins/scheduling-gates.ts";
import { hasCondition, withCondition } from "./pod-condition.ts";
import { evictVictims, RunningPreemptions } from "./preemption/evict-victims.ts";
import { preempt, type PreemptionResult } from "./preemption/preemption.ts";
import { Nominator } from "./queue/nominator.ts";
import { type QueuedPod, SchedulingQueue } from "./queue/scheduling-queue.ts";
import { type CycleResult, SchedulingCycle } from "./scheduling-cycle.ts";
import { scheduledDecision, unscheduledDecision } from "./scheduling-decision.ts";
import { BindingWaits } from "./volume/binding-waits.ts";
import type { PodVolumes } from "./volume/pod-volume-plan.ts";
import { writeVolumes } from "./volume/write-volumes.ts";

/** How long the scheduler is busy with one pod. */
const cycleMs = 1;

const preBindFailed = 'running PreBind plugin "VolumeBinding": ';

export const scheduler: Component = {
  name: "kube-scheduler",
  source: schedulerName,
  start: (context) => {
    new Scheduler(context).watch();
  },
};

/** What is written about a pod that could not be scheduled. */
interface Failure {
  readonly reason: "Unschedulable" | "SchedulerError";
  readonly message: string;
  /** The node the pod is promised, "" for none; unchanged where absent. */
  readonly nomination?: string;
}

class Scheduler {
  readonly #context: ComponentContext;
  readonly #cache: SchedulerCache;
  readonly #queue: SchedulingQueue;
  readonly #plugins: DefaultPlugins;
  readonly #bindingWaits: BindingWaits;
  readonly #nominator: Nominator = new Nominator();
  readonly #preemptions: RunningPreemptions = new RunningPreemptions();
  readonly #cycle: SchedulingCycle;
  readonly #pods: Informer<"Pod">;
  readonly #eventSeries: EventSeries = new EventSeries();
  #isRunning = false;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#pods = context.informer("Pod");
    const namespaces = context.informer("Namespace");
    this.#cache = new SchedulerCache((name) => namespaces.get(name)?.metadata.labels);
    this.#plugins = defaultPlugins(context, this.#cache);
    this.#bindingWaits = new BindingWaits(context, this.#plugins.volumeCaches);
    this.#queue = new SchedulingQueue(
      context,
      this.#plugins.all,
      (pod) => this.#preEnqueue(pod),
      () => this.#wake(),
    );
    this.#cycle = new SchedulingCycle(this.#plugins.all, this.#cache, this.#nominator);
  }

  watch(): void {
    const [cache, queue, nominator] = [this.#cache, this.#queue, this.#nominator];
    watchCluster(this.#context, { cache, queue, nominator });
  }

  #preEnqueue(pod: Pod): Rejection | undefined {
    const gates = gatesRejection(pod);
    if (gates !== undefined) return gates;
    if (!this.#preemptions.isRunning(pod, (key) => this.#pods.get(key))) return undefined;
    return {
      plugin: "DefaultPreemption",
      unresolvable: true,
      reasons: ["waiting for the preemption for this pod to be finished"],
    };
  }

  #wake(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#context.go("scheduling", this.#run());
  }

  *#run(): Task {
    for (;;) {
      const queued = this.#queue.pop();
      if (queued === undefined) break;
      yield* this.#scheduleOne(queued);
      yield* sleep(cycleMs);
    }
    this.#isRunning = false;
  }

  *#scheduleOne(queued: QueuedPod): Task {
    const { info } = queued;
    const { namespace = "", name, deletionTimestamp } = info.pod.metadata;
    if (deletionTimestamp !== undefined) {
      const message = `skip schedule deleting pod: ${namespace}/${name}`;
      yield* this.#failedEvent(info, message);
      return;
    }
    if (this.#cache.isAssumed(info.uid)) return;
    const result = this.#cycle.schedule(info);
    if (result.type === "fits") this.#assume(queued, result);
    else if (result.type === "unfit") yield* this.#unfit(queued, result);
    else {
      // Upstream tries again and again; nothing but a node can help.
      this.#putBack(queued, new Set<PluginName>(["NodeName"]));
      yield* this.#fail(info, {
        reason: "Unschedulable",
        message: noNodesAvailable,
        nomination: "",
      });
    }
  }

  #assume(queued: QueuedPod, result: CycleResult & { type: "fits" }): void {
    const { node } = result;
    const { info } = queued;
    const pod: Pod = { ...info.pod, spec: { ...info.pod.spec, nodeName: node.name } };
    this.#context.decide(info.ref, scheduledDecision(result));
    this.#cache.assume({ ...info, pod }, node.name);
    this.#nominator.forget(info.uid);
    const volumes = this.#plugins.volumeBinding.reserve(info, node.node);
    this.#context.go(`bind ${info.key}`, this.#bind(queued, node.node, volumes));
  }

  /** Upstream: bindingCycle. */
  *#bind(queued: QueuedPod, node: Node, volumes: PodVolumes | undefined): Task {
    const { info } = queued;
    if (volumes === undefined) {
      yield* this.#bindPod(queued, node, undefined);
      return;
    }
    const { name } = node.metadata;
    if (nominatesBeforeBinding(this.#context.version))
      yield* this.#patchStatus(info, undefined, name);
    const written = yield* writeVolumes(volumes);
    if (!written.ok) {
      yield* this.#bindingFailed(queued, volumes, `${preBindFailed}${written.error}`);
      return;
    }
    this.#bindingWaits.wait(info.pod, name, written.volumes, (error) => {
      const rest =
        error === undefined
          ? this.#bindPod(queued, node, volumes)
          : this.#bindingFailed(queued, volumes, `${preBindFailed}binding volumes: ${error}`);
      this.#context.go(`bind ${info.key}`, rest);
    });
  }

  *#bindPod(queued: QueuedPod, node: Node, volumes: PodVolumes | undefined): Task {
    const { info } = queued;
    const { namespace = "", name } = info.pod.metadata;
    const bound = yield* bindPod(namespace, name, info.uid, node.metadata.name);
    if (bound.ok) {
      const message = `Successfully assigned ${namespace}/${name} to ${node.metadata.name}`;
      yield* event(info.ref, "Normal", "Scheduled", message);
    } else {
      const error = `running Bind plugin "DefaultBinder": ${bound.error.message}`;
      yield* this.#bindingFailed(queued, volumes, error);
    }
  }

  /** Upstream: handleBindingCycleError. */
  *#bindingFailed(queued: QueuedPod, volumes: PodVolumes | undefined, error: string): Task {
    const { info } = queued;
    if (volumes !== undefined) this.#plugins.volumeBinding.unreserve(volumes);
    this.#cache.forget(info.uid);
    this.#queue.moveAll({ name: "AssignedPodDelete", before: info.pod });
    this.#putBack(queued, new Set());
    this.#context.decide(info.ref, unscheduledDecision("SchedulerError", undefined, error));
    yield* this.#fail(info, { reason: "SchedulerError", message: error, nomination: "" });
  }

  *#unfit(queued: QueuedPod, { diagnosis, filters }: CycleResult & { type: "unfit" }): Task {
    const { info } = queued;
    const preemption = this.#preempt(info, diagnosis, filters);
    const message = fitErrorMessage(diagnosis, postFilterMessage(preemption));
    this.#putBack(queued, rejectingPlugins(diagnosis));
    this.#context.decide(info.ref, unscheduledDecision("Unschedulable", diagnosis, message));
    this.#recordUnmatchedClaims(diagnosis);
    const nomination = nominationOf(preemption);
    if (nomination !== undefined) this.#nominator.nominate(info, nomination);
    if (preemption?.type === "nominated") this.#evict(info, preemption);
    yield* this.#fail(info, {
      reason: "Unschedulable",
      message,
      ...(nomination !== undefined && { nomination }),
    });
  }

  #recordUnmatchedClaims({ byNode }: Diagnosis): void {
    for (const [name, { plugin }] of byNode) {
      const node = plugin === "VolumeBinding" ? this.#cache.node(name) : undefined;
      if (node === undefined) continue;
      this.#plugins.volumeBinding.recordUnmatched(node.node);
      return;
    }
  }

  /** Undefined where the DynamicResources plugin fails before it is preemption's turn. */
  #preempt(
    pod: PodInfo,
    diagnosis: Diagnosis,
    filters: (CycleResult & { type: "unfit" })["filters"],
  ): PreemptionWithPrefix | undefined {
    const hasOthers = hasDynamicResources(this.#context.version);
    if (diagnosis.preFilter !== undefined && hasOthers) return undefined;
    const result = preempt({
      pod,
      diagnosis,
      filters,
      snapshot: this.#cache,
      budgets: this.#context.informer("PodDisruptionBudget").list(),
      passes: (tried, node) => this.#cycle.passes(pod, tried, node),
    });
    return { ...result, prefix: hasOthers ? "no new claims to deallocate, " : "" };
  }

  #evict(info: PodInfo, { node, victims }: PreemptionResult & { type: "nominated" }): void {
    const remaining = victims.pods.filter(
      ({ pod }) => pod.metadata.deletionTimestamp === undefined,
    );
    const overtaken = this.#nominator
      .on(node)
      .filter((other) => other.uid !== info.uid && other.priority < info.priority);
    if (remaining.length === 0) return;
    this.#preemptions.begin(info);
    this.#context.go(`preempt for ${info.key}`, this.#evictAll(info, overtaken, remaining, node));
  }

  *#evictAll(
    info: PodInfo,
    overtaken: readonly PodInfo[],
    victims: readonly PodInfo[],
    node: string,
  ): Task {
    for (const other of overtaken) yield* this.#patchStatus(other, undefined, "");
    const ok = yield* evictVictims(this.#context, this.#preemptions, info, victims, node);
    if (!ok) this.#queue.activate(info.uid);
  }

  /** With the newest version of the pod, which may have changed while it was out of the queue. */
  #putBack(queued: QueuedPod, rejectedBy: ReadonlySet<PluginName>): void {
    const known = this.#pods.get(queued.info.key);
    if (known !== undefined && known.metadata.uid === queued.info.uid)
      queued.info = updatedPodInfo(queued.info, known);
    this.#queue.putBack(queued, rejectedBy);
  }

  *#failedEvent({ ref, pod: { metadata } }: PodInfo, message: string): Task {
    const reason = "FailedScheduling";
    const words = this.#eventSeries.wordsOf(metadata, reason, message, this.#context.now);
    yield* event(ref, "Warning", reason, words);
  }

  /** Upstream: handleSchedulingFailure. */
  *#fail(info: PodInfo, { reason, message, nomination }: Failure): Task {
    yield* this.#failedEvent(info, truncatedNote(message));
    const status = this.#patchStatus(info, { reason, message }, nomination);
    this.#context.go(`status of ${info.key}`, status);
  }

  /** Writes the condition and the nomination where they differ from what is known of the pod. */
  *#patchStatus(
    { key, uid, pod: { metadata } }: PodInfo,
    failure: Pick<Failure, "reason" | "message"> | undefined,
    nomination: string | undefined,
  ): Task {
    const known = this.#pods.get(key);
    if (known === undefined || known.metadata.uid !== uid) return;
    const condition = failure && { type: "PodScheduled", status: "False", ...failure };
    const conditionIsKnown = condition === undefined || hasCondition(known, condition);
    const nominationIsKnown =
      nomination === undefined || (known.status?.nominatedNodeName ?? "") === nomination;
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

type PreemptionWithPrefix = PreemptionResult & { readonly prefix: string };

function postFilterMessage(preemption: PreemptionWithPrefix | undefined): string {
  if (preemption === undefined) return "not found";
  return preemption.type === "nominated"
    ? ""
    : `${preemption.prefix}preemption: ${preemption.message}`;
}

function nominationOf(preemption: PreemptionResult | undefined): string | undefined {
  if (preemption === undefined) return undefined;
  if (preemption.type === "nominated") return preemption.node;
  return preemption.clears ? "" : undefined;
}

function withNomination(pod: Pod, node: string): Pod {
  const { nominatedNodeName: _, ...status } = pod.status ?? {};
  return { ...pod, status: node === "" ? status : { ...status, nominatedNodeName: node } };
}

function rejectingPlugins({ preFilter, byNode, absent }: Diagnosis): ReadonlySet<PluginName> {
  const plugins = new Set<PluginName>();
  for (const rejection of [preFilter, absent, ...byNode.values()])
    if (rejection !== undefined) plugins.add(rejection.plugin);
  return plugins;
}
