/**
 * The controller's own caches of volumes and claims, fed by the informers and by the answers to its own writes, so that a
 * stale watch event cannot undo what it has just written. Upstream: pv_controller_base.go storeObjectUpdate v1.36.
 */
import { type Key, keyOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { ByKey, type KeyNumbers } from "../../by-key.ts";
import { VolumeInventory } from "../../matching/volume-inventory.ts";

export class VolumeCache {
  readonly inventory: VolumeInventory;

  constructor(volumes: KeyNumbers, claims: KeyNumbers) {
    this.inventory = new VolumeInventory({ byNodeAffinity: false, volumes, claims });
  }

  get(name: string): PersistentVolume | undefined {
    return this.inventory.get(name);
  }

  /** Stores the object; returns false if a newer one is known. */
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

  /** Stores the object; returns false if a newer one is known. */
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

/** True unless version `offered` is older than version `known`. */
export function acceptsVersion(known: string | undefined, offered: string): boolean {
  if (known === undefined || known === offered) return true;
  return versionNumber(offered) >= versionNumber(known);
}

function versionNumber(text: string): number {
  const version = Number(text);
  if (!Number.isInteger(version)) throw new Error(`resourceVersion "${text}" is not a number`);
  return version;
}
