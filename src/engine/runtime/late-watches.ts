/**
 * A fault: watches that are late and out of step. Each component has its own cache for each kind, and hears of writes after a
 * delay that changes now and then. For one component, events of one kind keep their order; those of different kinds or
 * components arrive in any order. Upstream: client-go tools/cache reflector.go: each process lists and watches each kind by
 * itself, and a process that starts lists what is there.
 */
import type { Kind, KubeObject } from "../api/meta.ts";
import type { ObjectStore, Slot } from "../store/object-store.ts";
import type { WriteEntry } from "../trace/entry.ts";
import type { Instant } from "../trace/instant.ts";
import type { EventLoop } from "./event-loop.ts";
import { type Informer, KindCache } from "./informer.ts";
import { latency } from "./latency.ts";
import type { Life } from "./life.ts";
import { Random } from "./random.ts";

/** On average one event in this many changes how slow its watch is. */
const eventsPerDelay = 8;

interface Watch {
  readonly life: Life;
  readonly cache: KindCache<Kind>;
  /** Its own slots by the store's slots: each watch has seen other versions. */
  readonly slots: Map<Slot, Slot>;
  delayMs: number;
  /** When the last event on its way will arrive. */
  lastAt: Instant;
}

export class LateWatches {
  readonly #loop: EventLoop;
  readonly #store: ObjectStore;
  readonly #arrived: (entry: WriteEntry, deliver: () => void) => void;
  /** Separate from the run's source, so that names and uids stay as they would be without this fault, as far as possible. */
  readonly #random: Random;
  readonly #watches = new Map<Kind, Watch[]>();
  #delayMsMax: number;

  /** `arrived` is called for each event that is due, and must deliver it. */
  constructor(
    seed: number,
    delayMsMax: number,
    loop: EventLoop,
    store: ObjectStore,
    arrived: (entry: WriteEntry, deliver: () => void) => void,
  ) {
    this.#random = new Random(~seed);
    this.#delayMsMax = delayMsMax;
    this.#loop = loop;
    this.#store = store;
    this.#arrived = arrived;
  }

  /** Returns a view of a new cache that holds all objects of the kind and follows their changes until the life ends. */
  informer(kind: Kind, life: Life): Informer<Kind> {
    const watch: Watch = {
      life,
      cache: new KindCache(this.#store.keys(kind)),
      slots: new Map(),
      delayMs: this.#drawDelay(),
      lastAt: this.#loop.now,
    };
    for (const { metadata } of this.#store.list(kind)) {
      const slot = this.#store.slot(kind, metadata.namespace, metadata.name);
      if (slot !== undefined) deliver(watch, slot, slot.stored);
    }
    const others = (this.#watches.get(kind) ?? []).filter((other) => !other.life.hasEnded);
    this.#watches.set(kind, [...others, watch]);
    return watch.cache.informer(life);
  }

  /** Sends a write to all watches of its kind. */
  send(slot: Slot, entry: WriteEntry): void {
    for (const watch of this.#watches.get(slot.kind) ?? []) {
      if (watch.life.hasEnded) continue;
      if (this.#random.below(eventsPerDelay) === 0) watch.delayMs = this.#drawDelay();
      watch.lastAt = Math.max(watch.lastAt, this.#loop.now + watch.delayMs);
      this.#loop.after(watch.lastAt - this.#loop.now, () =>
        this.#arrived(entry, () => deliver(watch, slot, entry.after)),
      );
    }
  }

  /** Ends the fault: from now on all watches are as fast as without it. */
  calm(): void {
    this.#delayMsMax = latency.watchMs;
    for (const watch of [...this.#watches.values()].flat()) watch.delayMs = latency.watchMs;
  }

  /** Uniform on a logarithmic scale, so that two writes may arrive in any order. */
  #drawDelay(): number {
    return Math.floor(this.#delayMsMax ** this.#random.fraction());
  }
}

function deliver({ cache, slots }: Watch, slot: Slot, after: KubeObject | undefined): void {
  const own = slots.get(slot) ?? { ...slot, seen: undefined };
  if (after === undefined) slots.delete(slot);
  else slots.set(slot, own);
  cache.deliver(own, after);
}
