/**
 * What components see of the API: one cache per kind, fed by watch events a moment after each write, with indexes and
 * handlers. Upstream: client-go shared informers. All components of a run share the caches; each has its own handlers.
 */
import { type Key, type Kind, type KubeObject, type Names, nameObject } from "../api/meta.ts";
import type { Life } from "./life.ts";

export interface Handlers<K extends Kind> {
  readonly add?: (object: KubeObject<K>) => void;
  readonly update?: (before: KubeObject<K>, after: KubeObject<K>) => void;
  readonly delete?: (last: KubeObject<K>) => void;
}

/** Values under which an object is found; none where it is not in the index. */
export type IndexFunction<K extends Kind> = (object: KubeObject<K>) => readonly string[];

/** The view of one kind that a component works with. */
export interface Informer<K extends Kind> {
  get(key: Key): KubeObject<K> | undefined;
  /** In order of creation; of one namespace where one is given. */
  list(namespace?: string): readonly KubeObject<K>[];
  /** Defines an index; the same name means the same function everywhere. */
  index(name: string, of: IndexFunction<K>): void;
  byIndex(name: string, value: string): readonly KubeObject<K>[];
  /** Handlers hear of every object that exists already, then of every change. */
  on(handlers: Handlers<K>): void;
  /** As `on`, for objects that the index has under `value`, like a watch with a field selector. */
  onIndexed(name: string, value: string, handlers: Handlers<K>): void;
}

interface Registration<K extends Kind> {
  readonly life: Life;
  readonly add: Handlers<K>["add"];
  readonly update: Handlers<K>["update"];
  readonly delete: Handlers<K>["delete"];
}

/** All registrations have one shape, for they are gone through at every write. */
function registrationOf<K extends Kind>(life: Life, handlers: Handlers<K>): Registration<K> {
  return { life, add: handlers.add, update: handlers.update, delete: handlers.delete };
}

class Index<K extends Kind> {
  readonly of: IndexFunction<K>;
  /** Keys only, so that a change that leaves the values as they were leaves the index as it was. */
  readonly keys: Map<string, Set<Key>> = new Map();
  readonly watchers: Map<string, Registration<K>[]> = new Map();

  constructor(of: IndexFunction<K>) {
    this.of = of;
  }

  put(value: string, key: Key): void {
    const bucket = this.keys.get(value);
    if (bucket === undefined) this.keys.set(value, new Set([key]));
    else bucket.add(key);
  }

  drop(value: string, key: Key): void {
    const bucket = this.keys.get(value);
    if (bucket?.delete(key) === true && bucket.size === 0) this.keys.delete(value);
  }
}

export class KindCache<K extends Kind> {
  readonly #objects = new Map<Key, KubeObject<K>>();
  readonly #indexes = new Map<string, Index<K>>();
  #registrations: Registration<K>[] = [];

  /** The cache as a component sees it in this life. */
  informer(life: Life): Informer<K> {
    return {
      get: (key) => this.#objects.get(key),
      list: (namespace) =>
        namespace === undefined ? [...this.#objects.values()] : this.#inNamespace(namespace),
      index: (name, of) => this.#addIndex(name, of),
      byIndex: (name, value) => this.#lookUp(name, value),
      on: (handlers) => {
        this.#registrations.push(registrationOf(life, handlers));
        for (const object of [...this.#objects.values()]) handlers.add?.(object);
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

  /** Takes over one watch event and tells the handlers. */
  deliver(names: Names, before: KubeObject<K> | undefined, after: KubeObject<K> | undefined): void {
    const object = after ?? before;
    if (object === undefined) return;
    const { key } = names;
    const known = this.#objects.get(key);
    if (after === undefined) this.#objects.delete(key);
    else this.#objects.set(key, after);
    for (const index of this.#indexes.values()) reindex(index, key, known, after);
    nameObject(object as KubeObject, names);
    this.#registrations = tell(this.#registrations, known, after);
    for (const index of this.#indexes.values())
      if (index.watchers.size > 0) tellIndexed(index, known, after);
  }

  /** Few kinds are ever listed so, and each index costs a little at every write. */
  #inNamespace(namespace: string): readonly KubeObject<K>[] {
    this.#addIndex("namespace", (object) => [object.metadata.namespace ?? ""]);
    return this.#lookUp("namespace", namespace);
  }

  #index(name: string): Index<K> {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`no index ${name}`);
    return index;
  }

  #lookUp(name: string, value: string): readonly KubeObject<K>[] {
    const found: KubeObject<K>[] = [];
    for (const key of this.#index(name).keys.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  #addIndex(name: string, of: IndexFunction<K>): void {
    if (this.#indexes.has(name)) return;
    const index = new Index<K>(of);
    for (const [key, object] of this.#objects)
      for (const value of of(object)) index.put(value, key);
    this.#indexes.set(name, index);
  }
}

function reindex<K extends Kind>(
  index: Index<K>,
  key: Key,
  before: KubeObject<K> | undefined,
  after: KubeObject<K> | undefined,
): void {
  const was = before === undefined ? [] : index.of(before);
  const is = after === undefined ? [] : index.of(after);
  for (const value of was) if (!is.includes(value)) index.drop(value, key);
  for (const value of is) if (!was.includes(value)) index.put(value, key);
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
): void {
  const was = before === undefined ? [] : index.of(before);
  const is = after === undefined ? [] : index.of(after);
  for (const [at, value] of was.entries()) {
    if (was.indexOf(value) === at)
      tellOf(index, value, before, is.includes(value) ? after : undefined);
  }
  for (const [at, value] of is.entries()) {
    if (is.indexOf(value) === at && !was.includes(value)) tellOf(index, value, undefined, after);
  }
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
