/**
 * Protects a claim while a pod uses it: adds its finalizer, and removes it from a claim that is being deleted once no pod with
 * a node uses it. Upstream: pkg/controller/volume/pvcprotection/pvc_protection_controller.go v1.36. As there, claims are
 * collected by namespace, so that all of them share one live list of pods. Not modeled: the condition Unused (feature gate
 * PersistentVolumeClaimUnusedSinceTime, off), and a pod's deletion and re-creation seen as one update, which this engine's
 * watches never merge. A failed claim backs off together with its namespace.
 */
import { push } from "../api/go/multi-map.ts";
import { type Key, keyOf, splitKey } from "../api/meta.ts";
import type { PersistentVolumeClaim, Pod } from "../api/types.ts";
import { finalizer, hasFinalizer, withFinalizers } from "../matching/annotations.ts";
import {
  claimKeysOf,
  ephemeralClaimName,
  isClaimForPod,
  podsByClaim,
} from "../matching/pod-claims.ts";
import { isPodShutDown, isPodTerminated } from "../matching/pod-state.ts";
import type { Component, ComponentContext } from "../runtime/component.ts";
import { listLive, type Task, update } from "../runtime/effects.ts";
import type { Informer } from "../runtime/informer.ts";
import { done, type Outcome, type Reconcile, retry } from "../runtime/outcome.ts";

const own = finalizer.claimProtection;

export const pvcProtection: Component = {
  name: "pvc-protection",
  source: "pvc-protection-controller",
  start,
};

function start(context: ComponentContext): void {
  const claims = context.informer("PersistentVolumeClaim");
  const pods = context.informer("Pod");
  pods.index(podsByClaim, claimKeysOf);
  const queue = context.queue({ sync });
  /** Claims to process, by namespace. */
  const collected = new Map<string, Set<Key>>();

  const collect = (key: Key): void => {
    const { namespace } = splitKey(key);
    const keys = collected.get(namespace) ?? new Set<Key>();
    collected.set(namespace, keys.add(key));
    queue.add(namespace);
  };

  function* sync(namespace: string): Reconcile {
    const keys = collected.get(namespace) ?? [];
    collected.delete(namespace);
    const users = new ClaimUsers(namespace, pods);
    let outcome: Outcome = done("Processed");
    for (const key of keys) {
      const claim = claims.get(key);
      const processed = claim === undefined ? done("Gone") : yield* protect(claim, users);
      if (processed.type === "retry") {
        outcome = processed;
        collect(key);
      }
    }
    return outcome;
  }

  const claimChanged = (claim: PersistentVolumeClaim): void => {
    if (needsFinalizer(claim) || isDeletionCandidate(claim)) collect(keyOf(claim));
  };
  claims.on({ add: claimChanged, update: (_, after) => claimChanged(after) });

  const podChanged = (pod: Pod): void => {
    // A pod that has a node and has not terminated cannot release a claim.
    if (isPodTerminated(pod) || (pod.spec.nodeName ?? "") === "") claimKeysOf(pod).forEach(collect);
  };
  pods.on({
    add: podChanged,
    update: (_, after) => podChanged(after),
    delete: (pod) => claimKeysOf(pod).forEach(collect),
  });
}

function* protect(claim: PersistentVolumeClaim, users: ClaimUsers): Reconcile {
  const finalizers = claim.metadata.finalizers ?? [];
  if (isDeletionCandidate(claim)) {
    if (yield* users.use(claim)) return done("InUse"); // The deletion of its last pod wakes it.
    const rest = finalizers.filter((f) => f !== own);
    const saved = yield* update<"PersistentVolumeClaim">(withFinalizers(claim, rest));
    return saved.ok ? done("FinalizerRemoved") : retry(saved.error.message);
  } else if (needsFinalizer(claim)) {
    const saved = yield* update<"PersistentVolumeClaim">(
      withFinalizers(claim, [...finalizers, own]),
    );
    return saved.ok ? done("FinalizerAdded") : retry(saved.error.message);
  } else {
    return done("Unchanged");
  }
}

/** The pods of a namespace: from the cache first, and once from a live list if the cache shows no user. */
class ClaimUsers {
  readonly #namespace: string;
  readonly #pods: Informer<"Pod">;
  #live: ReadonlyMap<Key, readonly Pod[]> | undefined;

  constructor(namespace: string, pods: Informer<"Pod">) {
    this.#namespace = namespace;
    this.#pods = pods;
  }

  *use(claim: PersistentVolumeClaim): Task<boolean> {
    const key = keyOf(claim);
    if (this.#pods.byIndex(podsByClaim, key).some((pod) => uses(pod, claim))) return true;
    this.#live ??= byClaim(yield* listLive("Pod", this.#namespace));
    return (this.#live.get(key) ?? []).some((pod) => uses(pod, claim));
  }
}

function byClaim(pods: readonly Pod[]): ReadonlyMap<Key, readonly Pod[]> {
  const users = new Map<Key, Pod[]>();
  for (const pod of pods) {
    for (const key of claimKeysOf(pod)) {
      push(users, key, pod);
    }
  }
  return users;
}

/** An ended pod uses its claims until it is deleted; one without a node never does. */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if ((pod.spec.nodeName ?? "") === "") return false;
  return (pod.spec.volumes ?? []).some((volume) => {
    if (volume.persistentVolumeClaim?.claimName === claim.metadata.name) return true;
    if (volume.ephemeral === undefined || isPodShutDown(pod)) return false;
    return ephemeralClaimName(pod, volume) === claim.metadata.name && isClaimForPod(claim, pod);
  });
}

function needsFinalizer(claim: PersistentVolumeClaim): boolean {
  return claim.metadata.deletionTimestamp === undefined && !hasFinalizer(claim, own);
}

function isDeletionCandidate(claim: PersistentVolumeClaim): boolean {
  return claim.metadata.deletionTimestamp !== undefined && hasFinalizer(claim, own);
}
