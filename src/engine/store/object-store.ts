/** The objects as etcd holds them: frozen, by kind, namespace and name, with one rising version. */
import { type Kind, type KubeObject, type Names, namesOf } from "../api/meta.ts";
import { InOrder, KeyNumbers } from "../by-key.ts";

/** One object through all its versions, from its creation to its removal. */
export interface Slot extends Names {
  /** The newest version, also when it is removed. */
  stored: KubeObject;
  isRemoved: boolean;
  /** The version that watchers know of; undefined before its creation and after its removal have reached them. */
  seen: KubeObject | undefined;
}

export function newSlot(object: KubeObject): Slot {
  const { kind, key, ref } = namesOf(object);
  return { kind, key, ref, stored: object, isRemoved: false, seen: undefined };
}

const none: readonly never[] = [];

/** What is in one namespace. A name is at hand wherever an object is asked for; a key would have to be put together first. */
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

  /** Numbers for whatever is known of the kind's objects. */
  keys(kind: Kind): KeyNumbers {
    return this.#kind(kind).keys;
  }

  #kind(kind: Kind): StoredKind {
    let stored = this.#kinds.get(kind);
    if (stored === undefined) this.#kinds.set(kind, (stored = new StoredKind()));
    return stored;
  }

  /** Undefined where there is no such object. */
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

  /** In order of creation; of one namespace where one is given. */
  list<K extends Kind>(kind: K, namespace?: string): readonly KubeObject<K>[] {
    const byNamespace = this.#kinds.get(kind)?.byNamespace;
    if (byNamespace === undefined || byNamespace.size === 0) return none;
    const all: KubeObject<K>[] = [];
    const lists = namespace === undefined ? byNamespace.values() : [byNamespace.get(namespace)];
    for (const stored of lists)
      for (const slot of stored?.slots.items ?? []) all.push(slot.stored as KubeObject<K>);
    return all;
  }

  /** Every object, kinds in the order in which each was first asked for. */
  *all(): Generator<KubeObject> {
    for (const { byNamespace } of this.#kinds.values())
      for (const { slots } of byNamespace.values())
        for (const { stored } of slots.items) yield stored;
  }

  /** Keeps an object that is frozen, in place of the one of that name where there is one. */
  put(object: KubeObject): Slot {
    const { namespace, name } = object.metadata;
    const slot = this.slot(object.kind, namespace, name);
    if (slot === undefined) return this.add(object);
    slot.stored = object;
    return slot;
  }

  /** Keeps an object that is frozen, and the first of its name. */
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

  /** Forgets an object that is there. */
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
