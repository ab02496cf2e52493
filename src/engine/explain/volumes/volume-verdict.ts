/** What became of a volume: bound, free, released or failed. */
import { type KubeObject, makeKey, makeRef, type Ref, refOf } from "../../api/meta.ts";
import { annotation, annotationOf, finalizer } from "../../matching/annotations.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { isReservedLately } from "../claims/binder-resync.ts";
import { claimVerdict } from "../claims/claim-verdict.ts";
import { isLeftBehind, ownerOf, releasedFixes } from "../claims/kept-volume.ts";
import { keptByFinalizers } from "../kept-by-finalizers.ts";
import { makeVerdict } from "../make-verdict.ts";
import { podsNaming } from "../pods-using.ts";
import type { RunFacts } from "../run-facts.ts";
import { type Fix, isGood, type Verdict } from "../verdict.ts";
import { attachmentVerdict } from "./attachment-verdict.ts";
import { attachmentsOf } from "./attachments-of.ts";
import { claimOf } from "./bound-pair.ts";
import { wrongDeletionSecret } from "./deletion-secret.ts";
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
      // A policy that tries nothing more leaves phase and message as they are.
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

/** Somebody has to say who gets it next. */
function keptForNobody(facts: RunFacts, volume: Volume, headline: string): Verdict {
  return makeVerdict(volume, "waits-for-you", headline, {
    root: { ref: refOf(volume), field: "spec.claimRef" },
    fixes: releasedFixes(volume, claimOf(facts, volume) !== undefined),
  });
}

/** Another claim may have the name by now. */
function goneOwner(facts: RunFacts, volume: Volume): string {
  return `${claimOf(facts, volume) === undefined ? "" : "an earlier "}${ownerOf(volume)}`;
}

/** One that has to be emptied, again where that has failed. */
function isRecycled(volume: Volume): boolean {
  return isLeftBehind(volume) && volume.spec.persistentVolumeReclaimPolicy === "Recycle";
}

/** Whoever made the volume has to delete it. */
function reclaimed(facts: RunFacts, volume: Volume): Verdict {
  const ref = refOf(volume);
  const event = facts.lastEvent(ref, (e) => e.reason === "VolumeFailedDelete");
  const provisioner =
    annotationOf(volume, annotation.migratedTo) ??
    annotationOf(volume, annotation.provisionedBy) ??
    volume.spec.csi?.driver ??
    "";
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
    return isBeingDetached(facts, volume, event)
      ? makeVerdict(volume, "will-happen", "is Released, and is deleted once it is detached", {
          event,
          withinMs,
        })
      : makeVerdict(volume, "fails", "is Released, but its storage cannot be deleted", {
          event,
          withinMs,
        });
  }
  const root = { ref, field: "spec.persistentVolumeReclaimPolicy" };
  if (facts.isStopped(provisioner)) {
    const headline = `is Released and kept until the controller of ${provisioner} is up again`;
    return makeVerdict(volume, "waits-for-you", headline, { root });
  }
  if (facts.isFresh(ref))
    return makeVerdict(volume, "will-happen", "is Released and being deleted");
  return makeVerdict(
    volume,
    "stuck",
    `is Released, and nobody in this cluster deletes volumes of ${provisioner}`,
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
  if (claim !== undefined && claim.spec.volumeName === undefined && isReservedLately(facts, claim))
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
    // A claim that is there has a verdict of its own: the reservation is not its fault.
    chain: claim === undefined ? [{ ref: awaited, text: why }] : [],
    fixes: [reservationFix(volume, claim)],
  });
}

/** Why the claim that a volume is reserved for has not got it. */
function whyUnbound({ metadata }: Volume, { spec }: Claim): string {
  const { volumeName = "" } = spec;
  if (volumeName === metadata.name) return "was bound to it, but whose uid spec.claimRef lacks";
  return volumeName === "" ? "does not fit" : `has volume "${volumeName}"`;
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

/** A pod whose claim is gone from under it: as long as it is on its node, so is the attachment. */
function podThatHolds(facts: RunFacts, { metadata, spec }: Volume): KubeObject<"Pod"> | undefined {
  const { namespace, name = "" } = spec.claimRef ?? {};
  const nodes = attachmentsOf(facts, metadata.name).map((attachment) => attachment.spec.nodeName);
  return podsNaming(facts, makeKey(namespace, name)).find(
    (pod) =>
      nodes.includes(pod.spec.nodeName ?? "") &&
      pod.metadata.deletionTimestamp === undefined &&
      !isPodEnded(pod),
  );
}

function heldByPod(
  volume: Volume,
  state: string,
  pod: KubeObject<"Pod">,
  event: EventEntry | undefined,
): Verdict {
  const { name } = pod.metadata;
  const headline = `${state}, but stays attached to ${pod.spec.nodeName} as long as pod "${name}" is there`;
  const root = { ref: refOf(pod) };
  return makeVerdict(volume, "waits-for-you", headline, {
    event,
    root,
    chain: [{ ref: root.ref, text: "uses a claim that is gone" }],
    fixes: [{ text: `delete pod "${name}"` }],
  });
}

/** All that keeps it is an attachment on its way out, or one that has gone since the provisioner last looked. */
function isBeingDetached(facts: RunFacts, { metadata }: Volume, { message }: EventEntry): boolean {
  return (
    message.includes(" is still attached to node ") &&
    attachmentsOf(facts, metadata.name).every((one) => isGood(attachmentVerdict(facts, one)))
  );
}

function deletedVolume(facts: RunFacts, volume: Volume, claim: Ref): Verdict {
  if (volume.status?.phase !== "Bound") {
    const driver = volume.spec.csi?.driver ?? "";
    if (facts.isStopped(driver)) {
      const headline = `is being deleted, which the controller of ${driver} has to finish: it is down`;
      return makeVerdict(volume, "waits-for-you", headline);
    }
    const held = (volume.metadata.finalizers ?? []).filter((f) => !isOfTheCluster(f));
    if (held.length > 0) return keptByFinalizers(volume, held);
    const event = facts.lastEvent(refOf(volume), (e) => e.eventType === "Warning");
    const holder = podThatHolds(facts, volume);
    if (holder !== undefined) return heldByPod(volume, "is being deleted", holder, event);
    const isGoing = event === undefined || isBeingDetached(facts, volume, event);
    return makeVerdict(volume, isGoing ? "will-happen" : "fails", "is being deleted", { event });
  }
  const owner = facts.objects.get(claim) as Claim | undefined;
  if (owner?.metadata.deletionTimestamp !== undefined) {
    const { kind, message, root, chain, fixes } = claimVerdict(facts, owner);
    const headline = "is being deleted, and goes after its claim";
    return makeVerdict(volume, kind, headline, { message, root, chain, fixes });
  }
  const keep = {
    text: "first set persistentVolumeReclaimPolicy to Retain where the data has to stay: it goes with the claim",
    at: { ref: refOf(volume), field: "spec.persistentVolumeReclaimPolicy" },
    value: "Retain",
  };
  return makeVerdict(
    volume,
    "waits-for-you",
    "is being deleted, but stays while its claim exists",
    {
      chain: [{ ref: claim, text: "is bound to it" }],
      fixes: [
        ...(losesStorage(volume) ? [keep] : []),
        { text: `delete the claim ${claim.split("/").slice(1).join("/")} too` },
      ],
    },
  );
}

/** Whether who made the storage deletes it when the claim is gone, though the volume is being deleted before. */
function losesStorage({ metadata, spec }: Volume): boolean {
  const isMade = (metadata.finalizers ?? []).some(
    (name) => name === finalizer.externalProvisioner || name === finalizer.volumeController,
  );
  return isMade && spec.persistentVolumeReclaimPolicy === "Delete";
}

/** Whether a component of the cluster takes the finalizer from a volume. */
function isOfTheCluster(name: string): boolean {
  return (
    name === finalizer.volumeProtection ||
    name === finalizer.volumeController ||
    name === finalizer.externalProvisioner ||
    name.startsWith("external-attacher/")
  );
}
