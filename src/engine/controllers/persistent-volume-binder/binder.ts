/**
 * What the parts of the PersistentVolume controller share: caches, listers, plugins and running operations.
 * Upstream: pkg/controller/volume/persistentvolume/pv_controller.go PersistentVolumeController v1.36.
 */
import { type ApiError, type Key, keyOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { ByKey, type KeyNumbers } from "../../by-key.ts";
import { claimKeysOf, podsByClaim } from "../../matching/pod-claims.ts";
import { VolumeInventory } from "../../matching/volume-inventory.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Outcome, retry, wait } from "../../runtime/outcome.ts";
import { hasVolumeAttributesClasses, retriesFailedVolumeSyncs } from "../../version-differences.ts";
import { NearMissCache } from "./near-miss-cache.ts";
import { acceptsVersion } from "./object-cache.ts";
import { Operations } from "./operations.ts";
import type { Attempt, VolumePlugins } from "./volume-plugins.ts";

/** What a cluster's administrator, or a test, can set. */
export interface BinderSettings {
  readonly plugins: VolumePlugins;
  /** The CSI driver that a plugin is migrated to. */
  readonly migratedDriver: (plugin: string) => string | undefined;
  /** --enable-dynamic-provisioning */
  readonly dynamicProvisioning: boolean;
}

export interface Binder {
  readonly context: ComponentContext;
  readonly settings: BinderSettings;
  readonly volumes: VolumeCache;
  readonly claims: ClaimCache;
  readonly claimInformer: Informer<"PersistentVolumeClaim">;
  readonly classes: Informer<"StorageClass">;
  readonly pods: Informer<"Pod">;
  readonly nodes: Informer<"Node">;
  readonly operations: Operations;
  readonly nearMisses: NearMissCache;
  /** Recycler pods that run, with what is to be done at their end. */
  readonly recyclerPods: Map<Key, (ended: Attempt) => void>;
  /** The feature gate VolumeAttributesClass. */
  readonly attributesClasses: boolean;
  readonly enqueueClaim: (key: Key) => void;
  readonly enqueueVolume: (key: Key) => void;
}

export class VolumeCache {
  readonly inventory: VolumeInventory;

  constructor(volumes: KeyNumbers, claims: KeyNumbers) {
    this.inventory = new VolumeInventory({ byNodeAffinity: false, volumes, claims });
  }

  get(name: string): PersistentVolume | undefined {
    return this.inventory.get(name);
  }

  /** Takes the object over; false where a newer one is known. */
  put(volume: PersistentVolume): boolean {
    const { resourceVersion } = volume.metadata;
    return this.inventory.putUnless(
      volume,
      ({ metadata }) => !acceptsVersion(metadata.resourceVersion, resourceVersion),
    );
  }

  delete(name: string): void {
    this.inventory.delete(name);
  }
}

export class ClaimCache {
  readonly #claims: ByKey<PersistentVolumeClaim>;

  constructor(claims: KeyNumbers) {
    this.#claims = new ByKey(claims);
  }

  get(key: Key): PersistentVolumeClaim | undefined {
    return this.#claims.get(key);
  }

  /** Takes the object over; false where a newer one is known. */
  put(claim: PersistentVolumeClaim): boolean {
    const key = keyOf(claim);
    const known = this.#claims.get(key)?.metadata.resourceVersion;
    if (!acceptsVersion(known, claim.metadata.resourceVersion)) return false;
    this.#claims.set(key, claim);
    return true;
  }

  delete(key: Key): void {
    this.#claims.delete(key);
  }
}

/** The end of a sync: settled until something changes, to be looked at again at the next resync, or failed. */
export type SyncEnd =
  | { readonly type: "settled"; readonly reason: string }
  | { readonly type: "unsettled"; readonly reason: string }
  | { readonly type: "failed"; readonly error: string };

export function settled(reason: string): SyncEnd {
  return { type: "settled", reason };
}
export function unsettled(reason: string): SyncEnd {
  return { type: "unsettled", reason };
}
export function failed(error: ApiError | string): SyncEnd {
  return { type: "failed", error: typeof error === "string" ? error : error.message };
}

export function outcomeOf(binder: Binder, end: SyncEnd): Outcome {
  switch (end.type) {
    case "settled":
      return done(end.reason);
    case "unsettled":
      return wait(end.reason);
    case "failed":
      return retriesFailedVolumeSyncs(binder.context.version) ? retry(end.error) : wait(end.error);
  }
}

/** A controller that knows no object yet; `enqueue` wakes its two queues. */
export function createBinder(
  context: ComponentContext,
  settings: BinderSettings,
  enqueue: { readonly claim: (key: Key) => void; readonly volume: (key: Key) => void },
): Binder {
  const pods = context.informer("Pod");
  const claimInformer = context.informer("PersistentVolumeClaim");
  const { keys: volumeKeys } = context.informer("PersistentVolume");
  pods.index(podsByClaim, claimKeysOf, claimInformer.keys);
  return {
    context,
    settings,
    volumes: new VolumeCache(volumeKeys, claimInformer.keys),
    claims: new ClaimCache(claimInformer.keys),
    claimInformer,
    classes: context.informer("StorageClass"),
    pods,
    nodes: context.informer("Node"),
    operations: new Operations(context),
    nearMisses: new NearMissCache(),
    recyclerPods: new Map(),
    attributesClasses: hasVolumeAttributesClasses(context.version),
    enqueueClaim: enqueue.claim,
    enqueueVolume: enqueue.volume,
  };
}
