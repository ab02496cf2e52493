/**
 * State shared by the parts of the PersistentVolume controller: caches, informers, plugins and running operations.
 * Upstream: pkg/controller/volume/persistentvolume/pv_controller.go PersistentVolumeController v1.36.
 */
import type { ApiError, Key } from "../../api/meta.ts";
import { claimKeysOf, podsByClaim } from "../../matching/pod-claims.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Outcome, retry, wait } from "../../runtime/outcome.ts";
import { hasVolumeAttributesClasses, retriesFailedVolumeSyncs } from "../../version-differences.ts";
import { NearMissCache } from "./near-miss-cache.ts";
import { ClaimCache, VolumeCache } from "./object-cache.ts";
import { Operations } from "./operations.ts";
import type { Attempt, VolumePlugins } from "./volume-plugins.ts";

/** Settings of the controller manager, or of a test. */
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
  /** Running recycler pods, each with the callback for its end. */
  readonly recyclerPods: Map<Key, (ended: Attempt) => void>;
  /** The feature gate VolumeAttributesClass. */
  readonly attributesClasses: boolean;
  readonly enqueueClaim: (key: Key) => void;
  readonly enqueueVolume: (key: Key) => void;
}

/** How a sync ended: settled until something changes, to be repeated at the next resync, or failed. */
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

/** Creates the state of a controller that knows no objects yet; `enqueue` adds keys to its two queues. */
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
