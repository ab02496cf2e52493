/**
 * Pods that wait for a node: ready ones by priority and time, failed ones until their back-off is over, rejected ones until an
 * event that may help. Upstream: kube-scheduler v1.36 pkg/scheduler/backend/queue/{scheduling,active,backoff}_queue.go. A cycle
 * takes no virtual time between popping a pod and putting it back, so no event comes in between and upstream's bookkeeping of
 * in-flight events is not needed.
 */
import { type Key, keyOf } from "../../api/meta.ts";
import type { Pod } from "../../api/types.ts";
import type { CancelTimer, ComponentContext } from "../../runtime/component.ts";
import type { Instant } from "../../trace/instant.ts";
import { countsErrorsApart, popsFromBackoff } from "../../version-differences.ts";
import { type PodInfo, podInfo, updatedPodInfo } from "../cache/pod-info.ts";
import { type ClusterEvent, type EventName, eventObject } from "../framework/cluster-event.ts";
import type { Plugin, PluginName, QueueingHint, Rejection } from "../framework/plugin.ts";
import { Heap } from "./heap.ts";

const initialBackoffMs = 1_000;
const maxBackoffMs = 10_000;
const maxUnschedulableMs = 300_000;
const flushMs = 30_000;
/** Upstream: backoffQOrderingWindowDuration. */
const windowMs = 1_000;

type Place = "active" | "backoff" | "error-backoff" | "unschedulable" | "none";

/** A pod with its history in the queue. */
export interface QueuedPod {
  info: PodInfo;
  /**
   * How often plugins rejected it, and how often it failed with an error since; either makes its back-off longer. Versions that
   * do not count errors separately count each failure as a rejection.
   */
  rejections: number;
  errors: number;
  /** When it last came back to the queue. */
  since: Instant;
  /** The plugins that rejected it; empty after an error. */
  rejectedBy: ReadonlySet<PluginName>;
  /** The PreEnqueue plugin that kept it out when it was last to be queued. */
  gatedBy?: PluginName | undefined;
  place: Place;
  /** Grows with every move; heap entries with an older stamp are stale. */
  stamp: number;
}

/** A heap entry, with the pod's values at the time it was pushed. */
interface Entry {
  readonly pod: QueuedPod;
  readonly stamp: number;
  readonly priority: number;
  readonly since: Instant;
  readonly backoffEnd: Instant;
}

function entryOf(pod: QueuedPod): Entry {
  const { stamp, since, info } = pod;
  return { pod, stamp, priority: info.priority, since, backoffEnd: backoffEnd(pod) };
}

/** Upstream: PrioritySort. */
function byOrder(a: Entry, b: Entry): number {
  return b.priority - a.priority || a.since - b.since || a.stamp - b.stamp;
}

function byExpiry(a: Entry, b: Entry): number {
  return a.backoffEnd - b.backoffEnd || byOrder(a, b);
}

/** Pods whose back-off ends within the same second are ordered like ready pods. Upstream: lessBackoffCompletedWithPriority. */
function byExpirySecond(a: Entry, b: Entry): number {
  return windowOf(a.backoffEnd) - windowOf(b.backoffEnd) || byOrder(a, b);
}

/** Returns what keeps a pod out of the queue; undefined if nothing does. Upstream: PreEnqueue plugins. */
export type PreEnqueue = (pod: Pod) => Rejection | undefined;

export class SchedulingQueue {
  readonly #context: ComponentContext;
  readonly #hints = new Map<EventName, readonly (readonly [PluginName, QueueingHint])[]>();
  readonly #preEnqueue: PreEnqueue;
  readonly #onReady: () => void;
  readonly #popsFromBackoff: boolean;
  readonly #countsErrorsApart: boolean;
  readonly #pods = new Map<string, QueuedPod>();
  /** Rejected pods by the plugins that rejected them. */
  readonly #rejected = new Map<PluginName, Set<QueuedPod>>();
  /** Rejected pods by the claims they use: an event about a claim can only help these. */
  readonly #rejectedByClaim = new Map<Key, Set<QueuedPod>>();
  readonly #active: Heap<Entry>;
  readonly #backoff: Heap<Entry>;
  readonly #errorBackoff: Heap<Entry>;
  #stamp = 0;
  #backoffTimer: CancelTimer | undefined;
  #flushTimer: CancelTimer | undefined;

  /** `onReady` is called whenever a pod can be popped. */
  constructor(
    context: ComponentContext,
    plugins: readonly Plugin[],
    preEnqueue: PreEnqueue,
    onReady: () => void,
  ) {
    this.#context = context;
    this.#preEnqueue = preEnqueue;
    this.#onReady = onReady;
    this.#popsFromBackoff = popsFromBackoff(context.version);
    this.#countsErrorsApart = countsErrorsApart(context.version);
    for (const { name, hints } of plugins) {
      for (const hint of hints) {
        this.#hints.set(hint.event, [...(this.#hints.get(hint.event) ?? []), [name, hint]]);
      }
    }
    this.#active = new Heap((a, b) => byOrder(a, b) < 0);
    const compare = this.#popsFromBackoff ? byExpirySecond : byExpiry;
    this.#backoff = new Heap((a, b) => compare(a, b) < 0);
    this.#errorBackoff = new Heap((a, b) => byExpiry(a, b) < 0);
  }

  /** Adds a new pod. */
  add(pod: Pod): void {
    const queued: QueuedPod = {
      info: podInfo(pod),
      rejections: 0,
      errors: 0,
      since: this.#context.now,
      rejectedBy: new Set(),
      place: "none",
      stamp: 0,
    };
    this.#pods.set(queued.info.uid, queued);
    this.#activate(queued);
  }

  /** Takes a newer version of a waiting pod; `events` say what has changed. Upstream: Update. */
  update(pod: Pod, events: readonly ClusterEvent[]): void {
    const queued = this.#pods.get(pod.metadata.uid);
    if (queued === undefined) {
      this.add(pod);
      return;
    }
    // A pod's volumes never change, so it stays filed under the same claims.
    queued.info = updatedPodInfo(queued.info, pod);
    if (queued.place !== "unschedulable") return;
    for (const event of events) {
      if (this.#isWorthIt(queued, event)) {
        this.#requeue(queued);
        return;
      }
    }
  }

  /** Removes a pod that is gone or has a node. */
  delete(uid: string): void {
    const queued = this.#pods.get(uid);
    if (queued === undefined) return;
    this.#pods.delete(uid);
    this.#move(queued, "none");
  }

  /** Retries the rejected pods that the event may help. Upstream: MoveAllToActiveOrBackoffQueue. */
  moveAll(event: ClusterEvent, isMeant: (pod: PodInfo) => boolean = everyPod): void {
    if (this.#rejected.size === 0 && this.#rejectedByClaim.size === 0) return;
    for (const queued of this.#wokenBy(event))
      if (isMeant(queued.info) && this.#mayOpen(queued, event)) this.#requeue(queued);
  }

  /** True unless the pod is gated by a plugin that has no hint for this event. Upstream: GatingPluginEvents. */
  #mayOpen({ gatedBy }: QueuedPod, { name }: ClusterEvent): boolean {
    return (
      gatedBy === undefined || (this.#hints.get(name) ?? []).some(([plugin]) => plugin === gatedBy)
    );
  }

  #wokenBy(event: ClusterEvent): ReadonlySet<QueuedPod> {
    const object = eventObject(event);
    const woken = new Set<QueuedPod>();
    if (object.kind === "PersistentVolumeClaim") {
      for (const queued of this.#rejectedByClaim.get(keyOf(object)) ?? [])
        if (this.#isWorthIt(queued, event)) woken.add(queued);
    } else {
      for (const [plugin, hint] of this.#hints.get(event.name) ?? []) {
        for (const queued of this.#rejected.get(plugin) ?? [])
          if (!woken.has(queued) && (hint.wakes?.(queued.info, event) ?? true)) woken.add(queued);
      }
    }
    return woken;
  }

  /** Makes the pod ready now, whatever it waits for. Upstream: Activate. */
  activate(uid: string): void {
    const queued = this.#pods.get(uid);
    if (queued !== undefined && queued.place !== "active" && queued.place !== "none")
      this.#activate(queued);
  }

  /** Returns the pod to schedule next; undefined if none is ready. Upstream: Pop. */
  pop(): QueuedPod | undefined {
    const queued =
      this.#take(this.#active, "active") ??
      (this.#popsFromBackoff ? this.#take(this.#backoff, "backoff") : undefined);
    if (queued === undefined) return undefined;
    this.#move(queued, "none");
    return queued;
  }

  /** Puts back a popped pod that could not be scheduled. Upstream: AddUnschedulableIfNotPresent. */
  putBack(queued: QueuedPod, rejectedBy: ReadonlySet<PluginName>): void {
    if (this.#pods.get(queued.info.uid) !== queued || queued.place !== "none") return;
    queued.since = this.#context.now;
    queued.rejectedBy = rejectedBy;
    const isError = rejectedBy.size === 0;
    if (isError && this.#countsErrorsApart) queued.errors++;
    else {
      queued.errors = 0;
      queued.rejections++;
    }
    if (isError) this.#requeue(queued);
    else this.#park(queued);
  }

  #isWorthIt(queued: QueuedPod, event: ClusterEvent): boolean {
    return (this.#hints.get(event.name) ?? []).some(
      ([plugin, hint]) =>
        queued.rejectedBy.has(plugin) && (hint.wakes?.(queued.info, event) ?? true),
    );
  }

  /** Upstream: requeuePodViaQueueingHint. */
  #requeue(queued: QueuedPod): void {
    if (!this.#isBackingOff(backoffEnd(queued))) {
      this.#activate(queued);
      return;
    }
    const isError = queued.rejectedBy.size === 0;
    // An idle scheduler pops pods from back-off, so gated pods must not get in there. Upstream: moveToBackoffQ.
    if (this.#popsFromBackoff && this.#isGated(queued)) return;
    this.#move(queued, isError ? "error-backoff" : "backoff");
    (isError ? this.#errorBackoff : this.#backoff).push(entryOf(queued));
    if (this.#popsFromBackoff && !isError) this.#onReady();
    else this.#armBackoff();
  }

  #activate(queued: QueuedPod): void {
    if (this.#isGated(queued)) return;
    this.#move(queued, "active");
    this.#active.push(entryOf(queued));
    this.#onReady();
  }

  /** Parks the pod and returns true if a PreEnqueue plugin keeps it out. Upstream: runPreEnqueuePlugins. */
  #isGated(queued: QueuedPod): boolean {
    const gate = this.#preEnqueue(queued.info.pod);
    queued.gatedBy = gate?.plugin;
    if (gate === undefined) return false;
    queued.rejectedBy = new Set([...queued.rejectedBy, gate.plugin]);
    this.#park(queued);
    return true;
  }

  #park(queued: QueuedPod): void {
    this.#move(queued, "unschedulable");
    for (const plugin of queued.rejectedBy) file(this.#rejected, plugin, queued);
    for (const claim of queued.info.allClaimKeys) file(this.#rejectedByClaim, claim, queued);
    this.#armFlush(queued.since);
  }

  #move(queued: QueuedPod, place: Place): void {
    if (queued.place === "unschedulable") {
      for (const plugin of queued.rejectedBy) unfile(this.#rejected, plugin, queued);
      for (const claim of queued.info.allClaimKeys) unfile(this.#rejectedByClaim, claim, queued);
    }
    queued.place = place;
    queued.stamp = ++this.#stamp;
  }

  #take(heap: Heap<Entry>, place: Place): QueuedPod | undefined {
    for (;;) {
      const entry = heap.pop();
      if (entry === undefined) return undefined;
      if (entry.pod.place === place && entry.pod.stamp === entry.stamp) return entry.pod;
    }
  }

  /** Where windows of a second are compared, a back-off lasts until the end of its window. Upstream: isPodBackingoff. */
  #isBackingOff(end: Instant): boolean {
    const { now } = this.#context;
    return this.#popsFromBackoff ? windowOf(end) >= windowOf(now) : end > now;
  }

  /**
   * Sets the timer for the earliest end of a back-off, at whole seconds (waitUntilAlignedWithOrderingWindow). Upstream:
   * flushBackoffQCompleted.
   */
  #armBackoff(): void {
    if (this.#backoffTimer !== undefined) return;
    const ends = [this.#backoff, this.#errorBackoff].flatMap((heap) =>
      heap.first === undefined ? [] : [heap.first.backoffEnd],
    );
    if (ends.length === 0) return;
    const end = Math.min(...ends);
    const window = this.#popsFromBackoff ? windowOf(end) + 1 : Math.ceil(end / windowMs);
    const delayMs = Math.max(0, window * windowMs - this.#context.now);
    this.#backoffTimer = this.#context.after(delayMs, () => {
      this.#backoffTimer = undefined;
      this.#flushBackoff(this.#backoff, "backoff");
      this.#flushBackoff(this.#errorBackoff, "error-backoff");
      this.#armBackoff();
    });
  }

  #flushBackoff(heap: Heap<Entry>, place: Place): void {
    for (let entry = heap.first; entry !== undefined; entry = heap.first) {
      const isCurrent = entry.pod.place === place && entry.pod.stamp === entry.stamp;
      if (isCurrent && this.#isBackingOff(entry.backoffEnd)) return;
      heap.pop();
      if (isCurrent) this.#activate(entry.pod);
    }
  }

  /** Retries pods parked for over 5 minutes, checked every 30 s; gated pods stay. Upstream: flushUnschedulablePodsLeftover. */
  #armFlush(since: Instant): void {
    if (this.#flushTimer !== undefined) return;
    const { now } = this.#context;
    const delayMs = nextFlush(Math.max(since + maxUnschedulableMs, now)) - now;
    this.#flushTimer = this.#context.after(delayMs, () => {
      this.#flushTimer = undefined;
      const waiting = [...this.#pods.values()].filter(
        ({ place, info }) => place === "unschedulable" && this.#preEnqueue(info.pod) === undefined,
      );
      const isOver = (pod: QueuedPod): boolean =>
        this.#context.now - pod.since > maxUnschedulableMs;
      const rest = waiting.filter((pod) => !isOver(pod));
      if (rest.length > 0) this.#armFlush(Math.min(...rest.map((pod) => pod.since)));
      for (const queued of waiting) if (isOver(queued)) this.#requeue(queued);
    });
  }
}

/** Returns the first flush after the instant. */
function nextFlush(instant: Instant): Instant {
  return (Math.floor(instant / flushMs) + 1) * flushMs;
}

function everyPod(): boolean {
  return true;
}

/**
 * The first failure costs a second, each further one twice as much, at most 10 s. Upstream: getBackoffTime,
 * calculateBackoffDuration.
 */
function backoffEnd({ errors, rejections, since }: QueuedPod): Instant {
  const count = errors > 0 ? errors : rejections;
  if (count === 0) return Number.NEGATIVE_INFINITY;
  return since + Math.min(initialBackoffMs * 2 ** (count - 1), maxBackoffMs);
}

/** Upstream: alignToWindow. */
function windowOf(instant: Instant): number {
  return Math.floor(instant / windowMs);
}

function file<K>(index: Map<K, Set<QueuedPod>>, key: K, queued: QueuedPod): void {
  const pods = index.get(key);
  if (pods === undefined) index.set(key, new Set([queued]));
  else pods.add(queued);
}

function unfile<K>(index: Map<K, Set<QueuedPod>>, key: K, queued: QueuedPod): void {
  const pods = index.get(key);
  pods?.delete(queued);
  if (pods?.size === 0) index.delete(key);
}
