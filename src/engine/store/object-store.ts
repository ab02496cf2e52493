/** The objects as etcd holds them: frozen, by kind, namespace and name, with one rising version. */

import { frozenCopy } from "../api/json.ts";
import { type Kind, type KubeObject, type Names, namesOf } from "../api/meta.ts";

/** The newest version of an object, with its names. */
interface Slot {
  readonly names: Names;
  object: KubeObject;
}

export class ObjectStore {
  readonly #kinds = new Map<Kind, Map<string, Map<string, Slot>>>();
  #version = 0;
  #count = 0;

  get objectCount(): number {
    return this.#count;
  }

  nextVersion(): string {
    return String(++this.#version);
  }

  get<K extends Kind>(
    kind: K,
    namespace: string | undefined,
    name: string,
  ): KubeObject<K> | undefined {
    return this.#kinds
      .get(kind)
      ?.get(namespace ?? "")
      ?.get(name)?.object as KubeObject<K> | undefined;
  }

  /** In order of creation; of one namespace where one is given. */
  list<K extends Kind>(kind: K, namespace?: string): readonly KubeObject<K>[] {
    const namespaces = this.#kinds.get(kind);
    if (namespaces === undefined) return [];
    const all: KubeObject<K>[] = [];
    if (namespace !== undefined) {
      for (const { object } of namespaces.get(namespace)?.values() ?? [])
        all.push(object as KubeObject<K>);
      return all;
    }
    for (const slots of namespaces.values())
      for (const { object } of slots.values()) all.push(object as KubeObject<K>);
    return all;
  }

  /** Every object, kinds in the order in which each first appeared. */
  *all(): Generator<KubeObject> {
    for (const namespaces of this.#kinds.values())
      for (const slots of namespaces.values())
        for (const { object } of slots.values()) yield object;
  }

  /** Keeps a frozen copy, and answers it with the names that it has in common with all its versions. */
  put<K extends Kind>(
    object: KubeObject<K>,
  ): { readonly object: KubeObject<K>; readonly names: Names } {
    const kind = object.kind;
    const { namespace = "", name } = object.metadata;
    let namespaces = this.#kinds.get(kind);
    if (namespaces === undefined) this.#kinds.set(kind, (namespaces = new Map()));
    let slots = namespaces.get(namespace);
    if (slots === undefined) namespaces.set(namespace, (slots = new Map()));
    const kept = frozenCopy(object);
    const slot = slots.get(name);
    if (slot !== undefined) {
      slot.object = kept as KubeObject;
      return { object: kept, names: slot.names };
    }
    const names = namesOf(kept as KubeObject);
    slots.set(name, { names, object: kept as KubeObject });
    this.#count++;
    return { object: kept, names };
  }

  /** Forgets the object; undefined where there is none of that name. */
  delete({ kind, metadata: { namespace = "", name } }: KubeObject): Names | undefined {
    const slots = this.#kinds.get(kind)?.get(namespace);
    const slot = slots?.get(name);
    if (slots === undefined || slot === undefined) return undefined;
    slots.delete(name);
    this.#count--;
    return slot.names;
  }
}
