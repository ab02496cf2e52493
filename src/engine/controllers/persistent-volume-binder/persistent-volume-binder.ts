/**
 * The PersistentVolume controller: binds claims and volumes, has volumes provisioned, reclaims them.
 * Upstream: pkg/controller/volume/persistentvolume/pv_controller_base.go v1.36. Two queues with one worker each; what wakes
 * them is only a change of the object itself, the end of its partner, and the resync.
 */
import { type Key, keyOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { claimKeyOf } from "../../matching/claim-reference.ts";
import { migratedDriver } from "../../matching/csi-migration.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { done, type Reconcile } from "../../runtime/outcome.ts";
import { isClaimAtRest, isVolumeAtRest } from "./at-rest.ts";
import { type Binder, type BinderSettings, createBinder, outcomeOf } from "./binder.ts";
import { hostPathPlugin, nfsPlugin } from "./in-tree-plugins.ts";
import { endOf } from "./recycler-pod.ts";
import { Resync } from "./resync.ts";
import { claimDeleted, syncClaim } from "./sync-claim.ts";
import { syncVolume, volumeDeleted } from "./sync-volume.ts";
import { VolumePlugins } from "./volume-plugins.ts";

const claimsByVolumeName = "spec.volumeName";
const noNames: readonly string[] = [];

const clusterSettings: BinderSettings = {
  plugins: new VolumePlugins([hostPathPlugin, nfsPlugin]),
  migratedDriver,
  dynamicProvisioning: true,
};

export function persistentVolumeBinder(settings: BinderSettings = clusterSettings): Component {
  return {
    name: "persistentvolume-binder",
    source: "persistentvolume-controller",
    start: (context) => start(context, settings),
  };
}

function start(context: ComponentContext, settings: BinderSettings): void {
  const volumeInformer = context.informer("PersistentVolume");

  const binder = createBinder(context, settings, {
    claim: (key) => claimQueue.add(key),
    volume: (key) => volumeQueue.add(key),
  });
  const { claimInformer } = binder;
  const claimQueue = context.queue({
    name: "claim",
    sync: syncClaimKey,
    keys: claimInformer.keys,
  });
  const volumeQueue = context.queue({
    name: "volume",
    sync: syncVolumeKey,
    keys: volumeInformer.keys,
  });
  const resync = new Resync(
    context,
    { isAtRest: (key) => isClaimAtRest(binder, key), enqueue: binder.enqueueClaim },
    { isAtRest: (name) => isVolumeAtRest(binder, name), enqueue: binder.enqueueVolume },
  );
  claimInformer.index(
    claimsByVolumeName,
    ({ spec }) => (spec.volumeName === undefined ? noNames : [spec.volumeName]),
    volumeInformer.keys,
  );

  function* syncClaimKey(key: Key): Reconcile {
    const claim = claimInformer.get(key);
    if (claim === undefined) {
      const last = binder.claims.get(key);
      if (last !== undefined) claimDeleted(binder, last);
      return done("Gone");
    }
    if (!binder.claims.put(claim)) return done("Stale"); // The newer version's event is on its way.
    if (isClaimAtRest(binder, key)) {
      leaveOut(key);
      return done("Bound");
    }
    const end = yield* syncClaim(binder, claim);
    if (end.type !== "settled") resync.addClaim(key);
    else if (isClaimAtRest(binder, key)) leaveOut(key);
    return outcomeOf(binder, end);
  }

  /** The claim is at rest: if its volume is too, neither has to wait for the resync to find out. */
  function leaveOut(claim: Key): void {
    const volume = binder.claims.get(claim)?.spec.volumeName ?? "";
    if (isVolumeAtRest(binder, volume)) resync.leaveOut(claim, volume);
  }

  function* syncVolumeKey(key: Key): Reconcile {
    const volume = volumeInformer.get(key);
    if (volume === undefined) {
      const last = binder.volumes.get(key);
      if (last !== undefined) volumeDeleted(binder, last);
      return done("Gone");
    }
    if (!binder.volumes.put(volume)) return done("Stale");
    if (isVolumeAtRest(binder, key)) return done(volume.status?.phase ?? "");
    const end = yield* syncVolume(binder, volume);
    if (end.type !== "settled") resync.addVolume(key);
    return outcomeOf(binder, end);
  }

  /** A change may unsettle the object's partner, which only the next resync will notice. */
  const claimChanged = (claim: PersistentVolumeClaim): void => {
    claimQueue.add(keyOf(claim));
    for (const volume of binder.volumes.inventory.namingClaim(keyOf(claim))) {
      resync.addVolume(volume.metadata.name);
    }
  };
  const volumeChanged = (volume: PersistentVolume): void => {
    volumeQueue.add(volume.metadata.name);
    const named = claimKeyOf(volume);
    if (named !== undefined && claimInformer.get(named) !== undefined) resync.addClaim(named);
    for (const claim of claimInformer.byIndex(claimsByVolumeName, volume.metadata.name)) {
      resync.addClaim(keyOf(claim));
    }
  };

  // All volumes, then all claims are known before the first sync.
  for (const volume of volumeInformer.list()) binder.volumes.put(volume);
  for (const claim of claimInformer.list()) binder.claims.put(claim);
  volumeInformer.on({
    add: volumeChanged,
    update: (_, after) => volumeChanged(after),
    delete: volumeChanged,
  });
  claimInformer.on({
    add: claimChanged,
    update: (_, after) => claimChanged(after),
    delete: claimChanged,
  });
  watchRecyclerPods(binder);
}

function watchRecyclerPods(binder: Binder): void {
  binder.pods.on({
    update: (_, pod) => {
      const ended = binder.recyclerPods.get(keyOf(pod));
      const end = ended === undefined ? undefined : endOf(pod);
      if (end !== undefined) ended?.(end);
    },
    delete: (pod) => {
      binder.recyclerPods.get(keyOf(pod))?.({ ok: false, error: "recycler pod was deleted" });
    },
  });
}
