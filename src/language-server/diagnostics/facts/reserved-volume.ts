/** Volumes that are reserved for a claim, but not bound to it, because the two do not fit. */
import { makeRef, type Ref, refOf } from "../../../engine/api/meta.ts";
import type { Prediction } from "../../prediction/prediction.ts";

/** Claims that are bound or do not exist are left out. */
export interface VainReservations {
  /** By volume. */
  readonly claimOf: ReadonlyMap<Ref, Ref>;
  readonly claims: ReadonlySet<Ref>;
}

export function vainReservations(prediction: Prediction): VainReservations {
  const known = recent.get(prediction);
  if (known !== undefined) return known;
  const { facts } = prediction;
  const claimOf = new Map<Ref, Ref>();
  for (const object of facts.objects.values()) {
    if (object.kind !== "PersistentVolume" || object.status?.phase !== "Available") continue;
    const { namespace, name } = object.spec.claimRef ?? {};
    if (name === undefined) continue;
    const claim = facts.get("PersistentVolumeClaim", namespace, name);
    if (claim?.status?.phase === "Pending")
      claimOf.set(refOf(object), makeRef("PersistentVolumeClaim", namespace, name));
  }
  const found = { claimOf, claims: new Set(claimOf.values()) };
  recent.set(prediction, found);
  return found;
}

const recent = new WeakMap<Prediction, VainReservations>();
