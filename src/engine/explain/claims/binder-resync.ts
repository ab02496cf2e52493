/** What the binder hears of with its next look at every claim only. Upstream: pv_controller_base.go resync v1.36. */
import type { KubeObject } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { Instant } from "../../trace/instant.ts";
import type { RunFacts } from "../run-facts.ts";
import { claimOf } from "../volumes/bound-pair.ts";

/** Upstream: PVClaimBinderSyncPeriod. */
const resyncMs = 15_000;

/** Whether the binder may not have looked at every claim since. */
export function isBeforeResync(facts: RunFacts, at: Instant): boolean {
  return facts.now - at <= resyncMs;
}

/** Whether a free volume of the claim's class has been written, or may have been, since the binder last looked at `seen`. */
export function hasLateVolume(
  facts: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
  seen: Instant,
): boolean {
  const changedAt = facts.changedAt("PersistentVolume");
  const name = effectiveClassName(claim);
  return (
    changedAt > seen &&
    isBeforeResync(facts, changedAt) &&
    facts
      .list("PersistentVolume")
      .some((volume) => volume.spec.claimRef === undefined && effectiveClassName(volume) === name)
  );
}

/** Whether a volume has been reserved for the claim since: it is bound to that one whatever its class and wherever its pod is to run. */
export function isReservedLately(
  facts: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
): boolean {
  return (
    isBeforeResync(facts, facts.changedAt("PersistentVolume")) &&
    facts.list("PersistentVolume").some((volume) => claimOf(facts, volume) === claim)
  );
}
