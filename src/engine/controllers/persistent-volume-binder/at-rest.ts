/**
 * Tells whether another sync of a claim or volume would change nothing and record no event, judging by both sides of the
 * binding. Sync and resync skip such objects, so the answer must be no wherever there is doubt.
 */
import { deepEqual } from "../../api/json.ts";
import type { Key } from "../../api/meta.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { claimKeyOf, hasClaimUid } from "../../matching/claim-reference.ts";
import { withClaimRef } from "../../matching/volume-binding.ts";
import type { Binder } from "./binder.ts";
import { claimUpkeep, volumeUpkeep } from "./upkeep.ts";

/** True for a claim in branch S4 of sync-claim.ts with nothing left to write. */
export function isClaimAtRest(binder: Binder, key: Key): boolean {
  const claim = binder.claims.get(key);
  const volume = binder.volumes.get(claim?.spec.volumeName ?? "");
  if (claim === undefined || volume === undefined) return false;
  return (
    hasAnnotation(claim, annotation.bindCompleted) &&
    claim.status?.phase === "Bound" &&
    volume.status?.phase === "Bound" &&
    volume.spec.claimRef?.uid === claim.metadata.uid &&
    withClaimRef(volume, claim) === volume &&
    claimUpkeep(claim, binder.settings.migratedDriver) === claim &&
    deepEqual(claim.status.accessModes, volume.spec.accessModes)
  );
}

/** True for a volume in branch V1, V2 or V6 of sync-volume.ts that has the right phase. */
export function isVolumeAtRest(binder: Binder, name: string): boolean {
  const volume = binder.volumes.get(name);
  if (volume === undefined) return false;
  if (volumeUpkeep(volume, binder.settings.migratedDriver) !== volume) return false;
  const claimKey = claimKeyOf(volume);
  if (claimKey === undefined || !hasClaimUid(volume)) return volume.status?.phase === "Available";
  const claim = binder.claims.get(claimKey);
  return (
    claim?.metadata.uid === volume.spec.claimRef?.uid &&
    claim?.spec.volumeName === name &&
    volume.status?.phase === "Bound"
  );
}
