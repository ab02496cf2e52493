/**
 * Gives pods their nodes. Decides on one pod at a time; pods and their volumes are bound concurrently.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/schedule_one.go, scheduler.go. Not modeled: other profiles, extenders, permit
 * plugins, gang scheduling.
 */
import { withFields } from "../api/json.ts";
import type { Pod } from "../api/types.ts";
import { defaultScheduler } from "../matching/pod-state.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { sleep, type Task } from "../runtime/effects.ts";
import type { Informer } from "../runtime/informer.ts";
import { type BindingParts, bindToNode } from "./binding-cycle.ts";
import { updatedPodInfo } from "./cache/pod-info.ts";
import { resourceAmounts } from "./cache/resources.ts";
import { SchedulerCache } from "./cache/scheduler-cache.ts";
import { type DefaultPlugins, defaultPlugins } from "./default-plugins.ts";
import { watchCluster } from "./event-handlers.ts";
import { FailureReport } from "./failure-report.ts";
import {
  type Diagnosis,
  fitErrorMessage,
  noNodesAvailable,
  type StandsFor,
} from "./framework/fit-error.ts";
import type { PluginName, Rejection } from "./framework/plugin.ts";
import { gatesRejection } from "./plugins/scheduling-gates.ts";
import { preemptionRejection } from "./preemption/default-preemption.ts";
import { RunningPreemptions } from "./preemption/evict-victims.ts";
import { type PostFilterParts, postFilter } from "./preemption/post-filter.ts";
import { Nominator } from "./queue/nominator.ts";
import { type QueuedPod, SchedulingQueue } from "./queue/scheduling-queue.ts";
import { type CycleResult, SchedulingCycle } from "./scheduling-cycle.ts";
import { scheduledDecision, unscheduledDecision } from "./scheduling-decision.ts";
import { BindingWaits } from "./volume/binding-waits.ts";
import type { PodVolumes } from "./volume/pod-volume-plan.ts";

/** How long the scheduler is busy with one pod. */
const cycleMs = 1;

export const scheduler: Component = {
  name: "kube-scheduler",
  source: defaultScheduler,
  start: (context) => {
    new Scheduler(context).watch();
  },
};

/** Returns how many machines a node stands for; undefined if each stands only for itself. */
function standsFor({ machines, machine }: ComponentContext): StandsFor | undefined {
  if (machines.every(({ profile }) => profile.standsFor === undefined)) return undefined;
  return (node) => machine(node)?.profile.standsFor ?? 1;
}

class Scheduler {
  readonly #context: ComponentContext;
  readonly #pods: Informer<"Pod">;
  readonly #cache: SchedulerCache;
  readonly #queue: SchedulingQueue;
  readonly #plugins: DefaultPlugins;
  readonly #nominator: Nominator = new Nominator();
  readonly #preemptions: RunningPreemptions = new RunningPreemptions();
  readonly #report: FailureReport;
  readonly #cycle: SchedulingCycle;
  readonly #binding: BindingParts;
  readonly #postFilter: PostFilterParts;
  #isRunning = false;

  constructor(context: ComponentContext) {
    this.#context = context;
    this.#pods = context.informer("Pod");
    const namespaces = context.informer("Namespace");
    this.#cache = new SchedulerCache(
      (name) => namespaces.get(name)?.metadata.labels,
      (node) => resourceAmounts(context.machine(node)?.profile.taken),
    );
    this.#plugins = defaultPlugins(context);
    this.#report = new FailureReport(context);
    this.#queue = new SchedulingQueue(
      context,
      this.#plugins.all,
      (pod) => this.#preEnqueue(pod),
      () => this.#wake(),
    );
    this.#cycle = new SchedulingCycle(
      this.#plugins.all,
      this.#cache,
      this.#nominator,
      standsFor(context),
    );
    const waits = new BindingWaits(context, this.#plugins.volumeCaches);
    this.#binding = {
      context,
      waits,
      report: this.#report,
      failed: (queued, volumes, error) => this.#bindingFailed(queued, volumes, error),
    };
    this.#postFilter = {
      context,
      snapshot: this.#cache,
      cycle: this.#cycle,
      nominator: this.#nominator,
      running: this.#preemptions,
      waits,
      report: this.#report,
      activate: (uid) => this.#queue.activate(uid),
    };
  }

  watch(): void {
    const [cache, queue, nominator] = [this.#cache, this.#queue, this.#nominator];
    watchCluster(this.#context, { cache, queue, nominator });
  }

  #preEnqueue(pod: Pod): Rejection | undefined {
    const gates = gatesRejection(pod);
    if (gates !== undefined) return gates;
    const isPreempting = this.#preemptions.isRunning(pod, (key) => this.#pods.get(key));
    return isPreempting ? preemptionRejection : undefined;
  }

  /** Takes the next pod before any other event, so with the cluster as it was when the pod became ready. */
  #wake(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#context.goAtOnce(this.#run());
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
      // Drops the pod; its next change adds it to the queue as a new one.
      this.#queue.delete(info.uid);
      yield* this.#report.event(info, `skip schedule deleting pod: ${namespace}/${name}`);
      return;
    }
    if (this.#cache.isAssumed(info.uid)) return;
    const result = this.#cycle.schedule(info);
    if (result.type === "fits") this.#assume(queued, result);
    else if (result.type === "unfit") yield* this.#unfit(queued, result);
    else if (result.type === "error") yield* this.#failed(queued, result.error);
    else {
      // No plugin has rejected the pod, so it is retried like after an error: a new node does not wake it.
      this.#putBack(queued, new Set());
      const message = noNodesAvailable;
      yield* this.#report.fail(info, { reason: "Unschedulable", message, nomination: "" });
    }
  }

  #assume(queued: QueuedPod, result: CycleResult & { type: "fits" }): void {
    const { node } = result;
    const { info } = queued;
    const pod: Pod = withFields(info.pod, {
      spec: withFields(info.pod.spec, { nodeName: node.name }),
    });
    this.#context.decide(info.ref, scheduledDecision(result));
    this.#cache.assume({ ...info, pod }, node.name);
    this.#nominator.forget(info.uid);
    const volumes = this.#plugins.volumeBinding.reserve(info, node.node);
    this.#context.go(bindToNode(this.#binding, queued, node.node, volumes));
  }

  *#bindingFailed(queued: QueuedPod, volumes: PodVolumes | undefined, error: string): Task {
    const { info } = queued;
    if (volumes !== undefined) this.#plugins.volumeBinding.unreserve(volumes);
    const assumed = this.#cache.forget(info.uid) ?? info.pod;
    this.#queue.moveAll({ name: "AssignedPodDelete", before: assumed });
    yield* this.#failed(queued, error);
  }

  /** An error, not a plugin's rejection: the pod is retried as soon as its back-off allows. */
  *#failed(queued: QueuedPod, error: string): Task {
    const { info } = queued;
    this.#putBack(queued, new Set());
    this.#context.decide(info.ref, unscheduledDecision("SchedulerError", undefined, error));
    yield* this.#report.fail(info, { reason: "SchedulerError", message: error, nomination: "" });
  }

  *#unfit(queued: QueuedPod, { diagnosis, filters }: CycleResult & { type: "unfit" }): Task {
    const { info } = queued;
    const reason = "Unschedulable";
    const tried = postFilter(this.#postFilter, info, diagnosis, filters);
    const message = fitErrorMessage(diagnosis, tried.message);
    this.#putBack(queued, rejectingPlugins(diagnosis));
    const decision = unscheduledDecision(reason, diagnosis, message, this.#cache.nodes);
    this.#context.decide(info.ref, decision);
    this.#recordUnmatchedClaims(diagnosis);
    yield* this.#report.fail(info, withFields(tried, { reason, message } as const));
  }

  #recordUnmatchedClaims({ byNode }: Diagnosis): void {
    const first = byNode.rejections.findIndex(({ plugin }) => plugin === "VolumeBinding");
    const node = byNode.nodes[first];
    if (node !== undefined) this.#plugins.volumeBinding.recordUnmatched(node.node);
  }

  /** Puts back the newest version of the pod, which may have changed while it was out of the queue. */
  #putBack(queued: QueuedPod, rejectedBy: ReadonlySet<PluginName>): void {
    const known = this.#pods.get(queued.info.key);
    if (known !== undefined && known.metadata.uid === queued.info.uid)
      queued.info = updatedPodInfo(queued.info, known);
    this.#queue.putBack(queued, rejectedBy);
  }
}

function rejectingPlugins({ preFilter, byNode, absent }: Diagnosis): ReadonlySet<PluginName> {
  const plugins = new Set<PluginName>();
  for (const rejection of [preFilter, absent])
    if (rejection !== undefined) plugins.add(rejection.plugin);
  for (const { plugin } of byNode.rejections) plugins.add(plugin);
  return plugins;
}
