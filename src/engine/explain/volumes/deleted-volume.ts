/** A volume that is being deleted: what keeps it. */
import { type KubeObject, type Ref, refOf } from "../../api/meta.ts";
import { finalizer } from "../../matching/annotations.ts";
import type { EventEntry } from "../../trace/entry.ts";
import { claimVerdict } from "../claims/claim-verdict.ts";
import { foreignFinalizers, keptByFinalizers } from "../kept-by-finalizers.ts";
import { makeVerdict } from "../make-verdict.ts";
import type { RunFacts } from "../run-facts.ts";
import { downText, startAgain } from "../stopped-driver.ts";
import type { Verdict } from "../verdict.ts";
import { attachmentVerdict } from "./attachment-verdict.ts";
import { attachmentsOf, isOfAttacher } from "./attachments-of.ts";
import { losesStorage } from "./bound-pair.ts";
import { heldByAttachment, heldByPod, podThatHolds, saysAttached } from "./held-volume.ts";
import { provisionerOf } from "./provisioner-of.ts";

type Volume = KubeObject<"PersistentVolume">;
type Claim = KubeObject<"PersistentVolumeClaim">;

export function deletedVolume(facts: RunFacts, volume: Volume, claim: Ref): Verdict {
  if (volume.status?.phase !== "Bound") {
    const driver = volume.spec.csi?.driver ?? "";
    if (facts.isStopped(driver)) {
      const headline = `is being deleted, but stays: ${downText(driver)}`;
      return makeVerdict(volume, "waits-for-you", headline, { fixes: startAgain(driver) });
    }
    const held = foreignFinalizers(volume, isOfTheCluster);
    if (held.length > 0) return keptByFinalizers(volume, held);
    const event = facts.lastEvent(refOf(volume), (e) => e.eventType === "Warning");
    const holder = podThatHolds(facts, volume);
    if (holder !== undefined) return heldByPod(volume, "is being deleted", holder, event);
    if (event !== undefined && !saysAttached(event))
      return makeVerdict(volume, "fails", "is being deleted", { event });
    return (
      stillAttached(facts, volume, event) ??
      leftFinalizer(facts, volume) ??
      makeVerdict(volume, "will-happen", "is being deleted", { event })
    );
  }
  const owner = facts.objects.get(claim) as Claim | undefined;
  if (owner?.metadata.deletionTimestamp !== undefined) {
    const { kind, message, root, chain, fixes } = claimVerdict(facts, owner);
    const headline = "is being deleted, and goes after its claim";
    return makeVerdict(volume, kind, headline, { message, root, chain, fixes });
  }
  const keep = {
    text: "first set persistentVolumeReclaimPolicy to Retain if the data must be kept: otherwise it is deleted with the claim",
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

function stillAttached(
  facts: RunFacts,
  volume: Volume,
  event: EventEntry | undefined,
): Verdict | undefined {
  const state = "is being deleted";
  const held = heldByAttachment(facts, volume, state, event);
  if (held !== undefined) return held;
  for (const attachment of attachmentsOf(facts, volume.metadata.name)) {
    const { withinMs } = attachmentVerdict(facts, attachment);
    const headline = `${state}, and goes once it is detached from ${attachment.spec.nodeName}`;
    if (withinMs !== undefined) return makeVerdict(volume, "will-happen", headline, { withinMs });
  }
  return undefined;
}

/**
 * A finalizer of a driver's sidecars that stayed on the volume for longer than they would take to remove it. Upstream:
 * sig-storage-lib-external-provisioner v13 controller.go handleProtectionFinalizer, shouldDelete.
 */
function leftFinalizer(facts: RunFacts, volume: Volume): Verdict | undefined {
  const provisioner = provisionerOf(volume);
  const driver = volume.spec.csi?.driver ?? provisioner;
  const ref = refOf(volume);
  if (facts.isFresh(ref) || facts.isBusy(provisioner) || facts.isBusy(driver)) return undefined;
  const { finalizers = [] } = volume.metadata;
  const isMade = finalizers.includes(finalizer.externalProvisioner);
  const { phase } = volume.status ?? {};
  const at = { ref, field: "metadata.finalizers" };
  if (isMade && phase !== "Released" && volume.spec.persistentVolumeReclaimPolicy === "Delete") {
    const headline = `is being deleted, but stays: ${provisioner} takes its finalizer from Released volumes only, and it is ${phase}`;
    const field = "spec.persistentVolumeReclaimPolicy";
    const retain = {
      text: `set ${field} to Retain: ${provisioner} lets go of it then, and its storage stays`,
      at: { ref, field },
      value: "Retain",
    };
    const isThere = facts.get("CSIDriver", undefined, provisioner) !== undefined;
    const text = `remove the finalizer ${finalizer.externalProvisioner}: its storage stays`;
    const fixes = [...(isThere ? [retain] : []), { text, at }];
    return makeVerdict(volume, "stuck", headline, { root: at, fixes });
  }
  const left = finalizers.find((name) => isOfSidecar(name));
  if (left === undefined) return undefined;
  const who = left === finalizer.externalProvisioner ? provisioner : driver;
  const headline = `is being deleted, but stays: nothing in this cluster takes away its finalizer ${left}`;
  const text = `install "${who}", or see to its storage by hand and remove the finalizer`;
  return makeVerdict(volume, "stuck", headline, { root: at, fixes: [{ text, at }] });
}

function isOfSidecar(name: string): boolean {
  return name === finalizer.externalProvisioner || isOfAttacher(name);
}

/** True if a component of the cluster removes the finalizer from a volume. */
function isOfTheCluster(name: string): boolean {
  return (
    name === finalizer.volumeProtection || name === finalizer.volumeController || isOfSidecar(name)
  );
}
