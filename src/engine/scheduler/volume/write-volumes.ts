/**
 * Writes which volumes a pod's claims get, and for which node the others are to be provisioned.
 * Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go bindAPIUpdate.
 */
import type { PersistentVolumeClaim } from "../../api/types.ts";
import { type Task, update } from "../../runtime/effects.ts";
import type { PodVolumes } from "./pod-volume-plan.ts";

export type WrittenVolumes =
  | { readonly ok: true; readonly volumes: PodVolumes }
  | { readonly ok: false; readonly error: string };

/** Writes volumes, then claims, one after the other. What was written before an error stays. */
export function* writeVolumes(volumes: PodVolumes): Task<WrittenVolumes> {
  const bindings: PodVolumes["bindings"][number][] = [];
  for (const { claim, volume } of volumes.bindings) {
    const result = yield* update<"PersistentVolume">(volume);
    if (!result.ok) return { ok: false, error: result.error.message };
    bindings.push({ claim, volume: result.object });
  }
  const provisions: PersistentVolumeClaim[] = [];
  for (const claim of volumes.provisions) {
    const result = yield* update<"PersistentVolumeClaim">(claim);
    if (!result.ok) return { ok: false, error: result.error.message };
    provisions.push(result.object);
  }
  return { ok: true, volumes: { bindings, provisions } };
}
