/**
 * Empties a released volume and makes it available again. Errors cause no back-off: each sync tries again.
 * Upstream: pv_controller.go recycleVolumeOperation v1.36.
 */
import { refOf } from "../../api/meta.ts";
import type { PersistentVolume } from "../../api/types.ts";
import { claimKeyOf } from "../../matching/claim-reference.ts";
import { event, getLive, type Task } from "../../runtime/effects.ts";
import { unbind } from "./bind.ts";
import type { Binder } from "./binder.ts";
import type { OperationResult } from "./operations.ts";
import { recycler } from "./recycler-pod.ts";
import { isVolumeReleased } from "./released.ts";
import { failVolume } from "./status.ts";
import { unfinishedPods } from "./waiting-pods.ts";

export function* recycleVolume(binder: Binder, offered: PersistentVolume): Task<OperationResult> {
  const live = yield* getLive("PersistentVolume", undefined, offered.metadata.name);
  if (!live.ok || !isVolumeReleased(binder, live.object)) return { ok: true };
  const volume = live.object;
  const claim = claimKeyOf(volume) ?? "";
  const pods = binder.claims.get(claim) === undefined ? unfinishedPods(binder, claim) : [];
  if (pods.length > 0) {
    const message = `Volume is used by pods: ${pods.join(",")}`;
    yield* event(refOf(volume), "Normal", "VolumeFailedRecycle", message);
    return { ok: true };
  }
  const found = binder.settings.plugins.recyclerFor(volume);
  if (!found.ok) {
    const message = "No recycler plugin found for the volume!";
    yield* failVolume(binder, volume, "VolumeFailedRecycle", message);
    return { ok: true };
  }
  const recycled = yield* found.plugin.recycle(volume, recycler(binder, volume));
  if (!recycled.ok) {
    yield* failVolume(binder, volume, "VolumeFailedRecycle", `Recycle failed: ${recycled.error}`);
    return { ok: true };
  }
  yield* event(refOf(volume), "Normal", "VolumeRecycled", "Volume recycled");
  yield* unbind(binder, volume);
  return { ok: true };
}
