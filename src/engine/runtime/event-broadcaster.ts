/**
 * Records the components' events in the trace and passes them to components that watch the events of an object. Upstream:
 * client-go v0.36 tools/record/event.go EventBroadcaster; pkg/volume/util/recyclerclient WatchPod waits for them.
 */
import { isOpen } from "../api/admission/namespace-lifecycle.ts";
import { type Kind, kindOfRef, nameOfRef, namespaceOfRef, type Ref } from "../api/meta.ts";
import type { ObjectStore } from "../store/object-store.ts";
import type { EventEntry } from "../trace/entry.ts";
import type { Trace } from "../trace/trace.ts";
import type { SeenEvent } from "./component.ts";
import type { EventEffect } from "./effects.ts";
import type { EventLoop } from "./event-loop.ts";
import { latency } from "./latency.ts";
import type { Running } from "./process.ts";

type Listener = (event: SeenEvent) => void;

/** Upstream: kube-apiserver's --event-ttl. Not modeled: a repetition keeps an event for another hour. */
const keptMs = 3_600_000;

export class EventBroadcaster {
  readonly #loop: EventLoop;
  readonly #trace: Trace;
  readonly #store: ObjectStore;
  readonly #listeners = new Map<Ref, Set<Listener>>();
  /** How many objects of each name have been removed; absent for none. */
  readonly #gone = new Map<Ref, number>();

  constructor(loop: EventLoop, trace: Trace, store: ObjectStore) {
    this.#loop = loop;
    this.#trace = trace;
    this.#store = store;
  }

  /**
   * Must be called for each object that is removed, so that events about the next object of its name do not count as
   * repetitions.
   */
  hasGone(ref: Ref): void {
    this.#gone.set(ref, (this.#gone.get(ref) ?? 0) + 1);
  }

  /**
   * Calls the listener for each event about objects of that name, beginning with the existing ones, like a watch that names no
   * version; repetitions are left out. Call the result to stop.
   */
  listen(about: Ref, listener: Listener): () => void {
    const listeners = this.#listeners.get(about) ?? new Set();
    this.#listeners.set(about, listeners.add(listener));
    for (const { eventType, message } of this.#kept(about))
      this.#tell(listeners, [listener], { eventType, message });
    return () => listeners.delete(listener);
  }

  /** The first occurrence of each event about objects of that name, as far back as an API server keeps events. */
  #kept(about: Ref): readonly EventEntry[] {
    const since = this.#loop.now - keptMs;
    return this.#trace.entries.filter(
      (entry): entry is EventEntry =>
        entry.type === "event" && entry.about === about && entry.count === 1 && entry.at >= since,
    );
  }

  #tell(listeners: ReadonlySet<Listener>, told: readonly Listener[], event: SeenEvent): void {
    this.#loop.after(latency.watchMs, () => {
      for (const listener of told) if (listeners.has(listener)) listener(event);
    });
  }

  /** Records a component's event. Drops spam, and events in a namespace that is being deleted or is gone. */
  record({ component, recorder }: Running, cause: number | undefined, effect: EventEffect): void {
    const {
      about,
      eventType,
      reason,
      message: told,
      source = component.source,
      container,
      series,
    } = effect;
    const predecessors = this.#predecessorsOf(about);
    const written = recorder.correlate(
      { about, predecessors, source, eventType, reason, message: told, container, series },
      this.#loop.now,
    );
    if (written === undefined) return;
    // Events are objects: none can be created in a namespace that is being deleted or is gone, and existing ones are deleted
    // first.
    const namespace = namespaceOfRef(about);
    if (namespace !== "" && !isOpen(namespace, this.#store)) return;
    const { message, count } = written;
    const entry: EventEntry = {
      type: "event",
      actor: component.name,
      cause,
      about,
      source,
      eventType,
      reason,
      message,
      container,
      count,
      seq: 0,
      at: 0,
    };
    this.#trace.add(this.#loop.now, entry);
    const listeners = this.#listeners.get(about);
    if (listeners === undefined || count > 1) return;
    this.#tell(listeners, [...listeners], { eventType, message });
  }

  /**
   * How many objects had the name before the one that an event is about. Where no object has it now, the event is about the
   * last one that had.
   */
  #predecessorsOf(about: Ref): number {
    const gone = this.#gone.get(about) ?? 0;
    if (gone === 0) return 0;
    const namespace = namespaceOfRef(about);
    const slot = this.#store.slot(kindOfRef(about) as Kind, namespace, nameOfRef(about));
    return slot === undefined ? gone - 1 : gone;
  }
}
