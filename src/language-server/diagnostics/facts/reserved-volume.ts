/** Which volume is kept for which claim and lies unused beside it, because the two do not fit. */
import { makeRef, type Ref } from "../../../engine/api/meta.ts";
import type { PersistentVolume } from "../../../engine/api/types.ts";
import type { Prediction } from "../../prediction/prediction.ts";

/** By the claim's ref; claims that are bound, or nowhere, are left out. */
export function vainReservations(prediction: Prediction): ReadonlyMap<Ref, PersistentVolume> {
  const known = recent.get(prediction);
  if (known !== undefined) return known;
  const { facts } = prediction;
  const found = new Map<Ref, PersistentVolume>();
  for (const object of facts.objects.values()) {
    if (object.kind !== "PersistentVolume" || object.status?.phase !== "Available") continue;
    const { namespace, name } = object.spec.claimRef ?? {};
    if (name === undefined) continue;
    const claim = facts.get("PersistentVolumeClaim", namespace, name);
    if (claim?.status?.phase === "Pending")
      found.set(makeRef("PersistentVolumeClaim", namespace, name), object);
  }
  recent.set(prediction, found);
  return found;
}

const recent = new WeakMap<Prediction, ReadonlyMap<Ref, PersistentVolume>>();
