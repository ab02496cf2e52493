/**
 * Decides which volume a claim gets, if any. U1, S4 and so on label the branches, as in docs/upstream/binder.md.
 * Upstream: persistentvolume-binder, pv_controller.go syncClaim, syncUnboundClaim, syncBoundClaim v1.36.
 */
import { keyOf, makeKey, refOf } from "../../api/meta.ts";
import { claimHasClass, defaultStorageClass } from "../../api/storage-class-name.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { claimKeyOf, isVolumeBoundToClaim } from "../../matching/claim-reference.ts";
import { type MatchRequest, matchRequest } from "../../matching/match-request.ts";
import { whyUnsuitable } from "../../matching/requested-volume.ts";
import { bindingMode } from "../../matching/storage-class.ts";
import { event, type Task } from "../../runtime/effects.ts";
import { bind } from "./bind.ts";
import { type Binder, failed, type SyncEnd, settled, unsettled } from "./binder.ts";
import { decideMatched, decideRequested, decideUnmatched } from "./decisions.ts";
import { provisionClaim } from "./provision.ts";
import { saveClaim } from "./saves.ts";
import { loseClaim, updateClaimStatus } from "./status.ts";
import { claimUpkeep } from "./upkeep.ts";
import { unscheduledPods } from "./waiting-pods.ts";

export function* syncClaim(binder: Binder, offered: PersistentVolumeClaim): Task<SyncEnd> {
  let claim = offered;
  const kept = claimUpkeep(claim, binder.settings.migratedDriver);
  if (kept !== claim) {
    const saved = yield* saveClaim(binder, kept);
    if (!saved.ok) return failed(saved.error);
    claim = saved.object;
  }
  if (hasAnnotation(claim, annotation.bindCompleted)) {
    return yield* syncBoundClaim(binder, claim);
  } else if ((claim.spec.volumeName ?? "") === "") {
    return yield* syncUnboundClaim(binder, claim);
  } else {
    return yield* syncClaimWithVolumeName(binder, claim);
  }
}

/** The claim names no volume: any that fits will do. */
function* syncUnboundClaim(binder: Binder, claim: PersistentVolumeClaim): Task<SyncEnd> {
  const mode = bindingMode(claim, (name) => binder.classes.get(name));
  if (!mode.ok) return failed(mode.error);
  const { attributesClasses } = binder;
  if (!attributesClasses && (claim.spec.volumeAttributesClassName ?? "") !== "") {
    return failed(
      `unsupported volumeAttributesClassName is set on claim ${keyOf(claim)} when the feature-gate VolumeAttributesClass is disabled`,
    );
  }
  const request = matchRequest(claim, { delayed: mode.delayed, attributesClasses });
  const volume = binder.volumes.inventory.find(request);
  if (volume !== undefined) {
    // U1: the volume is free, or reserved for this claim.
    decideMatched(binder, request, volume);
    return yield* bind(binder, volume, claim);
  } else {
    return yield* syncUnmatchedClaim(binder, claim, request);
  }
}

/** No volume fits: the claim gets a class, waits for a pod, is provisioned, or stays as it is. */
function* syncUnmatchedClaim(
  binder: Binder,
  claim: PersistentVolumeClaim,
  request: MatchRequest,
): Task<SyncEnd> {
  const candidates = binder.nearMisses.get(binder.volumes.inventory, request);
  const defaultClass = claimHasClass(claim)
    ? undefined
    : defaultStorageClass(binder.classes.list());
  if (defaultClass !== undefined) {
    // U2a: the claim was created before there was a default class. This write queues it again.
    const { name } = defaultClass.metadata;
    decideUnmatched(binder, request, candidates, "DefaultClassAssigned", name);
    const saved = yield* saveClaim(binder, {
      ...claim,
      spec: { ...claim.spec, storageClassName: name },
    });
    return saved.ok ? unsettled("DefaultClassAssigned") : failed(saved.error);
  } else if (request.delayed && !hasAnnotation(claim, annotation.selectedNode)) {
    // U2b: the scheduler picks a node first.
    const { reason, message } = waitingFor(binder, claim);
    decideUnmatched(binder, request, candidates, reason, message);
    yield* event(refOf(claim), "Normal", reason, message);
    return yield* stayPending(binder, claim, reason);
  } else if (request.className !== "") {
    // U2c: the status is not touched, even if it is wrong.
    return yield* provisionClaim(binder, claim, request.className, (reason, text) =>
      decideUnmatched(binder, request, candidates, reason, text),
    );
  } else {
    // U2d: a volume that appears later is found at the next resync.
    const message = "no persistent volumes available for this claim and no storage class is set";
    decideUnmatched(binder, request, candidates, "FailedBinding", message);
    yield* event(refOf(claim), "Normal", "FailedBinding", message);
    return yield* stayPending(binder, claim, "FailedBinding");
  }
}

function* stayPending(binder: Binder, claim: PersistentVolumeClaim, reason: string): Task<SyncEnd> {
  const saved = yield* updateClaimStatus(binder, claim, "Pending", undefined);
  return saved.ok ? unsettled(reason) : failed(saved.error);
}

/** Upstream: emitEventForUnboundDelayBindingClaim. */
function waitingFor(
  binder: Binder,
  claim: PersistentVolumeClaim,
): { readonly reason: string; readonly message: string } {
  const pods = unscheduledPods(binder, keyOf(claim));
  if (pods.length === 0) {
    return {
      reason: "WaitForFirstConsumer",
      message: "waiting for first consumer to be created before binding",
    };
  }
  const noun = pods.length === 1 ? "pod" : "pods";
  return {
    reason: "WaitForPodScheduled",
    message: `waiting for ${noun} ${pods.join(",")} to be scheduled`,
  };
}

/** The claim names its volume and is not bound yet. */
function* syncClaimWithVolumeName(binder: Binder, claim: PersistentVolumeClaim): Task<SyncEnd> {
  const name = claim.spec.volumeName ?? "";
  const volume = binder.volumes.get(name);
  if (volume === undefined) {
    // U3: no event is recorded. Once the volume is created, the next resync syncs this claim.
    decideRequested(binder, claim, { reason: "VolumeMissing" });
    const saved = yield* updateClaimStatus(binder, claim, "Pending", undefined);
    return saved.ok ? settled("VolumeMissing") : failed(saved.error);
  } else if (volume.spec.claimRef === undefined) {
    return yield* bindRequested(binder, claim, volume);
  } else if (isVolumeBoundToClaim(volume, claim)) {
    // U5: claim and volume name each other; nothing else is checked.
    decideRequested(binder, claim, { reason: "NamedEachOther" });
    return yield* bind(binder, volume, claim);
  } else {
    const message = `volume "${name}" already bound to a different claim.`;
    const other = claimKeyOf(volume) ?? "";
    // Upstream does not check this; it is for the explanation, which must not promise a volume that does not fit the claim.
    const unsuitable = whyUnsuitable(volume, claim, binder.attributesClasses);
    decideRequested(binder, claim, { reason: "VolumeTaken", text: message, unsuitable });
    yield* event(refOf(claim), "Warning", "FailedBinding", message);
    if (!hasAnnotation(claim, annotation.boundByController)) {
      // U6: the user chose the volume; the claim may still get it once the other claim is gone.
      return yield* stayPending(binder, claim, "FailedBinding");
    } else {
      // U7: the controller itself chose the volume, which it never does for two claims.
      return failed(
        `invalid binding of claim "${keyOf(claim)}" to volume "${name}": volume already claimed by "${other}"`,
      );
    }
  }
}

/** The volume that the claim names is free. */
function* bindRequested(
  binder: Binder,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
): Task<SyncEnd> {
  const unsuitable = whyUnsuitable(volume, claim, binder.attributesClasses);
  if (unsuitable === undefined) {
    // U4b
    decideRequested(binder, claim, { reason: "Requested" });
    return yield* bind(binder, volume, claim);
  } else {
    // U4a
    decideRequested(binder, claim, { reason: "VolumeMismatch", unsuitable });
    const message = `Cannot bind to requested volume "${volume.metadata.name}": ${unsuitable.why}`;
    yield* event(refOf(claim), "Warning", "VolumeMismatch", message);
    return yield* stayPending(binder, claim, "VolumeMismatch");
  }
}

/** The claim has been bound before. It is never unbound: its binding is restored, or the claim is Lost. */
function* syncBoundClaim(binder: Binder, claim: PersistentVolumeClaim): Task<SyncEnd> {
  const name = claim.spec.volumeName ?? "";
  const volume = name === "" ? undefined : binder.volumes.get(name);
  if (name === "") {
    // S1
    const message =
      "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!";
    return yield* lose(binder, claim, "ClaimLost", message);
  } else if (volume === undefined) {
    // S2: the claim recovers if the volume comes back.
    const message = "Bound claim has lost its PersistentVolume. Data on the volume is lost!";
    return yield* lose(binder, claim, "ClaimLost", message);
  } else if (volume.spec.claimRef === undefined) {
    // S3: somebody cleared the volume's claimRef. It is bound again without any check.
    decideRequested(binder, claim, { reason: "BoundAgain" });
    return yield* bind(binder, volume, claim);
  } else if (volume.spec.claimRef.uid === claim.metadata.uid) {
    // S4: bound correctly, though some of the binding's writes may still be missing.
    return yield* bind(binder, volume, claim);
  } else {
    // S5: the volume has another claim's uid, or none.
    const message = "Two claims are bound to the same volume, this one is bound incorrectly";
    return yield* lose(binder, claim, "ClaimMisbound", message);
  }
}

function* lose(
  binder: Binder,
  claim: PersistentVolumeClaim,
  reason: string,
  message: string,
): Task<SyncEnd> {
  decideRequested(binder, claim, { reason, text: message });
  const lost = yield* loseClaim(binder, claim, reason, message);
  return lost.ok ? settled(reason) : failed(lost.error);
}

/** Forgets a deleted claim and queues its volume, which may have to be released. Upstream: deleteClaim. */
export function claimDeleted(binder: Binder, claim: PersistentVolumeClaim): void {
  const key = makeKey(claim.metadata.namespace, claim.metadata.name);
  binder.claims.delete(key);
  binder.nearMisses.forget(key);
  const name = claim.spec.volumeName ?? "";
  if (name !== "") binder.enqueueVolume(name);
}
