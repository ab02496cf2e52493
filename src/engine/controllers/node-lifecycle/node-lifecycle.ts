/**
 * Detects kubelets without heartbeats, taints their nodes and marks their pods. Upstream: kube-controller-manager v1.36,
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go. Heartbeats are not objects here: the machine tells the controller
 * when they stop and when they resume. A Node without a machine has none.
 */
import { deepEqual } from "../../api/json.ts";
import { type Key, type KubeObject, refOf } from "../../api/meta.ts";
import { instantOf, timestamp } from "../../api/timestamp.ts";
import type { NodeCondition } from "../../api/types.ts";
import { readyCondition, zoneKeyOf } from "../../matching/node-state.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { CancelTimer, Component, ComponentContext } from "../../runtime/component.ts";
import { event, isNotFound, patch, type Task, updateStatus } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import type { Instant } from "../../trace/instant.ts";
import { repelsPodsOfUnreachableNodesAtOnce } from "../../version-differences.ts";
import { indexPodsByNode, podsOnNode } from "../workload/pods-by-node.ts";
import { outdatedLabels } from "./labels.ts";
import { Registrations } from "./registrations.ts";
import {
  isRepelled,
  isRepelledOtherwise,
  readiness,
  withNoExecuteTaints,
  withNoScheduleTaints,
  withoutNoExecuteTaints,
} from "./taints.ts";
import { Zones } from "./zones.ts";

type Node = KubeObject<"Node">;

/** How often the kubelet renews its lease. */
const renewMs = 10_000;
/** Upstream: NodeMonitorPeriod, NodeMonitorGracePeriod (50 s since 1.32) and NodeStartupGracePeriod. */
const monitorMs = 5_000;
const graceMs = 50_000;
const startupGraceMs = 60_000;
/** Upstream: scheduler.NodeEvictionPeriod. */
const noExecutePassMs = 100;

export const nodeLifecycleController: Component = {
  name: "node-lifecycle-controller",
  source: "node-controller",
  start: (ctx) => new NodeLifecycle(ctx).run(),
};

class NodeLifecycle {
  readonly #ctx: ComponentContext;
  readonly #nodes: Informer<"Node">;
  readonly #pods: Informer<"Pod">;
  /** By node: NoSchedule taints and labels, which are updated at once. */
  readonly #updates: WorkQueue;
  /** By node: what follows from the last check of all nodes. */
  readonly #findings: WorkQueue;
  /** By zone: nodes whose pods are to be evicted. */
  readonly #evictions: WorkQueue;
  readonly #zones = new Zones();
  /** By node with a silent kubelet: its last heartbeat. Upstream: nodeHealthData.probeTimestamp. */
  readonly #heard = new Map<string, Instant>();
  /** Nodes that the last check has found silent for too long. */
  readonly #late = new Set<string>();
  #planned: { readonly at: Instant; readonly cancel: CancelTimer } | undefined;

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#nodes = ctx.informer("Node");
    this.#pods = ctx.informer("Pod");
    this.#updates = ctx.queue({ workers: 8, sync: (key) => this.#update(key) });
    this.#findings = ctx.queue({ workers: 8, sync: (key) => this.#judge(key) });
    this.#evictions = ctx.queue({ sync: (key) => this.#evict(key) });
  }

  run(): void {
    indexPodsByNode(this.#pods);
    const registrations = new Registrations(this.#ctx, this.#nodes, monitorMs);
    for (const machine of this.#ctx.machines) {
      // Through a timer, because a crash cancels timers but not this registration.
      machine.onHeartbeatChange(() =>
        this.#ctx.after(0, () =>
          this.#heartbeatChanged(machine.name, Math.floor(this.#ctx.now / renewMs) * renewMs),
        ),
      );
    }
    this.#nodes.on({
      add: (node) => {
        this.#updates.add(node.metadata.name);
        const isSilentSoFar = readyCondition(node) === undefined;
        const createdAt = instantOf(node.metadata.creationTimestamp);
        this.#heartbeatChanged(node.metadata.name, isSilentSoFar ? createdAt : this.#heardNow());
        this.#planCheck();
        registrations.changed(node);
      },
      update: (before, node) => this.#nodeUpdated(before, node),
      delete: (node) => {
        this.#heard.delete(node.metadata.name);
        this.#planCheck();
        registrations.changed(node);
      },
    });
    this.#ctx.after(0, () => this.#check());
  }

  #nodeUpdated(before: Node, node: Node): void {
    const isCause =
      !deepEqual(before.status?.conditions, node.status?.conditions) ||
      !deepEqual(before.spec?.taints, node.spec?.taints) ||
      before.spec?.unschedulable !== node.spec?.unschedulable ||
      !deepEqual(before.metadata.labels, node.metadata.labels);
    if (!isCause) return;
    this.#updates.add(node.metadata.name);
    this.#readyWritten(before, node);
    this.#planCheck();
  }

  /**
   * A Ready condition that a user writes counts as a heartbeat if it is new or gone, or has another lastHeartbeatTime. One that
   * is Unknown is ignored.
   */
  #readyWritten(before: Node, node: Node): void {
    const [known, written] = [readyCondition(before), readyCondition(node)];
    if (deepEqual(known, written) || written?.status === "Unknown") return;
    const { name } = node.metadata;
    const isHeartbeat =
      (known === undefined) !== (written === undefined) ||
      known?.lastHeartbeatTime !== written?.lastHeartbeatTime;
    const heardAt = isHeartbeat ? undefined : this.#heard.get(name);
    this.#heartbeatChanged(name, heardAt ?? this.#heardNow());
  }

  /** A change now is noticed by the next check. */
  #heardNow(): Instant {
    return Math.ceil(this.#ctx.now / monitorMs) * monitorMs;
  }

  #heartbeatChanged(name: string, heardAt: Instant): void {
    if (this.#isSilent(name)) this.#heard.set(name, heardAt);
    else this.#heard.delete(name);
    this.#late.delete(name);
    this.#planDeadline(name);
  }

  #isSilent(name: string): boolean {
    return this.#nodes.get(name) !== undefined && this.#ctx.machine(name)?.kubeletUp !== true;
  }

  /** When a silent node's grace period ends; undefined if the node is not silent, or Unknown already. */
  #deadline(name: string): Instant | undefined {
    const node = this.#nodes.get(name);
    const heardAt = this.#heard.get(name);
    if (node === undefined || heardAt === undefined) return undefined;
    const ready = readiness(node);
    if (ready === "Unknown") return undefined;
    return heardAt + (ready === undefined ? startupGraceMs : graceMs);
  }

  #planDeadline(name: string): void {
    const deadline = this.#deadline(name);
    if (deadline !== undefined) this.#planCheck(Math.max(deadline, this.#ctx.now));
  }

  /** Plans the first check after that instant. Upstream checks every five seconds; here only if it can matter. */
  #planCheck(after = this.#ctx.now): void {
    const at = (Math.floor(after / monitorMs) + 1) * monitorMs;
    if (this.#planned !== undefined && this.#planned.at <= at) return;
    this.#planned?.cancel();
    const cancel = this.#ctx.after(at - this.#ctx.now, () => {
      this.#planned = undefined;
      this.#check();
    });
    this.#planned = { at, cancel };
  }

  /** Upstream: monitorNodeHealth. */
  #check(): void {
    const { now } = this.#ctx;
    const nodes = this.#nodes.list();
    this.#late.clear();
    for (const { metadata } of nodes) {
      const deadline = this.#deadline(metadata.name);
      if (deadline !== undefined && deadline < now) this.#late.add(metadata.name);
    }
    const seen = nodes.map((node) => ({
      node,
      ready: this.#late.has(node.metadata.name) ? "Unknown" : readiness(node),
    }));
    const isRecovery = this.#zones.update(seen, now);
    if (isRecovery) for (const name of this.#heard.keys()) this.#heard.set(name, now);
    // Even if only deleted nodes wait, because they use up their turns too.
    for (const zone of this.#zones.names) this.#planEvictions(zone);
    for (const { metadata } of nodes) {
      this.#findings.add(metadata.name);
      this.#planDeadline(metadata.name);
    }
  }

  /** Upstream: doNodeProcessingPassWorker. */
  *#update(name: Key): Reconcile {
    const node = this.#nodes.get(name);
    if (node === undefined) return done("Deleted");
    const { now } = this.#ctx;
    const failure =
      (yield* writeTaints(node, (current) => withNoScheduleTaints(current, now))) ??
      (yield* writeLabels(node));
    return failure === undefined ? done("Tainted") : retry(failure);
  }

  /** Acts on what the check has found about one node. */
  *#judge(name: Key): Reconcile {
    const node = this.#nodes.get(name);
    if (node === undefined) return done("Deleted");
    const observed = readiness(node);
    let current: Node = node;
    if (this.#late.has(name)) {
      const text =
        "the node has sent no heartbeat for the grace period of 50 s; its pods may still be running";
      this.#ctx.decide(refOf(node), { reason: "NodeStatusUnknown", text });
      const conditions = unknownConditions(node, this.#ctx.now);
      const written = yield* updateStatus<"Node">({
        ...node,
        status: { ...node.status, conditions },
      });
      if (!written.ok)
        return isNotFound(written.error) ? done("Deleted") : retry(written.error.message);
      this.#late.delete(name);
      current = written.object;
    }
    const failure = yield* this.#repel(current, observed);
    if (current !== node && observed === "True") {
      const text = `Node ${name} status is now: NodeNotReady`;
      yield* event(refOf(node), "Normal", "NodeNotReady", text);
      for (const pod of podsOnNode(this.#pods, name)) yield* markNotReady(pod, this.#ctx.now);
    }
    return failure === undefined ? done("Judged") : retry(failure);
  }

  /** Upstream: processTaintBaseEviction. Returns why it could not. */
  *#repel(node: Node, observed: string | undefined): Task<string | undefined> {
    const { now, version } = this.#ctx;
    const { name } = node.metadata;
    const zone = zoneKeyOf(node);
    const queue = this.#zones.queue(zone);
    // Before 1.34 the status from before this check counts, if the node had one.
    const ready = repelsPodsOfUnreachableNodesAtOnce(version)
      ? readiness(node)
      : (observed ?? readiness(node));
    const isStopped = this.#zones.isEvictionStopped;
    if (ready === undefined || ready === "True" || isStopped) queue.remove(name);
    if (ready === undefined) return undefined;
    if (ready !== "True" && isStopped) this.#decideStopped(node, "FullDisruption");
    if (ready === "True" || isStopped) return yield* writeTaints(node, withoutNoExecuteTaints);
    if (isRepelledOtherwise(node, ready))
      return yield* writeTaints(node, (current) => withNoExecuteTaints(current, now));
    if (isRepelled(node, ready)) return undefined;
    queue.add(name);
    if (queue.limiter.nextAt === undefined) this.#decideStopped(node, "PartialDisruption");
    this.#planEvictions(zone);
    return undefined;
  }

  #planEvictions(zone: string): void {
    const { now } = this.#ctx;
    this.#evictions.addAfter(zone, notDuringCheck(now) - now);
  }

  #decideStopped(node: Node, reason: string): void {
    const text =
      "so many nodes are not ready that the controller suspects a wider fault and evicts no pods";
    this.#ctx.decide(refOf(node), { reason, text });
  }

  /** Taints the zone's waiting nodes one after the other. Upstream: doNoExecuteTaintingPass. */
  *#evict(zone: Key): Reconcile {
    const queue = this.#zones.queue(zone);
    for (;;) {
      const { now } = this.#ctx;
      const name = queue.take(now);
      if (name === undefined) break;
      const node = this.#nodes.get(name);
      if (node === undefined) continue;
      // Writes nothing for a node that is ready again.
      const failure = yield* writeTaints(node, (current) => withNoExecuteTaints(current, now));
      if (failure !== undefined) queue.add(name);
    }
    const { nextAt } = queue;
    return nextAt === undefined
      ? done("Tainted")
      : wait("EvictionRate", notDuringCheck(nextAt) - this.#ctx.now);
  }
}

/** Postpones a taint at or just after a check, so that the check's findings come first. */
function notDuringCheck(at: Instant): Instant {
  return Math.max(at, Math.floor(at / monitorMs) * monitorMs + noExecutePassMs);
}

/** Returns why it could not. */
function* writeTaints(
  node: Node,
  change: (current: Node) => readonly NonNullable<Node["spec"]["taints"]>[number][],
): Task<string | undefined> {
  if (deepEqual(change(node), node.spec?.taints ?? [])) return undefined;
  const written = yield* patch("Node", undefined, node.metadata.name, (current) => {
    const { taints: _, ...spec } = current.spec ?? {};
    const taints = change(current);
    return { ...current, spec: taints.length === 0 ? spec : { ...spec, taints } };
  });
  return written.ok || isNotFound(written.error) ? undefined : written.error.message;
}

/** Returns why it could not. */
function* writeLabels(node: Node): Task<string | undefined> {
  const labels = outdatedLabels(node);
  if (labels === undefined) return undefined;
  const written = yield* patch("Node", undefined, node.metadata.name, (current) => ({
    ...current,
    metadata: { ...current.metadata, labels: { ...current.metadata.labels, ...labels } },
  }));
  return written.ok || isNotFound(written.error) ? undefined : written.error.message;
}

function unknownConditions(node: Node, now: Instant): readonly NodeCondition[] {
  const at = timestamp(now);
  const watched = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];
  const current = node.status?.conditions ?? [];
  const changed = current.map((condition) =>
    watched.includes(condition.type) && condition.status !== "Unknown"
      ? {
          ...condition,
          status: "Unknown",
          reason: "NodeStatusUnknown",
          message: "Kubelet stopped posting node status.",
          lastTransitionTime: at,
        }
      : condition,
  );
  const missing = watched.filter((type) => !current.some((condition) => condition.type === type));
  return [
    ...changed,
    ...missing.map((type) => ({
      type,
      status: "Unknown",
      reason: "NodeStatusNeverUpdated",
      message: "Kubelet never posted node status.",
      lastHeartbeatTime: node.metadata.creationTimestamp,
      lastTransitionTime: at,
    })),
  ];
}

function* markNotReady(pod: KubeObject<"Pod">, now: Instant): Task {
  if (!isPodReady(pod)) return;
  const { namespace, name } = pod.metadata;
  const written = yield* patch(
    "Pod",
    namespace,
    name,
    (current) => ({
      ...current,
      status: {
        ...current.status,
        conditions: (current.status?.conditions ?? []).map((condition) =>
          condition.type === "Ready"
            ? { ...condition, status: "False", lastTransitionTime: timestamp(now) }
            : condition,
        ),
      },
    }),
    "status",
  );
  if (written.ok) yield* event(refOf(pod), "Warning", "NodeNotReady", "Node is not ready");
}
