/** A volume that no claim can get any more: Released, Failed, or reserved for a claim that never comes. */
import type { Ref } from "../../../engine/api/meta.ts";
import type { ObjectReference } from "../../../engine/api/types.ts";
import type { Verdict } from "../../../engine/explain/verdict.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { vainReservations } from "../facts/reserved-volume.ts";
import { isKind, nearestText, outcomeRule } from "../predicted-outcome.ts";
import type { PredictionRule } from "../rule.ts";

export const volumeUnusable: PredictionRule = outcomeRule(
  "volume-unusable",
  "warning",
  (verdict, prediction) =>
    isKind(verdict, "PersistentVolume", "VolumeAttachment") &&
    !isReleased(verdict, prediction) &&
    !isReservedForNobody(verdict, prediction) &&
    !isReservedInVain(verdict, prediction),
  ({ kind }) => (kind === "waits-for-you" ? "information" : "warning"),
);

export const pvReleased: PredictionRule = outcomeRule("pv-released", "warning", isReleased);

export const pvClaimrefIncompatible: PredictionRule = outcomeRule(
  "pv-claimref-incompatible",
  "error",
  (verdict, prediction) =>
    isReservedInVain(verdict, prediction) && !isNamedByClaim(verdict, prediction),
  undefined,
  ({ ref }, prediction) => {
    const claim = prediction.verdictOf.get(claimOf(ref, prediction) ?? "");
    return claim === undefined ? undefined : nearestText(claim);
  },
);

function isReleased({ ref }: Verdict, { facts }: Prediction): boolean {
  const volume = facts.objects.get(ref);
  return volume?.kind === "PersistentVolume" && volume.status?.phase === "Released";
}

/** True if the volume's claim exists and stays Pending. */
function isReservedInVain({ ref }: Verdict, prediction: Prediction): boolean {
  return claimOf(ref, prediction) !== undefined;
}

/** The claim that the volume is reserved for in vain. */
function claimOf(ref: Ref, prediction: Prediction): Ref | undefined {
  return vainReservations(prediction).claimOf.get(ref);
}

/** If the claim also names the volume, the finding is at the claim. */
function isNamedByClaim({ ref }: Verdict, prediction: Prediction): boolean {
  const claim = prediction.facts.objects.get(claimOf(ref, prediction) ?? "");
  return claim?.kind === "PersistentVolumeClaim" && claim.spec.volumeName !== undefined;
}

/** pv-claimref-missing-claim reports these. */
function isReservedForNobody({ ref }: Verdict, prediction: Prediction): boolean {
  const owner = ownerOfAvailable(ref, prediction);
  if (owner === undefined) return false;
  const { facts } = prediction;
  return facts.get("PersistentVolumeClaim", owner.namespace, owner.name ?? "") === undefined;
}

function ownerOfAvailable(ref: Ref, { facts }: Prediction): ObjectReference | undefined {
  const volume = facts.objects.get(ref);
  if (volume?.kind !== "PersistentVolume" || volume.status?.phase !== "Available") return undefined;
  return volume.spec.claimRef;
}
