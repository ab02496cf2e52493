/**
 * The ConfigMaps and Secrets that a kubelet reads for its pods. An immutable object is no longer watched once read: it stays as
 * it was, even if deleted or recreated, until the last pod here that has read it is gone. Upstream: pkg/kubelet/util/manager
 * watch_based_manager.go objectCache, cache_based_manager.go v1.36. Not modeled: upstream also keeps it for pods that name it
 * without having read it.
 */
import type { KubeObject } from "../api/meta.ts";
import type { Pod } from "../api/types.ts";
import type { ComponentContext } from "../runtime/component.ts";

type Kind = "ConfigMap" | "Secret";

interface Kept {
  readonly object: KubeObject<Kind>;
  readonly readers: Set<string>;
}

export class ObjectCache {
  readonly #context: ComponentContext;
  /** The immutable objects that were read, by kind, namespace and name. */
  readonly #kept = new Map<string, Kept>();

  constructor(context: ComponentContext) {
    this.#context = context;
  }

  /** The object in the pod's namespace; undefined if there is none. */
  get<K extends Kind>(kind: K, pod: Pod, name: string): KubeObject<K> | undefined {
    const { namespace, uid } = pod.metadata;
    const key = `${namespace}/${name}`;
    const kept = this.#kept.get(`${kind} ${key}`);
    if (kept !== undefined) {
      kept.readers.add(uid);
      return kept.object as KubeObject<K>;
    }
    const object: KubeObject<Kind> | undefined = this.#context.informer(kind).get(key);
    if (object?.immutable === true) {
      this.#kept.set(`${kind} ${key}`, { object, readers: new Set([uid]) });
    }
    return object as KubeObject<K> | undefined;
  }

  /** Drops the objects that only this pod has read. Upstream: UnregisterPod. */
  release(podUid: string): void {
    for (const [key, { readers }] of this.#kept) {
      readers.delete(podUid);
      if (readers.size === 0) this.#kept.delete(key);
    }
  }
}
