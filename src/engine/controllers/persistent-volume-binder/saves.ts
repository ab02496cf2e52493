/** Writes that put the server's answer into the controller's cache at once. Upstream: storeVolumeUpdate, storeClaimUpdate. */
import type { Result } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { type Task, update, updateStatus } from "../../runtime/effects.ts";
import type { Binder } from "./binder.ts";

export function* saveVolume(
  binder: Binder,
  volume: PersistentVolume,
): Task<Result<PersistentVolume>> {
  const saved = yield* update<"PersistentVolume">(volume);
  if (saved.ok) binder.volumes.put(saved.object);
  return saved;
}

export function* saveVolumeStatus(
  binder: Binder,
  volume: PersistentVolume,
): Task<Result<PersistentVolume>> {
  const saved = yield* updateStatus<"PersistentVolume">(volume);
  if (saved.ok) binder.volumes.put(saved.object);
  return saved;
}

export function* saveClaim(
  binder: Binder,
  claim: PersistentVolumeClaim,
): Task<Result<PersistentVolumeClaim>> {
  const saved = yield* update<"PersistentVolumeClaim">(claim);
  if (saved.ok) binder.claims.put(saved.object);
  return saved;
}

export function* saveClaimStatus(
  binder: Binder,
  claim: PersistentVolumeClaim,
): Task<Result<PersistentVolumeClaim>> {
  const saved = yield* updateStatus<"PersistentVolumeClaim">(claim);
  if (saved.ok) binder.claims.put(saved.object);
  return saved;
}
