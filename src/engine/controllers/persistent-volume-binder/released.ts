/** Whether a volume may be deleted or recycled now. Upstream: pv_controller.go isVolumeReleased v1.36. */
import type { PersistentVolume } from "../../api/types.ts";
import { claimKeyOf, hasClaimUid } from "../../matching/claim-reference.ts";
import type { Binder } from "./binder.ts";

/** False if the volume was never bound, and while its claim has it or may still get it. */
export function isVolumeReleased(binder: Binder, volume: PersistentVolume): boolean {
  if (volume.spec.claimRef === undefined || !hasClaimUid(volume)) return false;
  const claim = binder.claims.get(claimKeyOf(volume) ?? "");
  if (claim === undefined || claim.metadata.uid !== volume.spec.claimRef.uid) return true;
  const chosen = claim.spec.volumeName ?? "";
  return chosen !== "" && chosen !== volume.metadata.name;
}
