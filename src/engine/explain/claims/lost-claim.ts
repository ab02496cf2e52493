/** A claim that lost its volume: what became of the volume, and how the claim gets it back. */
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { hasClaimUid } from "../../matching/claim-reference.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import type { Fix, Verdict } from "../verdict.ts";
import { claimOf } from "../volumes/bound-pair.ts";
import { ownerOf } from "./kept-volume.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;

/** Upstream: pv_controller.go syncBoundClaim: the named volume is bound again if it has no claimRef, or this claim's uid. */
export function lostClaim(facts: RunFacts, claim: Claim): Verdict {
  const event = facts.lastEvent(
    refOf(claim),
    (e) => e.reason === "ClaimLost" || e.reason === "ClaimMisbound",
  );
  const root = { ref: refOf(claim), field: "spec.volumeName" };
  const { volumeName = "" } = claim.spec;
  if (volumeName === "")
    return makeVerdict(claim, "stuck", "is Lost: it was bound, and names no volume any more", {
      event,
      root,
      fixes: [{ text: "delete the claim and recreate it" }],
    });
  const volume = facts.get("PersistentVolume", undefined, volumeName);
  if (volume !== undefined && isFreeFor(volume, claim)) {
    const headline = `is Lost until the binder looks again: volume "${volumeName}" is free for it`;
    return makeVerdict(claim, "will-happen", headline, { event });
  }
  if (volume !== undefined) return takenFrom(facts, claim, volume, { event, root });
  const ref = makeRef("PersistentVolume", undefined, volumeName);
  return makeVerdict(claim, "stuck", `is Lost: its volume "${volumeName}" does not exist`, {
    event,
    root,
    chain: [{ ref, text: "does not exist" }],
    fixes: [
      {
        text: `if the storage still exists, recreate volume "${volumeName}", without spec.claimRef or with this claim's uid in it; it is bound again`,
      },
      { text: "delete the claim and recreate it" },
    ],
  });
}

function isFreeFor({ spec: { claimRef } }: Volume, { metadata }: Claim): boolean {
  return claimRef === undefined || claimRef.uid === metadata.uid;
}

function takenFrom(
  facts: RunFacts,
  claim: Claim,
  volume: Volume,
  told: Parameters<typeof makeVerdict>[3],
): Verdict {
  const { name } = volume.metadata;
  const state = stateOf(volume, claim);
  const anew = { text: "delete the claim and recreate it with another volume" };
  const back: Fix = {
    text: `write this claim's uid into spec.claimRef.uid of volume "${name}", or remove its spec.claimRef: it is bound again`,
  };
  const owner = claimOf(facts, volume);
  const isHeld = owner?.metadata.uid === volume.spec.claimRef?.uid;
  return makeVerdict(claim, "stuck", `is Lost: its volume "${name}" ${state}`, {
    ...told,
    chain: [{ ref: refOf(volume), text: state }],
    fixes: owner !== undefined && isHeld ? [anew] : [back, anew],
  });
}

/** Whom the volume is for; an earlier claim of the same name counts as another claim. */
function stateOf(volume: Volume, { metadata }: Claim): string {
  const { claimRef } = volume.spec;
  const isNamesake = claimRef?.namespace === metadata.namespace && claimRef?.name === metadata.name;
  if (!isNamesake) return `is for ${ownerOf(volume)}`;
  return hasClaimUid(volume) ? "is for an earlier claim of that name" : "names it without its uid";
}
