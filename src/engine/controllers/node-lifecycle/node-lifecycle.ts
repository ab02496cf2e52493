/**
 * Notices that a kubelet is silent, taints the node and marks its pods. Upstream: kube-controller-manager v1.36,
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go. Heartbeats are not objects here: the controller hears from the
 * machine when they cease and when they begin again. A Node without a machine has nobody who could send one.
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
import { done, type Outcome, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import type { Instant } from "../../trace/instant.ts";
import { repelsPodsOfUnreachableNodesAtOnce } from "../../version-differences.ts";
import { indexPodsByNode, podsOnNode } from "../workload/pods-by-node.ts";
import { EvictionLimiter } from "./eviction-limiter.ts";
import { outdatedLabels } from "./labels.ts";
import { Registrations } from "./registrations.ts";
import {
  isRepelledOtherwise,
  readiness,
  withNoExecuteTaints,
  withNoScheduleTaints,
  withoutNoExecuteTaints,
} from "./taints.ts";
import { Zones } from "./zones.ts";

type Node = KubeObject<"Node">;

/** The kubelet renews its lease so often. */
const renewMs = 10_000;
/** Upstream: NodeMonitorPeriod, NodeMonitorGracePeriod (50 s since 1.32) and NodeStartupGracePeriod. */
const monitorMs = 5_000;
/** Upstream: scheduler.NodeEvictionPeriod. */
const noExecutePassMs = 100;
const graceMs = 50_000;
const startupGraceMs = 60_000;

export const nodeLifecycleController: Component = {
  name: "node-lifecycle-controller",
  source: "node-controller",
  start: (ctx) => new NodeLifecycle(ctx).run(),
};

class NodeLifecycle {
  readonly #ctx: ComponentContext;
  readonly #nodes: Informer<"Node">;
  readonly #pods: Informer<"Pod">;
  readonly #taints: WorkQueue;
  readonly #health: WorkQueue;
  readonly #deadlines = new Map<string, CancelTimer>();
  /** By node, when it was last heard of. Upstream: nodeHealthData.probeTimestamp. */
  readonly #heard = new Map<string, Instant>();
  /** By zone. */
  readonly #limiters = new Map<string, EvictionLimiter>();

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#nodes = ctx.informer("Node");
    this.#pods = ctx.informer("Pod");
    this.#taints = ctx.queue({ workers: 8, sync: (key) => this.#syncTaints(key) });
    this.#health = ctx.queue({ workers: 8, sync: (key) => this.#markUnknown(key) });
  }

  run(): void {
    indexPodsByNode(this.#pods);
    const registrations = new Registrations(this.#ctx, this.#nodes, monitorMs);
    for (const machine of this.#ctx.machines) {
      // Through a timer, for a crash forgets timers but not who listens.
      machine.onHeartbeatChange(() =>
        this.#ctx.after(0, () =>
          this.#heartbeatChanged(machine.name, Math.floor(this.#ctx.now / renewMs) * renewMs),
        ),
      );
    }
    this.#nodes.on({
      add: (node) => {
        this.#taints.add(node.metadata.name);
        const isSilentSoFar = readyCondition(node) === undefined;
        const createdAt = instantOf(node.metadata.creationTimestamp);
        this.#heartbeatChanged(node.metadata.name, isSilentSoFar ? createdAt : this.#nextLook());
        registrations.changed(node);
      },
      update: (before, node) => this.#nodeUpdated(before, node),
      delete: (node) => {
        this.#stopWaiting(node.metadata.name);
        this.#wakeNotReady();
        registrations.changed(node);
      },
    });
  }

  #nodeUpdated(before: Node, node: Node): void {
    const isCause =
      !deepEqual(before.status?.conditions, node.status?.conditions) ||
      !deepEqual(before.spec?.taints, node.spec?.taints) ||
      before.spec?.unschedulable !== node.spec?.unschedulable ||
      outdatedLabels(node) !== undefined;
    if (isCause) this.#taints.add(node.metadata.name);
    // Whether other nodes' pods may be evicted depends on how many nodes are well.
    if (readiness(before) !== readiness(node)) this.#wakeNotReady();
    this.#readyWritten(before, node);
  }

  /** What somebody writes in the kubelet's place passes for its heartbeat, if it says that there was one. */
  #readyWritten(before: Node, node: Node): void {
    const [known, written] = [readyCondition(before), readyCondition(node)];
    if (deepEqual(known, written) || written?.status === "Unknown") return;
    const { name } = node.metadata;
    const isHeartbeat =
      (known === undefined) !== (written === undefined) ||
      known?.lastHeartbeatTime !== written?.lastHeartbeatTime;
    const heardAt = isHeartbeat ? undefined : this.#heard.get(name);
    this.#heartbeatChanged(name, heardAt ?? this.#nextLook());
  }

  #nextLook(): Instant {
    return Math.ceil(this.#ctx.now / monitorMs) * monitorMs;
  }

  #wakeNotReady(): void {
    for (const node of this.#nodes.list())
      if (readiness(node) !== "True") this.#taints.add(node.metadata.name);
  }

  #stopWaiting(name: string): void {
    this.#deadlines.get(name)?.();
    this.#deadlines.delete(name);
    this.#heard.delete(name);
  }

  #heartbeatChanged(name: string, heardAt: Instant): void {
    const node = this.#nodes.get(name);
    this.#stopWaiting(name);
    if (node === undefined || this.#ctx.machine(name)?.kubeletUp === true) return;
    this.#heard.set(name, heardAt);
    const { now } = this.#ctx;
    const deadline = heardAt + (readiness(node) === undefined ? startupGraceMs : graceMs);
    const noticedAt = (Math.floor(Math.max(now, deadline) / monitorMs) + 1) * monitorMs;
    this.#deadlines.set(
      name,
      this.#ctx.after(noticedAt - now, () => this.#health.add(name)),
    );
  }

  /** Upstream: tryUpdateNodeHealth, and MarkPodsNotReady. */
  *#markUnknown(name: Key): Reconcile {
    const node = this.#nodes.get(name);
    if (node === undefined || this.#ctx.machine(name)?.kubeletUp === true) return done("Healthy");
    const ready = readiness(node);
    const text =
      "no heartbeat for the grace period of 50 s: whatever runs there, nobody hears of it";
    this.#ctx.decide(refOf(node), { reason: "NodeStatusUnknown", text });
    // Then the other conditions stay what they are, too, and those that are missing are missed by nobody.
    if (ready === "Unknown") return done("NodeStatusUnknown");
    const conditions = unknownConditions(node, this.#ctx.now);
    const written = yield* updateStatus<"Node">({
      ...node,
      status: { ...node.status, conditions },
    });
    if (!written.ok)
      return isNotFound(written.error) ? done("Deleted") : retry(written.error.message);
    if (ready !== "True") return done("NodeStatusUnknown");
    yield* event(refOf(node), "Normal", "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
    for (const pod of podsOnNode(this.#pods, name)) yield* markNotReady(pod, this.#ctx.now);
    return done("NodeStatusUnknown");
  }

  *#syncTaints(name: Key): Reconcile {
    const node = this.#nodes.get(name);
    if (node === undefined) return done("Deleted");
    const { now } = this.#ctx;
    const first = yield* writeTaints(node, (current) => withNoScheduleTaints(current, now));
    if (first !== undefined) return retry(first);
    const labelled = yield* writeLabels(node);
    if (labelled !== undefined) return retry(labelled);
    const ready = readiness(node);
    const isWell = ready === "True" || ready === undefined;
    if (isWell && deepEqual(withoutNoExecuteTaints(node), node.spec?.taints ?? []))
      return done("Reachable");
    const pass = this.#nextPass(node);
    if (pass > now) return wait("NodeMonitorPeriod", pass - now);
    if (isWell) {
      const failure = yield* writeTaints(node, withoutNoExecuteTaints);
      return failure === undefined ? done("Reachable") : retry(failure);
    }
    return yield* this.#evict(node);
  }

  /** How nodes are, and how many, is looked at every five seconds. Upstream: monitorNodeHealth. */
  #nextPass(node: Node): Instant {
    const { now, version } = this.#ctx;
    const sincePassMs = now % monitorMs;
    const pass = sincePassMs < noExecutePassMs ? now : now - sincePassMs + monitorMs;
    const ready = readyCondition(node);
    if (ready?.status !== "Unknown" || repelsPodsOfUnreachableNodesAtOnce(version)) return pass;
    // Where there was no condition, it is what was made up in its place that is looked at.
    if (ready.reason === "NodeStatusNeverUpdated") return pass;
    const foundOutAt = instantOf(ready.lastTransitionTime ?? timestamp(now));
    return Math.max(pass, foundOutAt + monitorMs);
  }

  /**
   * Upstream: processTaintBaseEviction, doNoExecuteTaintingPass with one rate limiter for each zone. A taint that takes the
   * place of another evicts nobody anew and waits for no limit.
   */
  *#evict(node: Node): Task<Outcome> {
    const { now } = this.#ctx;
    const zones = new Zones(this.#nodes.list());
    const zone = zoneKeyOf(node);
    if (isRepelledOtherwise(node) && !zones.areAllFullyDisrupted) {
      const failure = yield* writeTaints(node, (current) => withNoExecuteTaints(current, now));
      return failure === undefined ? done("Tainted") : retry(failure);
    }
    const limiter = this.#limiters.get(zone) ?? new EvictionLimiter();
    this.#limiters.set(zone, limiter);
    const intervalMs = zones.evictionIntervalMs(zone);
    limiter.setInterval(intervalMs, now);
    if (intervalMs === undefined) {
      this.#ctx.decide(refOf(node), {
        reason: zones.areAllFullyDisrupted ? "FullDisruption" : "PartialDisruption",
        text: "so many nodes seem down that the fault is more likely elsewhere: no pods are evicted",
      });
      if (!zones.areAllFullyDisrupted) return done("PartialDisruption");
      const failure = yield* writeTaints(node, withoutNoExecuteTaints);
      return failure === undefined ? done("FullDisruption") : retry(failure);
    }
    if (
      withNoExecuteTaints(node, now).every((taint) => node.spec?.taints?.includes(taint) === true)
    )
      return done("Tainted");
    if (limiter.nextAt > now) return wait("EvictionRate", limiter.nextAt - now);
    limiter.take(now);
    const failure = yield* writeTaints(node, (current) => withNoExecuteTaints(current, now));
    return failure === undefined ? done("Tainted") : retry(failure);
  }
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
