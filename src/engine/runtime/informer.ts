/**
 * What components see of the API: one cache per kind, fed by watch events a moment after each write, with indexes and
 * handlers. Upstream: client-go shared informers. All components of a run share the caches; each has its own handlers.
 */
import { type Key, type Kind, type KubeObject, nameObject, specAndStatus } from "../api/meta.ts";
import { ByKey, InOrder, KeyNumbers } from "../by-key.ts";
import type { Slot } from "../store/object-store.ts";
import type { Life } from "./life.ts";

export interface Handlers<K extends Kind> {
  readonly add?: (object: KubeObject<K>) => void;
  readonly update?: (before: KubeObject<K>, after: KubeObject<K>) => void;
  readonly delete?: (last: KubeObject<K>) => void;
}

/**
 * Returns the values under which an object is found; none if it is not in the index. They must depend on names, labels,
 * annotations, owners and spec only (for kinds without a spec, on anything), never on the status.
 */
export type IndexFunction<K extends Kind> = (object: KubeObject<K>) => readonly string[];

/** The view of one kind that a component works with. */
export interface Informer<K extends Kind> {
  /** Numbers of the keys, for whatever else a component wants to remember about these objects. */
  readonly keys: KeyNumbers;
  get(key: Key): KubeObject<K> | undefined;
  /** In order of creation; of one namespace if one is given. */
  list(namespace?: string): readonly KubeObject<K>[];
  /**
   * Defines an index; the same name must mean the same function everywhere. `keys` numbers the values if they are keys of
   * another kind.
   */
  index(name: string, of: IndexFunction<K>, keys?: KeyNumbers): void;
  byIndex(name: string, value: string): readonly KubeObject<K>[];
  /** Handlers hear of every object that exists already, then of every change. */
  on(handlers: Handlers<K>): void;
  /** Like `on`, but only for objects that the index has under `value`: a watch with a field selector. */
  onIndexed(name: string, value: string, handlers: Handlers<K>): void;
}

interface Registration<K extends Kind> {
  readonly life: Life;
  readonly add: Handlers<K>["add"];
  readonly update: Handlers<K>["update"];
  readonly delete: Handlers<K>["delete"];
}

/** Gives all registrations the same shape, because every write walks through them. */
function registrationOf<K extends Kind>(life: Life, handlers: Handlers<K>): Registration<K> {
  return { life, add: handlers.add, update: handlers.update, delete: handlers.delete };
}

class Index<K extends Kind> {
  readonly valuesOf: IndexFunction<K>;
  /**
   * Slots stand for all versions of their objects, so a change that keeps the values need not touch the index. Most values have
   * one object, which is stored without a Set.
   */
  readonly #slots: ByKey<Slot | Set<Slot>>;
  readonly watchers: Map<string, Registration<K>[]> = new Map();

  constructor(valuesOf: IndexFunction<K>, keys: KeyNumbers) {
    this.valuesOf = valuesOf;
    this.#slots = new ByKey(keys);
  }

  put(value: string, slot: Slot): void {
    const bucket = this.#slots.get(value);
    if (bucket === undefined) this.#slots.set(value, slot);
    else if (bucket instanceof Set) bucket.add(slot);
    else if (bucket !== slot) this.#slots.set(value, new Set([bucket, slot]));
  }

  drop(value: string, slot: Slot): void {
    const bucket = this.#slots.get(value);
    const isLast =
      bucket instanceof Set ? bucket.delete(slot) && bucket.size === 0 : bucket === slot;
    if (isLast) this.#slots.delete(value);
  }

  /** The objects under the value, in the order in which they got it. */
  of(value: string): readonly KubeObject<K>[] {
    const bucket = this.#slots.get(value);
    if (bucket === undefined) return noObjects;
    if (!(bucket instanceof Set)) return [bucket.seen as KubeObject<K>];
    return Array.from(bucket, ({ seen }) => seen as KubeObject<K>);
  }
}

export class KindCache<K extends Kind> {
  readonly #keys: KeyNumbers;
  readonly #slots: ByKey<Slot>;
  readonly #all = new InOrder<Slot>(isGone);
  readonly #indexes = new Map<string, Index<K>>();
  #registrations: Registration<K>[] = [];

  constructor(keys: KeyNumbers) {
    this.#keys = keys;
    this.#slots = new ByKey(keys);
  }

  /** The cache as a component sees it in this life. */
  informer(life: Life): Informer<K> {
    return {
      keys: this.#keys,
      get: (key) => this.#slots.get(key)?.seen as KubeObject<K> | undefined,
      list: (namespace) => (namespace === undefined ? this.#list() : this.#inNamespace(namespace)),
      index: (name, of, keys) => this.#addIndex(name, of, keys),
      byIndex: (name, value) => this.#lookUp(name, value),
      on: (handlers) => {
        this.#registrations.push(registrationOf(life, handlers));
        for (const object of this.#list()) handlers.add?.(object);
      },
      onIndexed: (name, value, handlers) => {
        const index = this.#index(name);
        const watchers = index.watchers.get(value);
        const registration = registrationOf(life, handlers);
        if (watchers === undefined) index.watchers.set(value, [registration]);
        else watchers.push(registration);
        for (const object of this.#lookUp(name, value)) handlers.add?.(object);
      },
    };
  }

  /** Applies one watch event and calls the handlers; `after` is undefined if the object is removed. */
  deliver(slot: Slot, after: KubeObject<K> | undefined): void {
    const before = slot.seen as KubeObject<K> | undefined;
    const object = after ?? before;
    if (object === undefined) return;
    slot.seen = after;
    if (after === undefined) this.#forget(slot);
    else if (before === undefined) this.#add(slot);
    const isKept = keepsValues(before, after);
    if (!isKept) for (const index of this.#indexes.values()) reindex(index, slot, before, after);
    nameObject(object, slot);
    this.#registrations = tell(this.#registrations, before, after);
    for (const index of this.#indexes.values())
      if (index.watchers.size > 0) tellIndexed(index, before, after, isKept);
  }

  #add(slot: Slot): void {
    this.#slots.set(slot.key, slot);
    this.#all.add(slot);
  }

  #forget(slot: Slot): void {
    this.#slots.delete(slot.key);
    this.#all.hasLost();
  }

  #list(): KubeObject<K>[] {
    return this.#all.items.map(({ seen }) => seen as KubeObject<K>);
  }

  /**
   * The index is created by the first call: few kinds are ever listed by namespace, and each index costs a little at every
   * write.
   */
  #inNamespace(namespace: string): readonly KubeObject<K>[] {
    if (this.#all.count === 0) return noObjects;
    this.#addIndex("namespace", (object) => [object.metadata.namespace ?? ""]);
    return this.#lookUp("namespace", namespace);
  }

  #index(name: string): Index<K> {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`no index ${name}`);
    return index;
  }

  #lookUp(name: string, value: string): readonly KubeObject<K>[] {
    return this.#index(name).of(value);
  }

  #addIndex(name: string, of: IndexFunction<K>, keys?: KeyNumbers): void {
    if (this.#indexes.has(name)) return;
    const index = new Index<K>(of, keys ?? new KeyNumbers());
    for (const slot of this.#all.items)
      for (const value of of(slot.seen as KubeObject<K>)) index.put(value, slot);
    this.#indexes.set(name, index);
  }
}

function isGone({ seen }: Slot): boolean {
  return seen === undefined;
}

const none: readonly string[] = [];
const noObjects: readonly never[] = [];

/** True if every index has the object under the same values as before, which holds for any write of its status. */
function keepsValues(before: KubeObject | undefined, after: KubeObject | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const { spec } = specAndStatus(before);
  const { metadata: was } = before;
  const { metadata: is } = after;
  return (
    spec !== undefined &&
    spec === specAndStatus(after).spec &&
    was.labels === is.labels &&
    was.annotations === is.annotations &&
    was.ownerReferences === is.ownerReferences
  );
}

function reindex<K extends Kind>(
  index: Index<K>,
  slot: Slot,
  before: KubeObject<K> | undefined,
  after: KubeObject<K> | undefined,
): void {
  const was = before === undefined ? none : index.valuesOf(before);
  const is = after === undefined ? none : index.valuesOf(after);
  for (const value of was) if (!is.includes(value)) index.drop(value, slot);
  for (const value of is) if (!was.includes(value)) index.put(value, slot);
}

function tell<K extends Kind>(
  registrations: Registration<K>[],
  before: KubeObject<K> | undefined,
  after: KubeObject<K> | undefined,
): Registration<K>[] {
  let isAnyOver = false;
  for (const registration of registrations) {
    const { life } = registration;
    if (life.hasEnded) isAnyOver = true;
    else if (life.held === undefined) handle(registration, before, after);
    else life.held.push(() => life.hasEnded || handle(registration, before, after));
  }
  return isAnyOver ? registrations.filter((r) => !r.life.hasEnded) : registrations;
}

function handle<K extends Kind>(
  registration: Registration<K>,
  before: KubeObject<K> | undefined,
  after: KubeObject<K> | undefined,
): void {
  if (after === undefined) {
    if (before !== undefined) registration.delete?.(before);
  } else if (before === undefined) registration.add?.(after);
  else registration.update?.(before, after);
}

function tellIndexed<K extends Kind>(
  index: Index<K>,
  before: KubeObject<K> | undefined,
  after: KubeObject<K> | undefined,
  isKept: boolean,
): void {
  const was = before === undefined ? none : index.valuesOf(before);
  const is = isKept ? was : after === undefined ? none : index.valuesOf(after);
  for (const value of distinct(was))
    tellOf(index, value, before, isKept || is.includes(value) ? after : undefined);
  if (isKept) return;
  for (const value of distinct(is))
    if (!was.includes(value)) tellOf(index, value, undefined, after);
}

function distinct(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : [...new Set(values)];
}

function tellOf<K extends Kind>(
  index: Index<K>,
  value: string,
  before: KubeObject<K> | undefined,
  after: KubeObject<K> | undefined,
): void {
  const watchers = index.watchers.get(value);
  if (watchers !== undefined) index.watchers.set(value, tell(watchers, before, after));
}
