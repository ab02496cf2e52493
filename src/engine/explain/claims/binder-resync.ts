/** Changes that the binder notices only at its periodic resync of all claims. Upstream: pv_controller_base.go resync v1.36. */
import type { KubeObject } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { Instant } from "../../trace/instant.ts";
import type { RunFacts } from "../run-facts.ts";
import { claimOf } from "../volumes/bound-pair.ts";

/** Upstream: PVClaimBinderSyncPeriod. */
const resyncMs = 15_000;

/** True if the binder may not have resynced every claim since `at`. */
export function isBeforeResync(facts: RunFacts, at: Instant): boolean {
  return facts.now - at <= resyncMs;
}

/** True if a free volume of the claim's class may have been written after `seen`, when the binder last looked at the claim. */
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

/** True if a volume may have been reserved for the claim since the last resync: it is bound whatever its class or node. */
export function isReservedLately(
  facts: RunFacts,
  claim: KubeObject<"PersistentVolumeClaim">,
): boolean {
  return (
    isBeforeResync(facts, facts.changedAt("PersistentVolume")) &&
    facts.list("PersistentVolume").some((volume) => claimOf(facts, volume) === claim)
  );
}
