/**
 * Protects a volume while it is bound: adds its finalizer, and removes it from a volume that is being deleted and not Bound.
 * Only the phase matters, not the claimRef. Upstream: pkg/controller/volume/pvprotection/pv_protection_controller.go v1.36.
 */
import type { Key } from "../api/meta.ts";
import type { PersistentVolume } from "../api/types.ts";
import { finalizer, hasFinalizer, withFinalizers } from "../matching/annotations.ts";
import type { Component } from "../runtime/component.ts";
import { update } from "../runtime/effects.ts";
import { done, type Reconcile, retry } from "../runtime/outcome.ts";

const own = finalizer.volumeProtection;

export const pvProtection: Component = {
  name: "pv-protection",
  source: "pv-protection-controller",
  start(context) {
    const volumes = context.informer("PersistentVolume");
    const queue = context.queue({ sync });
    const changed = (volume: PersistentVolume): void => {
      if (needsFinalizer(volume) || mayLoseFinalizer(volume)) queue.add(volume.metadata.name);
    };
    volumes.on({ add: changed, update: (_, after) => changed(after) });

    function* sync(name: Key): Reconcile {
      const volume = volumes.get(name);
      if (volume === undefined) return done("Gone");
      const finalizers = volume.metadata.finalizers ?? [];
      if (mayLoseFinalizer(volume)) {
        const rest = finalizers.filter((f) => f !== own);
        const saved = yield* update<"PersistentVolume">(withFinalizers(volume, rest));
        return saved.ok ? done("FinalizerRemoved") : retry(saved.error.message);
      } else if (needsFinalizer(volume)) {
        const saved = yield* update<"PersistentVolume">(
          withFinalizers(volume, [...finalizers, own]),
        );
        return saved.ok ? done("FinalizerAdded") : retry(saved.error.message);
      } else {
        return done("Unchanged");
      }
    }
  },
};

function needsFinalizer(volume: PersistentVolume): boolean {
  return volume.metadata.deletionTimestamp === undefined && !hasFinalizer(volume, own);
}

function mayLoseFinalizer(volume: PersistentVolume): boolean {
  return (
    volume.metadata.deletionTimestamp !== undefined &&
    hasFinalizer(volume, own) &&
    volume.status?.phase !== "Bound"
  );
}
