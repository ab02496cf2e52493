/**
 * Claims and volumes as the scheduler sees them: as watched, except where it has decided something that is not written yet.
 * Upstream: kube-scheduler v1.36 plugins/volumebinding/assume_cache.go, util/assumecache.
 */
import { type Key, keyOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { VolumeInventory } from "../../matching/volume-inventory.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import type { Informer } from "../../runtime/informer.ts";

export class VolumeCaches {
  readonly #claims: Informer<"PersistentVolumeClaim">;
  readonly #volumes: Informer<"PersistentVolume">;
  readonly #assumedClaims = new Map<Key, PersistentVolumeClaim>();
  /** Made on first use, that is for the first pod that uses volumes. */
  #inventory: VolumeInventory | undefined;

  constructor(context: ComponentContext) {
    this.#claims = context.informer("PersistentVolumeClaim");
    this.#volumes = context.informer("PersistentVolume");
    this.#volumes.on({
      add: (volume) => this.#inventory?.put(volume),
      update: (_, volume) => this.#inventory?.put(volume),
      delete: (volume) => this.#inventory?.delete(volume.metadata.name),
    });
    const forget = (claim: PersistentVolumeClaim): void => {
      this.#assumedClaims.delete(keyOf(claim));
    };
    this.#claims.on({ update: (_, claim) => forget(claim), delete: forget });
  }

  /** All volumes, including assumptions. */
  get inventory(): VolumeInventory {
    if (this.#inventory === undefined) {
      this.#inventory = new VolumeInventory({
        byNodeAffinity: true,
        volumes: this.#volumes.keys,
        claims: this.#claims.keys,
      });
      for (const volume of this.#volumes.list()) this.#inventory.put(volume);
    }
    return this.#inventory;
  }

  claim(key: Key): PersistentVolumeClaim | undefined {
    return this.#assumedClaims.get(key) ?? this.#claims.get(key);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.inventory.get(name);
  }

  /** As last watched. Upstream: GetAPIPVC. */
  watchedClaim(key: Key): PersistentVolumeClaim | undefined {
    return this.#claims.get(key);
  }

  /** As last watched. Upstream: GetAPIPV. */
  watchedVolume(name: string): PersistentVolume | undefined {
    return this.#volumes.get(name);
  }

  /** Holds until the next watch event or `restoreClaim`. */
  assumeClaim(claim: PersistentVolumeClaim): void {
    this.#assumedClaims.set(keyOf(claim), claim);
  }

  /** Holds until the next watch event or `restoreVolume`. */
  assumeVolume(volume: PersistentVolume): void {
    this.inventory.put(volume);
  }

  restoreClaim(key: Key): void {
    this.#assumedClaims.delete(key);
  }

  restoreVolume(name: string): void {
    const watched = this.#volumes.get(name);
    if (watched === undefined) this.inventory.delete(name);
    else this.inventory.put(watched);
  }
}
