/**
 * Saves a volume that was just provisioned, in several attempts, or removes its storage again.
 * Upstream: pv_controller.go provisionClaimOperation v1.36; sig-storage-lib-external-provisioner controller/volume_store.go
 * backoffStore.StoreVolume. Both with createProvisionedPVRetryCount and createProvisionedPVInterval.
 */
import { type Draft, keyOf, refOf } from "../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";
import { create, event, sleep, type Task } from "../runtime/effects.ts";

export const attemptCount = 5;
const attemptIntervalMs = 10_000;

/** `object` is absent if a volume of that name existed already. */
export type Saved =
  | { readonly ok: true; readonly object?: PersistentVolume }
  | { readonly ok: false; readonly error: string };

export function* saveMadeVolume(draft: Draft<"PersistentVolume">): Task<Saved> {
  let error = "";
  for (let attempt = 0; attempt < attemptCount; attempt++) {
    if (attempt > 0) yield* sleep(attemptIntervalMs);
    const created = yield* create<"PersistentVolume">(draft);
    if (created.ok) return created;
    if (created.error.reason === "AlreadyExists") return { ok: true };
    error = created.error.message;
  }
  return { ok: false, error };
}

/** Text of the claim's event if the volume could not be saved. */
export function unsavedText(claim: PersistentVolumeClaim, error: string): string {
  return `Error creating provisioned PV object for claim ${keyOf(claim)}: ${error}. Deleting the volume.`;
}

/** Removes storage that has no volume object, since nobody else ever would. `remove` returns an error or undefined. */
export function* removeUnsaved(
  claim: PersistentVolumeClaim,
  draft: Draft<"PersistentVolume">,
  attempts: number,
  remove: (volume: PersistentVolume) => Task<string | undefined>,
): Task {
  const name = draft.metadata.name ?? "";
  const unsaved = { name, uid: "", resourceVersion: "", creationTimestamp: "" };
  const volume: PersistentVolume = { ...draft, metadata: { ...draft.metadata, ...unsaved } };
  let error = "";
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) yield* sleep(attemptIntervalMs);
    const failure = yield* remove(volume);
    if (failure === undefined) return;
    error = failure;
  }
  const message = `Error cleaning provisioned volume for claim ${keyOf(claim)}: ${error}. Please delete manually.`;
  yield* event(refOf(claim), "Warning", "ProvisioningCleanupFailed", message);
}
