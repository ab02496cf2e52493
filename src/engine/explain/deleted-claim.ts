/** A claim that is being deleted: who keeps it from going. */
import { type KubeObject, refOf } from "../api/meta.ts";
import { makeVerdict } from "./make-verdict.ts";
import { podsUsing } from "./pods-using.ts";
import type { RunFacts } from "./run-facts.ts";
import { snapshotVerdict } from "./snapshot-verdict.ts";
import type { Verdict } from "./verdict.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

export function deletedClaim(facts: RunFacts, claim: Claim): Verdict {
  const pods = podsUsing(facts, claim);
  if (pods.length === 0) return leavingClaim(facts, claim);
  const names = pods.map((pod) => pod.metadata.name).join(", ");
  return makeVerdict(
    claim,
    "waits-for-you",
    `is being deleted, but stays until no pod uses it: ${names}`,
    {
      chain: pods.map((pod) => ({ ref: refOf(pod), text: "uses the claim" })),
      fixes: [{ text: `delete ${names}` }],
    },
  );
}

const snapshotSource = "snapshot.storage.kubernetes.io/pvc-as-source-protection";

/** No pod holds it any more; a snapshot that is being taken of it, or somebody's finalizer may. */
function leavingClaim(facts: RunFacts, claim: Claim): Verdict {
  const held = (claim.metadata.finalizers ?? []).filter(
    (f) => f !== "kubernetes.io/pvc-protection",
  );
  if (held.length === 0) return makeVerdict(claim, "will-happen", "is being deleted");
  const { namespace, name } = claim.metadata;
  const snapshot = facts
    .list("VolumeSnapshot")
    .find(
      (s) =>
        s.metadata.namespace === namespace &&
        s.spec.source.persistentVolumeClaimName === name &&
        s.status?.readyToUse !== true,
    );
  if (held.includes(snapshotSource) && snapshot !== undefined) {
    const cause = snapshotVerdict(facts, snapshot);
    const text = `is being deleted, but stays until snapshot "${snapshot.metadata.name}" is taken`;
    const { kind, root, chain, fixes } = cause;
    return makeVerdict(claim, kind === "healthy" ? "will-happen" : kind, text, {
      root,
      chain,
      fixes,
    });
  }
  return makeVerdict(
    claim,
    "waits-for-you",
    `is being deleted, but stays until its finalizers are removed: ${held.join(", ")}`,
    { root: { ref: refOf(claim), field: "metadata.finalizers" } },
  );
}
