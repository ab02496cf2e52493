/** Writes the name of a claim's provisioner into its annotations. Upstream: pv_controller.go setClaimProvisioner v1.36. */
import type { Result } from "../../api/meta.ts";
import type { PersistentVolumeClaim } from "../../api/types.ts";
import { annotation, annotationOf, withAnnotations } from "../../matching/annotations.ts";
import type { Task } from "../../runtime/effects.ts";
import type { Binder } from "./binder.ts";
import { saveClaim } from "./saves.ts";
import { claimUpkeep } from "./upkeep.ts";

/** Asks the provisioner to start. Writes nothing if the annotation is right, even if the beta one is not. */
export function* setClaimProvisioner(
  binder: Binder,
  claim: PersistentVolumeClaim,
  provisioner: string,
): Task<Result<PersistentVolumeClaim>> {
  if (annotationOf(claim, annotation.storageProvisioner) === provisioner)
    return { ok: true, object: claim };
  const named = withAnnotations(claim, {
    [annotation.storageProvisioner]: provisioner,
    [annotation.betaStorageProvisioner]: provisioner,
  });
  return yield* saveClaim(binder, claimUpkeep(named, binder.settings.migratedDriver));
}
