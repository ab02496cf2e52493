/** The objects as etcd holds them: frozen, by kind, namespace and name, with one rising version. */
import { type Kind, type KubeObject, type Names, namesOf } from "../api/meta.ts";
import { RecentMap } from "../recent-map.ts";

/** One object through all its versions, from its creation to its removal. */
export interface Slot extends Names {
  /** The newest version, also when it is removed. */
  stored: KubeObject;
  /** The version that watchers know of; undefined before its creation and after its removal have reached them. */
  seen: KubeObject | undefined;
}

export function newSlot(object: KubeObject): Slot {
  const { kind, key, ref } = namesOf(object);
  return { kind, key, ref, stored: object, seen: undefined };
}

export class ObjectStore {
  readonly #kinds = new Map<Kind, Map<string, RecentMap<Slot>>>();
  #version = 0;
  #count = 0;

  get objectCount(): number {
    return this.#count;
  }

  nextVersion(): string {
    return String(++this.#version);
  }

  /** Undefined where there is no such object. */
  slot(kind: Kind, namespace: string | undefined, name: string): Slot | undefined {
    return this.#kinds
      .get(kind)
      ?.get(namespace ?? "")
      ?.get(name);
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
    const namespaces = this.#kinds.get(kind);
    if (namespaces === undefined) return [];
    const all: KubeObject<K>[] = [];
    if (namespace !== undefined) {
      for (const { stored } of namespaces.get(namespace)?.values() ?? [])
        all.push(stored as KubeObject<K>);
      return all;
    }
    for (const slots of namespaces.values())
      for (const { stored } of slots.values()) all.push(stored as KubeObject<K>);
    return all;
  }

  /** Every object, kinds in the order in which each first appeared. */
  *all(): Generator<KubeObject> {
    for (const namespaces of this.#kinds.values())
      for (const slots of namespaces.values())
        for (const { stored } of slots.values()) yield stored;
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
    const { kind } = object;
    const { namespace = "", name } = object.metadata;
    let namespaces = this.#kinds.get(kind);
    if (namespaces === undefined) this.#kinds.set(kind, (namespaces = new Map()));
    let slots = namespaces.get(namespace);
    if (slots === undefined) namespaces.set(namespace, (slots = new RecentMap()));
    const slot = newSlot(object);
    slots.set(name, slot);
    this.#count++;
    return slot;
  }

  /** Forgets an object that is there. */
  delete(slot: Slot): void {
    const { namespace = "", name } = slot.stored.metadata;
    this.#kinds.get(slot.kind)?.get(namespace)?.delete(name);
    this.#count--;
  }
}
