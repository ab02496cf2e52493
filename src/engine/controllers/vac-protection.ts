/**
 * Protects a VolumeAttributesClass while a claim or volume has it, or a claim is about to get it. Upstream:
 * pkg/controller/storage/vacprotection/vac_protection_controller.go v1.36.
 */
import type { Key } from "../api/meta.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  VolumeAttributesClass,
} from "../api/types.ts";
import { finalizer, hasFinalizer, withFinalizers } from "../matching/annotations.ts";
import type { Component } from "../runtime/component.ts";
import { listLive, type Task, update } from "../runtime/effects.ts";
import { done, type Reconcile, retry } from "../runtime/outcome.ts";

const own = finalizer.attributesClassProtection;

export const vacProtection: Component = {
  name: "vac-protection",
  source: "vac-protection-controller",
  start(context) {
    const classes = context.informer("VolumeAttributesClass");
    const queue = context.queue({ sync });
    const classChanged = (attributesClass: VolumeAttributesClass): void => {
      if (needsFinalizer(attributesClass) || isDeletionCandidate(attributesClass)) {
        queue.add(attributesClass.metadata.name);
      }
    };
    classes.on({ add: classChanged, update: (_, after) => classChanged(after) });

    const released = (names: readonly string[]): void => {
      for (const name of names) {
        const attributesClass = classes.get(name);
        if (attributesClass !== undefined) classChanged(attributesClass);
      }
    };
    context.informer("PersistentVolumeClaim").on({
      update: (before, after) => released(difference(namesOf(before), namesOf(after))),
      delete: (claim) => released(namesOf(claim)),
    });
    context.informer("PersistentVolume").on({
      update: (before, after) => released(difference(nameOf(before), nameOf(after))),
      delete: (volume) => released(nameOf(volume)),
    });

    function* sync(name: Key): Reconcile {
      const attributesClass = classes.get(name);
      if (attributesClass === undefined) return done("Gone");
      const finalizers = attributesClass.metadata.finalizers ?? [];
      if (isDeletionCandidate(attributesClass)) {
        if (yield* isUsed(name)) return done("InUse"); // The end of its last user wakes it.
        const rest = finalizers.filter((f) => f !== own);
        const saved = yield* update<"VolumeAttributesClass">(withFinalizers(attributesClass, rest));
        return saved.ok ? done("FinalizerRemoved") : retry(saved.error.message);
      } else if (needsFinalizer(attributesClass)) {
        const kept = withFinalizers(attributesClass, [...finalizers, own]);
        const saved = yield* update<"VolumeAttributesClass">(kept);
        return saved.ok ? done("FinalizerAdded") : retry(saved.error.message);
      } else {
        return done("Unchanged");
      }
    }
  },
};

function* isUsed(name: string): Task<boolean> {
  const claims = yield* listLive("PersistentVolumeClaim");
  if (claims.some((claim) => namesOf(claim).includes(name))) return true;
  const volumes = yield* listLive("PersistentVolume");
  return volumes.some((volume) => nameOf(volume).includes(name));
}

/** Shared, because nearly all claims and volumes have no class. */
const none: readonly string[] = [];

/** Returns the classes that a claim requests, has, or is being changed to. */
function namesOf({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const wanted = spec.volumeAttributesClassName ?? "";
  const current = status?.currentVolumeAttributesClassName ?? "";
  const target = status?.modifyVolumeStatus?.targetVolumeAttributesClassName ?? "";
  if (wanted === "" && current === "" && target === "") return none;
  return [wanted, current, target].filter((name) => name !== "");
}

function nameOf({ spec }: PersistentVolume): readonly string[] {
  const name = spec.volumeAttributesClassName ?? "";
  return name === "" ? none : [name];
}

function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  return before.length === 0 ? none : before.filter((name) => !after.includes(name));
}

function needsFinalizer(attributesClass: VolumeAttributesClass): boolean {
  return (
    attributesClass.metadata.deletionTimestamp === undefined && !hasFinalizer(attributesClass, own)
  );
}

function isDeletionCandidate(attributesClass: VolumeAttributesClass): boolean {
  return (
    attributesClass.metadata.deletionTimestamp !== undefined && hasFinalizer(attributesClass, own)
  );
}
