/** The objects as etcd holds them: frozen, by kind, namespace and name, with one rising version. */

import { frozenCopy } from "../api/json.ts";
import type { Kind, KubeObject } from "../api/meta.ts";

export class ObjectStore {
  readonly #kinds = new Map<Kind, Map<string, Map<string, KubeObject>>>();
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
      ?.get(name) as KubeObject<K> | undefined;
  }

  /** In order of creation; of one namespace where one is given. */
  list<K extends Kind>(kind: K, namespace?: string): readonly KubeObject<K>[] {
    const namespaces = this.#kinds.get(kind);
    if (namespaces === undefined) return [];
    if (namespace !== undefined)
      return [...(namespaces.get(namespace)?.values() ?? [])] as KubeObject<K>[];
    const all: KubeObject<K>[] = [];
    for (const objects of namespaces.values())
      for (const object of objects.values()) all.push(object as KubeObject<K>);
    return all;
  }

  /** Every object, kinds in the order in which each first appeared. */
  *all(): Generator<KubeObject> {
    for (const namespaces of this.#kinds.values())
      for (const objects of namespaces.values()) yield* objects.values();
  }

  /** Keeps a frozen copy, and answers it. */
  put<K extends Kind>(object: KubeObject<K>): KubeObject<K> {
    const kind = object.kind;
    const namespace = object.metadata.namespace ?? "";
    let namespaces = this.#kinds.get(kind);
    if (namespaces === undefined) this.#kinds.set(kind, (namespaces = new Map()));
    let objects = namespaces.get(namespace);
    if (objects === undefined) namespaces.set(namespace, (objects = new Map()));
    if (!objects.has(object.metadata.name)) this.#count++;
    const kept = frozenCopy(object);
    objects.set(object.metadata.name, kept as KubeObject);
    return kept;
  }

  delete(object: KubeObject): void {
    if (
      this.#kinds
        .get(object.kind)
        ?.get(object.metadata.namespace ?? "")
        ?.delete(object.metadata.name) === true
    )
      this.#count--;
  }
}
