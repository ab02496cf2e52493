/**
 * Removes the finalizer from a clone source that is being deleted once none of its clones is Pending.
 * Upstream: external-provisioner v6.3 pkg/controller/clone_controller.go.
 */
import type { PersistentVolumeClaim } from "../../api/types.ts";
import { sidecarBackoff } from "../../csi/sidecar.ts";
import { finalizer, hasFinalizer, withFinalizers } from "../../matching/annotations.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { update } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";

export function runCloneProtection(context: ComponentContext): void {
  const claims = context.informer("PersistentVolumeClaim");
  claims.index("cloneSource", ({ metadata, spec }) => {
    const source = spec.dataSource;
    return source?.kind === "PersistentVolumeClaim" ? [`${metadata.namespace}/${source.name}`] : [];
  });

  function* sync(key: string): Reconcile {
    const claim = claims.get(key);
    if (claim === undefined || !isHeld(claim)) return done("NotHeld");
    const clones = claims.byIndex("cloneSource", key);
    if (clones.some((clone) => clone.status?.phase === "Pending")) {
      return retry(`claim ${key} is still being cloned`);
    }
    const kept = (claim.metadata.finalizers ?? []).filter((f) => f !== finalizer.cloningProtection);
    const updated = yield* update(withFinalizers(claim, kept));
    return updated.ok || updated.error.reason === "NotFound"
      ? done("Released")
      : retry(updated.error.message);
  }

  const queue = context.queue({ ...sidecarBackoff, sync });
  const enqueue = (claim: PersistentVolumeClaim): void => {
    if (isHeld(claim)) queue.add(`${claim.metadata.namespace}/${claim.metadata.name}`);
  };
  claims.on({ add: enqueue, update: (_, claim) => enqueue(claim) });
}

function isHeld(claim: PersistentVolumeClaim): boolean {
  return (
    claim.metadata.deletionTimestamp !== undefined &&
    hasFinalizer(claim, finalizer.cloningProtection)
  );
}
