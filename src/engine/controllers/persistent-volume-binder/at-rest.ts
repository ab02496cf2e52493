/**
 * Whether another sync of an object would change nothing and record no event. It looks at both sides of a binding at once. Such
 * objects are skipped, by the sync and by the resync; all others are synced, so where there is doubt the answer has to be no.
 */
import { deepEqual } from "../../api/json.ts";
import type { Key } from "../../api/meta.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { claimKeyOf, hasClaimUid } from "../../matching/claim-reference.ts";
import { withClaimRef } from "../../matching/volume-binding.ts";
import type { Binder } from "./binder.ts";
import { claimUpkeep, volumeUpkeep } from "./upkeep.ts";

/** Row S4 of docs/upstream/binder.md with nothing left to write. */
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

/** Rows V1, V2 and V6 of docs/upstream/binder.md with the right phase. */
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
