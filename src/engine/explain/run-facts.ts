/** A trace indexed by object: the state at one moment, and the events and decisions about each object up to then. */
import { push } from "../api/go/multi-map.ts";
import {
  type ApiError,
  type Kind,
  type KubeObject,
  makeRef,
  nameOfRef,
  type Ref,
} from "../api/meta.ts";
import type { DriverKnowledge } from "../csi/catalogue/driver-knowledge.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { KubernetesVersion } from "../scenario.ts";
import type { Decision } from "../trace/decision.ts";
import type {
  DecisionEntry,
  EventEntry,
  RefusedEntry,
  RequestEntry,
  WriteEntry,
} from "../trace/entry.ts";
import type { Instant } from "../trace/instant.ts";
import { Trace } from "../trace/trace.ts";
import { freesRoomOfAssumedPodsAtOnce } from "../version-differences.ts";

/** A component that decides and writes, by its name or the first word of it. Its events may have another source. */
export type Actor =
  | "attachdetach-controller"
  | "cluster"
  | "csi-snapshotter"
  | "daemonset-controller"
  | "deployment-controller"
  | "external-provisioner"
  | "external-resizer"
  | "kube-scheduler"
  | "kubelet"
  | "path-provisioner"
  | "persistentvolume-binder"
  | "statefulset-controller"
  | "taint-eviction-controller";

const freshMs = 5_000;

/** Computes `make` once for each RunFacts, at first use: an index, so that not every object has to search all others. */
export function onceOf<T extends object>(make: (facts: RunFacts) => T): (facts: RunFacts) => T {
  const made = new WeakMap<RunFacts, T>();
  return (facts) => {
    const known = made.get(facts);
    if (known !== undefined) return known;
    const value = make(facts);
    made.set(facts, value);
    return value;
  };
}

/** The node of a pod that ended or went with this write, or of an attachment that went; else undefined. */
function nodeLeft(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): string | undefined {
  switch (before?.kind) {
    case "Pod":
      return isPodEnded(before) || (after?.kind === "Pod" && !isPodEnded(after))
        ? undefined
        : before.spec.nodeName;
    case "VolumeAttachment":
      return after === undefined ? before.spec.nodeName : undefined;
    default:
      return undefined;
  }
}

/** The pod or the attachment that last left a node, with the trace entry of its leaving. */
type LastToLeave = Pick<WriteEntry, "ref" | "seq" | "at">;

export class RunFacts {
  readonly drivers: DriverKnowledge;
  readonly version: KubernetesVersion;
  readonly #objects: Map<Ref, KubeObject>;
  #now: Instant;
  readonly #events = new Map<Ref, EventEntry[]>();
  readonly #decisions = new Map<Ref, DecisionEntry[]>();
  readonly #byKind = new Map<Kind, KubeObject[]>();
  /** Objects for which the API server refused the user's last request, with its answer. */
  readonly #refused = new Map<Ref, RequestEntry>();
  /** The last refused write of a component to each object, until that component writes the object. */
  readonly #refusals = new Map<Ref, RefusedEntry>();
  readonly #writtenAt = new Map<Ref, Instant>();
  /** The write that began an object's deletion; finalizers may have kept the object after it. */
  readonly #deletions = new Map<Ref, WriteEntry>();
  /** When users last wrote something of a kind. */
  readonly #changedAt = new Map<Kind, Instant>();
  readonly #lastToLeave = new Map<string, LastToLeave>();
  /** Before 1.35: deleted pods, by the node the scheduler had chosen, until it finds that it cannot bind them. */
  readonly #unbound = new Map<Ref, Set<Ref>>();
  /** The last state of each component and driver that was started or stopped. */
  readonly #lifecycles = new Map<string, string>();
  /** Drivers whose controllers have not answered a call yet. */
  readonly #busy: ReadonlySet<string>;

  /** The facts after entry `seq`, by default the last one. */
  constructor(trace: Trace, seq: number = trace.entries.length - 1) {
    this.drivers = trace.drivers;
    this.version = trace.version;
    this.#objects = new Map(trace.stateAt(seq));
    this.#now = seq < trace.entries.length - 1 ? (trace.entries[seq]?.at ?? 0) : trace.now;
    for (const object of this.#objects.values()) push(this.#byKind, object.kind, object);
    const unanswered = new Map<number, string>();
    for (let i = 0; i <= seq; i++) {
      const entry = trace.entries[i];
      if (entry?.type === "event") push(this.#events, entry.about, entry);
      else if (entry?.type === "decision") this.#noteDecision(entry);
      else if (entry?.type === "lifecycle") this.#lifecycles.set(entry.what, entry.state);
      else if (entry?.type === "request") this.#noteAnswer(entry);
      else if (entry?.type === "refused") this.#noteRefusal(entry);
      else if (entry?.type === "write") this.#noteWrite(entry);
      else if (entry?.type === "call" && entry.node === "") unanswered.set(entry.id, entry.driver);
      else if (entry?.type === "answer") unanswered.delete(entry.id);
    }
    this.#busy = new Set(unanswered.values());
  }

  #noteDecision(entry: DecisionEntry): void {
    const { about, decision, seq, at } = entry;
    push(this.#decisions, about, entry);
    if (decision.reason !== "SchedulerError") return;
    for (const [node, pods] of this.#unbound)
      if (pods.delete(about)) this.#lastToLeave.set(nameOfRef(node), { ref: about, seq, at });
  }

  #noteWrite(entry: WriteEntry): void {
    const { ref, actor, at, before, after } = entry;
    this.#writtenAt.set(ref, at);
    const isDeleted = after === undefined || after.metadata.deletionTimestamp !== undefined;
    if (before === undefined || !isDeleted) this.#deletions.delete(ref);
    else if (!this.#deletions.has(ref)) this.#deletions.set(ref, entry);
    const left = nodeLeft(before, after);
    if (left !== undefined) this.#lastToLeave.set(left, entry);
    const { kind } = after ?? before ?? {};
    if (before === undefined) this.#forgetNamesake(ref);
    if (after === undefined && before?.kind === "Pod" && before.spec.nodeName === undefined)
      this.#noteUnbound(entry);
    // The refused change was to an object that is gone now.
    if (after === undefined) this.#refused.delete(ref);
    if (actor === "user" && kind !== undefined) this.#changedAt.set(kind, at);
    if (this.#refusals.get(ref)?.actor === actor) this.#refusals.delete(ref);
  }

  /** Remembers a pod that was deleted before it was bound, if the scheduler had chosen a node for it. */
  #noteUnbound(entry: WriteEntry): void {
    const node = this.lastDecision(entry.ref, "kube-scheduler")?.chosen;
    if (node === undefined) return;
    const known = this.#unbound.get(node);
    if (freesRoomOfAssumedPodsAtOnce(this.version)) this.#lastToLeave.set(nameOfRef(node), entry);
    else if (known === undefined) this.#unbound.set(node, new Set([entry.ref]));
    else known.add(entry.ref);
  }

  /** Drops the events, decisions and refusals of an earlier object of the same name. */
  #forgetNamesake(ref: Ref): void {
    this.#events.delete(ref);
    this.#decisions.delete(ref);
    this.#refusals.delete(ref);
  }

  /** Keeps refused creates and patches, but not refused deletes nor patches of objects that do not exist. */
  #noteAnswer(entry: RequestEntry): void {
    const { verb, ref, status } = entry;
    if (status < 400) this.#refused.delete(ref);
    else if (verb === "create" || (verb === "patch" && status !== 404))
      this.#refused.set(ref, entry);
  }

  /** Ignores conflicts and objects that exist already: the component retries these with the newest version. */
  #noteRefusal(entry: RefusedEntry): void {
    const { reason } = entry.error;
    if (reason !== "Conflict" && reason !== "AlreadyExists") this.#refusals.set(entry.ref, entry);
  }

  /** The facts of several independent runs. An object that several runs have is taken from the first. */
  static united(all: readonly RunFacts[]): RunFacts {
    const facts = new RunFacts(new Trace(all[0]?.drivers, all[0]?.version));
    for (const part of all) facts.#take(part);
    return facts;
  }

  #take(part: RunFacts): void {
    this.#now = Math.max(this.#now, part.#now);
    for (const [ref, answer] of part.#refused) this.#refused.set(ref, answer);
    for (const [ref, at] of part.#writtenAt) this.#writtenAt.set(ref, at);
    for (const [ref, entry] of part.#deletions) this.#deletions.set(ref, entry);
    for (const [what, state] of part.#lifecycles)
      if (!this.#lifecycles.has(what)) this.#lifecycles.set(what, state);
    for (const [kind, at] of part.#changedAt)
      this.#changedAt.set(kind, Math.max(at, this.changedAt(kind)));
    for (const [ref, object] of part.#objects) {
      if (this.#objects.has(ref)) continue;
      this.#objects.set(ref, object);
      push(this.#byKind, object.kind, object);
      const [events, decisions] = [part.#events.get(ref), part.#decisions.get(ref)];
      if (events !== undefined) this.#events.set(ref, events);
      if (decisions !== undefined) this.#decisions.set(ref, decisions);
      const refusal = part.#refusals.get(ref);
      if (refusal !== undefined) this.#refusals.set(ref, refusal);
    }
  }

  /** The moment that is judged. */
  get now(): Instant {
    return this.#now;
  }

  get objects(): ReadonlyMap<Ref, KubeObject> {
    return this.#objects;
  }

  get<K extends Kind>(
    kind: K,
    namespace: string | undefined,
    name: string,
  ): KubeObject<K> | undefined {
    return this.objects.get(makeRef(kind, namespace, name)) as KubeObject<K> | undefined;
  }

  list<K extends Kind>(kind: K): readonly KubeObject<K>[] {
    return (this.#byKind.get(kind) ?? []) as KubeObject<K>[];
  }

  /** True if the object was written in the last seconds, so that even a running component may not have acted on it yet. */
  isFresh(ref: Ref): boolean {
    return this.now - (this.#writtenAt.get(ref) ?? Number.NEGATIVE_INFINITY) < freshMs;
  }

  /** The write that began the deletion of an object that is gone; undefined if it exists, or never did. */
  deletion(ref: Ref): WriteEntry | undefined {
    return this.#objects.has(ref) ? undefined : this.#deletions.get(ref);
  }

  /** When users last wrote an object of the kind; negative infinity if never. */
  changedAt(kind: Kind): Instant {
    return this.#changedAt.get(kind) ?? Number.NEGATIVE_INFINITY;
  }

  /** Undefined if nothing has left the node, and in facts of several runs. */
  lastToLeave(node: string): LastToLeave | undefined {
    return this.#lastToLeave.get(node);
  }

  /** A deleted pod whose room on the node the scheduler has not freed yet; undefined if none, and in facts of several runs. */
  unboundOn(node: Ref): Ref | undefined {
    const [pod] = this.#unbound.get(node) ?? [];
    return pod;
  }

  /** Oldest first. */
  events(about: Ref): readonly EventEntry[] {
    return this.#events.get(about) ?? [];
  }

  /** The newest event about an object for which `matches` is true. */
  lastEvent(
    about: Ref,
    matches: (event: EventEntry) => boolean = () => true,
  ): EventEntry | undefined {
    return this.events(about).findLast(matches);
  }

  /**
   * The newest decision about an object that considered volumes or nodes. If the scheduler chose a claim's volume, the binder
   * only finds it reserved: the comparison is then the scheduler's.
   */
  lastComparison(about: Ref): Decision | undefined {
    const compared = (this.#decisions.get(about) ?? []).filter(
      ({ decision }) => (decision.candidates?.length ?? 0) > 0 || decision.chosen !== undefined,
    );
    const last = compared.at(-1)?.decision;
    if (last?.chosen === undefined) return last;
    const scheduled = compared.findLast(({ actor }) => actor === "kube-scheduler")?.decision;
    return scheduled?.chosen === last.chosen ? scheduled : last;
  }

  /** The newest decision of an actor about an object. */
  lastDecision(about: Ref, actor: Actor): Decision | undefined {
    return this.lastDecisionEntry(about, actor)?.decision;
  }

  /** As `lastDecision`, with its place in the trace. */
  lastDecisionEntry(about: Ref, actor: Actor): DecisionEntry | undefined {
    return (this.#decisions.get(about) ?? []).findLast((d) => isBy(d, actor));
  }

  /** How long until the decision's component acts again by itself; undefined if it set no time, or the time is over. */
  untilDue(decision: Decision | undefined): number | undefined {
    const rest = (decision?.due ?? this.now) - this.now;
    return rest > 0 ? rest : undefined;
  }

  /** Why the API server refused the component's last write to the object; undefined if it has written the object since. */
  refusal(of: Ref, actor: Actor): ApiError | undefined {
    const entry = this.#refusals.get(of);
    return entry !== undefined && isBy(entry, actor) ? entry.error : undefined;
  }

  /** The objects that a user could not create or change, with the API server's answers. */
  get refused(): ReadonlyMap<Ref, RequestEntry> {
    return this.#refused;
  }

  /** True if the user stopped the driver. */
  isStopped(driver: string): boolean {
    return this.#lifecycles.get(`driver ${driver}`) === "down";
  }

  /** True if any call to the driver's controller is unanswered. */
  isBusy(driver: string): boolean {
    return this.#busy.has(driver);
  }

  /** True if the node's kubelet runs, so that a node that is not ready will become ready. */
  isKubeletUp(node: string): boolean {
    return this.#lifecycles.get(`kubelet ${node}`) === "up";
  }
}

/** True if the component wrote the entry; many names have a driver or a node after that of the component. */
function isBy({ actor: by }: { readonly actor: string }, actor: Actor): boolean {
  return by === actor || by.startsWith(`${actor} `);
}
