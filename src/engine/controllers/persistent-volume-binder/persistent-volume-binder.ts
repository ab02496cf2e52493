/**
 * The PersistentVolume controller: binds claims and volumes, starts provisioning, reclaims volumes.
 * Upstream: pkg/controller/volume/persistentvolume/pv_controller_base.go v1.36. Two queues with one worker each. A key is
 * queued when its object changes, when its partner is deleted, at a resync, and if a volume's sync finds its claim unbound.
 */
import { type Key, keyOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { claimKeyOf } from "../../matching/claim-reference.ts";
import { migratedDriver } from "../../matching/csi-migration.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Reconcile } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
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
    start: (context) => new PersistentVolumeController(context, settings).run(),
  };
}

class PersistentVolumeController {
  readonly #binder: Binder;
  readonly #volumes: Informer<"PersistentVolume">;
  readonly #claims: Informer<"PersistentVolumeClaim">;
  readonly #claimQueue: WorkQueue;
  readonly #volumeQueue: WorkQueue;
  readonly #resync: Resync;

  constructor(context: ComponentContext, settings: BinderSettings) {
    this.#volumes = context.informer("PersistentVolume");
    const binder = createBinder(context, settings, {
      claim: (key) => this.#claimQueue.add(key),
      volume: (key) => this.#volumeQueue.add(key),
    });
    this.#binder = binder;
    this.#claims = binder.claimInformer;
    this.#claimQueue = context.queue({
      sync: (key) => this.#syncClaim(key),
      keys: this.#claims.keys,
    });
    this.#volumeQueue = context.queue({
      sync: (key) => this.#syncVolume(key),
      keys: this.#volumes.keys,
    });
    this.#resync = new Resync(
      context,
      { isAtRest: (key) => isClaimAtRest(binder, key), enqueue: binder.enqueueClaim },
      { isAtRest: (name) => isVolumeAtRest(binder, name), enqueue: binder.enqueueVolume },
    );
  }

  run(): void {
    this.#claims.index(
      claimsByVolumeName,
      ({ spec }) => (spec.volumeName === undefined ? noNames : [spec.volumeName]),
      this.#volumes.keys,
    );
    // Both caches are filled before the first sync.
    for (const volume of this.#volumes.list()) this.#binder.volumes.put(volume);
    for (const claim of this.#claims.list()) this.#binder.claims.put(claim);
    this.#volumes.on({
      add: (volume) => this.#volumeChanged(volume),
      update: (_, after) => this.#volumeChanged(after),
      delete: (volume) => this.#volumeChanged(volume),
    });
    this.#claims.on({
      add: (claim) => this.#claimChanged(claim),
      update: (_, after) => this.#claimChanged(after),
      delete: (claim) => this.#claimChanged(claim),
    });
    watchRecyclerPods(this.#binder);
  }

  /** The claim's change may also mean work for volumes that name it; the next resync does that. */
  #claimChanged(claim: PersistentVolumeClaim): void {
    this.#claimQueue.add(keyOf(claim));
    for (const volume of this.#binder.volumes.inventory.namingClaim(keyOf(claim)))
      this.#resync.addVolume(volume.metadata.name);
  }

  #volumeChanged(volume: PersistentVolume): void {
    this.#volumeQueue.add(volume.metadata.name);
    const named = claimKeyOf(volume);
    if (named !== undefined && this.#claims.get(named) !== undefined) this.#resync.addClaim(named);
    for (const claim of this.#claims.byIndex(claimsByVolumeName, volume.metadata.name))
      this.#resync.addClaim(keyOf(claim));
  }

  *#syncClaim(key: Key): Reconcile {
    const binder = this.#binder;
    const claim = this.#claims.get(key);
    if (claim === undefined) {
      const last = binder.claims.get(key);
      if (last !== undefined) claimDeleted(binder, last);
      return done("Gone");
    }
    if (!binder.claims.put(claim)) return done("Stale"); // The newer version's event is on its way.
    if (isClaimAtRest(binder, key)) {
      this.#leaveOut(key);
      return done("Bound");
    }
    const end = yield* syncClaim(binder, claim);
    if (end.type !== "settled") this.#resync.addClaim(key);
    else if (isClaimAtRest(binder, key)) this.#leaveOut(key);
    return outcomeOf(binder, end);
  }

  /** For a claim at rest: if its volume is at rest too, takes both off the resync's list. */
  #leaveOut(claim: Key): void {
    const volume = this.#binder.claims.get(claim)?.spec.volumeName ?? "";
    if (isVolumeAtRest(this.#binder, volume)) this.#resync.leaveOut(claim, volume);
  }

  *#syncVolume(key: Key): Reconcile {
    const binder = this.#binder;
    const volume = this.#volumes.get(key);
    if (volume === undefined) {
      const last = binder.volumes.get(key);
      if (last !== undefined) volumeDeleted(binder, last);
      return done("Gone");
    }
    if (!binder.volumes.put(volume)) return done("Stale");
    if (isVolumeAtRest(binder, key)) return done(volume.status?.phase ?? "");
    const end = yield* syncVolume(binder, volume);
    if (end.type !== "settled") this.#resync.addVolume(key);
    return outcomeOf(binder, end);
  }
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
