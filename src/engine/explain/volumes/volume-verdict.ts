/** What became of a volume: bound, free, released or failed. */
import { type KubeObject, makeRef, refOf } from "../../api/meta.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { isReservedLately } from "../claims/binder-resync.ts";
import { isLeftBehind, otherVolumeOf, ownerOf, releasedFixes } from "../claims/kept-volume.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import { downText, startAgain } from "../stopped-driver.ts";
import type { Fix, Verdict } from "../verdict.ts";
import { attachmentsOf } from "./attachments-of.ts";
import { claimOf } from "./bound-pair.ts";
import { deletedVolume } from "./deleted-volume.ts";
import { wrongDeletionSecret } from "./deletion-secret.ts";
import { heldByAttachment, heldByPod, podThatHolds, saysAttached } from "./held-volume.ts";
import { provisionerOf } from "./provisioner-of.ts";
import { recycledVolume } from "./recycled-volume.ts";

type Volume = KubeObject<"PersistentVolume">;
type Claim = KubeObject<"PersistentVolumeClaim">;

export function volumeVerdict(facts: RunFacts, volume: Volume): Verdict {
  const owner = volume.spec.claimRef;
  const claim = makeRef("PersistentVolumeClaim", owner?.namespace, owner?.name ?? "");
  const ref = refOf(volume);
  if (volume.metadata.deletionTimestamp !== undefined) return deletedVolume(facts, volume, claim);
  const recycled = isRecycled(volume) ? recycledVolume(facts, volume) : undefined;
  if (recycled !== undefined) return recycled;
  switch (volume.status?.phase) {
    case "Bound":
      return makeVerdict(volume, "healthy", `is bound to ${ownerOf(volume)}`, {
        chain: [{ ref: claim, text: "is its claim" }],
      });
    case "Released":
      if (volume.spec.persistentVolumeReclaimPolicy === "Delete") return reclaimed(facts, volume);
      if (isRecycled(volume))
        return makeVerdict(volume, "will-happen", "is Released and being emptied");
      return keptForNobody(
        facts,
        volume,
        `is Released: ${goneOwner(facts, volume)} is gone, its data is kept, and no claim gets it`,
      );
    case "Failed": {
      // With the policy Retain nothing is tried any more: phase and message stay.
      if (volume.spec.persistentVolumeReclaimPolicy === "Retain")
        return keptForNobody(
          facts,
          volume,
          "is Failed: its data is kept now, and no claim gets it until spec.claimRef is removed",
        );
      const event = facts.lastEvent(ref, (e) => e.eventType === "Warning");
      return makeVerdict(volume, "fails", "cannot be reclaimed", {
        event,
        message: volume.status.message,
        root: { ref, field: "spec.persistentVolumeReclaimPolicy" },
      });
    }
    case "Available":
      return availableVolume(facts, volume);
    default:
      return makeVerdict(volume, "will-happen", "is Pending");
  }
}

/** The volume is kept until a person says which claim gets it. */
function keptForNobody(facts: RunFacts, volume: Volume, headline: string): Verdict {
  const claim = claimOf(facts, volume);
  // A claim that was bound to the volume is not bound again by its name alone.
  const hasLostIt =
    claim?.status?.phase === "Lost" && claim.spec.volumeName === volume.metadata.name;
  return makeVerdict(volume, "waits-for-you", headline, {
    root: { ref: refOf(volume), field: "spec.claimRef" },
    fixes: hasLostIt ? [reservationFix(volume, claim)] : releasedFixes(volume, claim !== undefined),
  });
}

/** The volume's former claim; "an earlier" one if a claim of the same name exists by now. */
function goneOwner(facts: RunFacts, volume: Volume): string {
  return `${claimOf(facts, volume) === undefined ? "" : "an earlier "}${ownerOf(volume)}`;
}

/** True if the volume has to be recycled, also if that has failed before. */
function isRecycled(volume: Volume): boolean {
  return isLeftBehind(volume) && volume.spec.persistentVolumeReclaimPolicy === "Recycle";
}

/** The verdict on a Released volume whose provisioner has to delete it. */
function reclaimed(facts: RunFacts, volume: Volume): Verdict {
  const ref = refOf(volume);
  const event = facts.lastEvent(ref, (e) => e.reason === "VolumeFailedDelete");
  const provisioner = provisionerOf(volume);
  if (event !== undefined && !facts.isStopped(provisioner)) {
    const decision =
      facts.lastDecision(ref, "external-provisioner") ??
      facts.lastDecision(ref, "path-provisioner");
    const withinMs = facts.untilDue(decision);
    const holder = podThatHolds(facts, volume);
    if (holder !== undefined) return heldByPod(volume, "is Released", holder, event);
    const wrong = wrongDeletionSecret(facts, volume, provisioner, event.message);
    if (wrong !== undefined) {
      const { root, link, fixes, why } = wrong;
      const headline = `is Released, but its storage cannot be deleted: ${why}`;
      const chain = link === undefined ? [] : [link];
      return makeVerdict(volume, "fails", headline, { event, withinMs, root, chain, fixes });
    }
    if (!saysAttached(event)) {
      const headline = "is Released, but its storage cannot be deleted";
      return makeVerdict(volume, "fails", headline, { event, withinMs });
    }
    const headline = "is Released, and is deleted once it is detached";
    // A retry of the provisioner before the volume is detached fails again, so its time says nothing.
    const isDetached = attachmentsOf(facts, volume.metadata.name).length === 0;
    return (
      heldByAttachment(facts, volume, "is Released", event) ??
      makeVerdict(volume, "will-happen", headline, {
        event,
        withinMs: isDetached ? withinMs : undefined,
      })
    );
  }
  const root = { ref, field: "spec.persistentVolumeReclaimPolicy" };
  if (facts.isStopped(provisioner)) {
    const headline = `is Released and stays: ${downText(provisioner)}`;
    const fixes = startAgain(provisioner);
    return makeVerdict(volume, "waits-for-you", headline, { root, fixes });
  }
  if (facts.isFresh(ref) || facts.isBusy(provisioner))
    return makeVerdict(volume, "will-happen", "is Released and being deleted");
  return makeVerdict(
    volume,
    "stuck",
    `is Released, and nothing in this cluster deletes volumes of ${provisioner}`,
    { root, fixes: [{ text: `install "${provisioner}", or delete storage and volume by hand` }] },
  );
}

function availableVolume(facts: RunFacts, volume: Volume): Verdict {
  const { claimRef } = volume.spec;
  if (claimRef === undefined)
    return makeVerdict(volume, "healthy", "is Available: no claim has it");
  const owner = ownerOf(volume);
  const claim = claimOf(facts, volume);
  if (claim !== undefined && claim.metadata.uid === claimRef.uid && facts.isFresh(refOf(volume)))
    return makeVerdict(volume, "will-happen", `is being bound to ${owner}`, {
      chain: [{ ref: refOf(claim), text: "is its claim" }],
    });
  if (claim !== undefined && mayBeBoundNext(facts, volume, claim))
    return makeVerdict(
      volume,
      "will-happen",
      `is reserved for ${owner} until the binder looks again`,
    );
  const root = { ref: refOf(volume), field: "spec.claimRef" };
  const isWhole = (claimRef.name ?? "") !== "" && (claimRef.namespace ?? "") !== "";
  if (!isWhole)
    return makeVerdict(
      volume,
      "waits-for-you",
      `is reserved for ${owner}, and every claim has one`,
      {
        root,
        fixes: [
          {
            text: "complete spec.claimRef with the claim's name and namespace, or remove spec.claimRef",
            at: root,
          },
        ],
      },
    );
  const awaited = makeRef("PersistentVolumeClaim", claimRef.namespace, claimRef.name ?? "");
  const why = claim === undefined ? "does not exist" : whyUnbound(volume, claim);
  return makeVerdict(volume, "waits-for-you", `is reserved for ${owner}, which ${why}`, {
    root,
    // A claim that exists has its own verdict: the reservation is not its fault.
    chain: claim === undefined ? [{ ref: awaited, text: why }] : [],
    fixes: [reservationFix(volume, claim)],
  });
}

/** True if the binder may yet bind the claim: if it names the volume, unless it was bound before; else if reserved lately. */
function mayBeBoundNext(facts: RunFacts, { metadata }: Volume, claim: Claim): boolean {
  if (claim.spec.volumeName === metadata.name)
    return !hasAnnotation(claim, annotation.bindCompleted);
  return claim.spec.volumeName === undefined && isReservedLately(facts, claim);
}

/** Why the claim that a volume is reserved for does not get it. */
function whyUnbound(volume: Volume, claim: Claim): string {
  if (claim.spec.volumeName === volume.metadata.name)
    return "was bound to it, but whose uid spec.claimRef lacks";
  return otherVolumeOf(claim, volume) ?? "does not fit";
}

function reservationFix(volume: Volume, claim: Claim | undefined): Fix {
  const at = { ref: refOf(volume), field: "spec.claimRef" };
  const { volumeName = "" } = claim?.spec ?? {};
  if (volumeName === volume.metadata.name)
    return {
      text: "write the claim's uid into spec.claimRef.uid, or remove spec.claimRef: the claim is bound again",
      at,
    };
  return volumeName === ""
    ? { text: `make ${ownerOf(volume)} so that it fits, or remove spec.claimRef`, at }
    : { text: "remove spec.claimRef to offer it, with its data, to any claim", at, value: null };
}
