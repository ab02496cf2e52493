/** The stored objects, as etcd holds them: frozen, by kind, namespace and name, with one rising resourceVersion. */
import { type Kind, type KubeObject, type Names, namesOf } from "../api/meta.ts";
import { InOrder, KeyNumbers } from "../by-key.ts";

/** One object in all its versions, from its creation to its removal. */
export interface Slot extends Names {
  /** The newest version; stays after the removal. */
  stored: KubeObject;
  isRemoved: boolean;
  /** The version that watchers know; undefined until its creation has reached them, and again once its removal has. */
  seen: KubeObject | undefined;
}

export function newSlot(object: KubeObject): Slot {
  const { kind, key, ref } = namesOf(object);
  return { kind, key, ref, stored: object, isRemoved: false, seen: undefined };
}

const none: readonly never[] = [];

/**
 * The objects of one kind in one namespace. They are found by name because callers have a name at hand, while a key would have
 * to be built first.
 */
class StoredNamespace {
  readonly byName = new Map<string, Slot>();
  /** In order of creation. */
  readonly slots = new InOrder<Slot>(isRemoved);
}

class StoredKind {
  readonly keys = new KeyNumbers();
  readonly byNamespace = new Map<string, StoredNamespace>();
}

export class ObjectStore {
  readonly #kinds = new Map<Kind, StoredKind>();
  #version = 0;
  #count = 0;

  get objectCount(): number {
    return this.#count;
  }

  nextVersion(): string {
    return String(++this.#version);
  }

  /** The numbers of this kind's keys, shared by all ByKey maps of the kind. */
  keys(kind: Kind): KeyNumbers {
    return this.#kind(kind).keys;
  }

  #kind(kind: Kind): StoredKind {
    let stored = this.#kinds.get(kind);
    if (stored === undefined) this.#kinds.set(kind, (stored = new StoredKind()));
    return stored;
  }

  /** Undefined if there is no such object. */
  slot(kind: Kind, namespace: string | undefined, name: string): Slot | undefined {
    return this.#kinds
      .get(kind)
      ?.byNamespace.get(namespace ?? "")
      ?.byName.get(name);
  }

  get<K extends Kind>(
    kind: K,
    namespace: string | undefined,
    name: string,
  ): KubeObject<K> | undefined {
    return this.slot(kind, namespace, name)?.stored as KubeObject<K> | undefined;
  }

  /** The kind's objects, or those of one namespace, in order of creation (within each namespace). */
  list<K extends Kind>(kind: K, namespace?: string): readonly KubeObject<K>[] {
    const byNamespace = this.#kinds.get(kind)?.byNamespace;
    if (byNamespace === undefined || byNamespace.size === 0) return none;
    const all: KubeObject<K>[] = [];
    const lists = namespace === undefined ? byNamespace.values() : [byNamespace.get(namespace)];
    for (const stored of lists)
      for (const slot of stored?.slots.items ?? []) all.push(slot.stored as KubeObject<K>);
    return all;
  }

  /** All objects; kinds in the order of their first use. */
  *all(): Generator<KubeObject> {
    for (const { byNamespace } of this.#kinds.values())
      for (const { slots } of byNamespace.values())
        for (const { stored } of slots.items) yield stored;
  }

  /** Stores a frozen object, replacing one with the same name. */
  put(object: KubeObject): Slot {
    const { namespace, name } = object.metadata;
    const slot = this.slot(object.kind, namespace, name);
    if (slot === undefined) return this.add(object);
    slot.stored = object;
    return slot;
  }

  /** Stores a frozen object whose name is not taken. */
  add(object: KubeObject): Slot {
    const slot = newSlot(object);
    const { byNamespace } = this.#kind(object.kind);
    const { namespace = "", name } = object.metadata;
    let others = byNamespace.get(namespace);
    if (others === undefined) byNamespace.set(namespace, (others = new StoredNamespace()));
    others.byName.set(name, slot);
    others.slots.add(slot);
    this.#count++;
    return slot;
  }

  /** Removes a stored object. */
  delete(slot: Slot): void {
    const { namespace = "", name } = slot.stored.metadata;
    slot.isRemoved = true;
    const others = this.#kind(slot.kind).byNamespace.get(namespace);
    others?.byName.delete(name);
    others?.slots.hasLost();
    this.#count--;
  }
}

function isRemoved(slot: Slot): boolean {
  return slot.isRemoved;
}
