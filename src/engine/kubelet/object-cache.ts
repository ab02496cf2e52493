/**
 * The ConfigMaps and Secrets that a kubelet reads for its pods. One that is immutable is watched no more once it was read: it
 * stays what it was, though it be deleted or recreated, until the last pod here that has read it is gone. Upstream:
 * pkg/kubelet/util/manager watch_based_manager.go objectCache, cache_based_manager.go v1.36. Not modelled: pods that name an
 * object without having read it keep it as well.
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
  /** By kind, namespace and name; few objects are immutable. */
  readonly #kept = new Map<string, Kept>();

  constructor(context: ComponentContext) {
    this.#context = context;
  }

  /** In the pod's namespace; undefined where there is none. */
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

  /** The pod reads nothing any more. Upstream: UnregisterPod. */
  release(podUid: string): void {
    for (const [key, { readers }] of this.#kept) {
      readers.delete(podUid);
      if (readers.size === 0) this.#kept.delete(key);
    }
  }
}
