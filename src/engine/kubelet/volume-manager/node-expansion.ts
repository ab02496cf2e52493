/**
 * Expands a file system on the node, when its volume is mounted for a pod or later. Upstream: operation_generator.go
 * expandVolumeDuringMount, nodeExpandVolume, legacyCallNodeExpandOnPlugin, and node_expander.go v1.36.
 */
import { grantedStorage, requestedStorage } from "../../api/claim-size.ts";
import { refOf } from "../../api/meta.ts";
import { compareQuantityTexts } from "../../api/quantity.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimCondition } from "../../api/types.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import {
  resizeCondition,
  resizeStatus,
  storageResizeStatus,
  withoutResizeConditions,
  withResizeCondition,
  withResizeStatus,
} from "../../matching/resize-conditions.ts";
import { event, getLive, patch, type Task, updateStatus } from "../../runtime/effects.ts";
import { heedsNodeExpansionNote } from "../../version-differences.ts";
import type { NodeExpansion, VolumeHost } from "../volumes/plugin.ts";
import type { ActualVolume } from "./actual-state.ts";
import type { DesiredPod } from "./desired-state.ts";

type Status = NonNullable<PersistentVolumeClaim["status"]>;

/**
 * `done`: the node has expanded it to `size`, which may be less than the volume has. `repeats`: the same, and the node repeats
 * it at each pass until the sizes match. `waits`: the claim has to change first. `read-only`: another pod has to do it; until
 * then this is reported at each pass.
 */
export type ExpansionResult =
  | { readonly type: "done" | "repeats"; readonly size: string }
  | { readonly type: "read-only"; readonly size: string | undefined }
  | { readonly type: "waits" }
  | { readonly type: "failed"; readonly error: string };

/** Returns why the expansion makes the mount fail; undefined if it does not. */
export function* expandAtMount(
  host: VolumeHost,
  volume: ActualVolume,
  pod: DesiredPod,
): Task<string | undefined> {
  // Upstream: checkIfSupportsNodeExpansion.
  const { isMigratedInline, persistentVolume } = pod.spec;
  const isGrown = persistentVolume !== undefined && volume.plugin.nodeExpand !== undefined;
  if (isMigratedInline === true || !isGrown) return undefined;
  const claim = yield* claimOf(pod);
  if (!claim.ok) return claim.error;
  const capacity = grantedStorage(claim.object);
  const size = persistentVolume.spec.capacity?.["storage"];
  if (compareQuantityTexts(capacity, size) >= 0) return undefined;
  const result = yield* expand(host, volume, pod, claim.object);
  return result.type === "failed" ? result.error : undefined;
}

/** Expands a volume that is mounted already. */
export function* expandInUse(
  host: VolumeHost,
  volume: ActualVolume,
  pod: DesiredPod,
): Task<ExpansionResult> {
  const claim = yield* claimOf(pod);
  const result: ExpansionResult = claim.ok
    ? yield* expand(host, volume, pod, claim.object)
    : { type: "failed", error: claim.error };
  if (result.type !== "failed") return result;
  const step = `NodeExpandVolume.NodeExpandVolume failed for volume "${pod.spec.name}"`;
  yield* event(refOf(pod.pod), "Warning", "VolumeResizeFailed", `${step} : ${result.error}`);
  return result;
}

type ClaimAnswer =
  | { readonly ok: true; readonly object: PersistentVolumeClaim }
  | { readonly ok: false; readonly error: string };

function* claimOf(pod: DesiredPod): Task<ClaimAnswer> {
  const { namespace, name = "" } = pod.spec.persistentVolume?.spec.claimRef ?? {};
  const claim = yield* getLive("PersistentVolumeClaim", namespace, name);
  if (claim.ok) return claim;
  const error = `mountVolume.NodeExpandVolume get PVC failed : ${claim.error.message}`;
  return { ok: false, error };
}

function* expand(
  host: VolumeHost,
  volume: ActualVolume,
  pod: DesiredPod,
  claim: PersistentVolumeClaim,
): Task<ExpansionResult> {
  if (pod.spec.readOnly) {
    const step = `MountVolume.NodeExpandVolume failed for volume "${pod.spec.name}"`;
    for (const about of [refOf(pod.pod), refOf(claim)]) {
      yield* event(
        about,
        "Warning",
        "FileSystemResizeFailed",
        `${step} requested read-only file system`,
      );
    }
    return { type: "read-only", size: grantedStorage(claim) };
  }
  // Claims resized by an old resizer have neither a resize status nor allocatedResources.
  const isRecoverable =
    storageResizeStatus(claim) !== undefined || claim.status?.allocatedResources !== undefined;
  return isRecoverable
    ? yield* expandWithRecovery(host, volume, pod, claim)
    : yield* expandLegacy(host, volume, pod, claim);
}

function* nodeExpand(
  host: VolumeHost,
  { plugin }: ActualVolume,
  { pod, spec }: DesiredPod,
  size: string,
): Task<NodeExpansion> {
  const answer = plugin.nodeExpand?.(host, spec, pod.metadata.uid, size);
  return answer === undefined ? { type: "ok" } : yield* answer;
}

function* expandWithRecovery(
  host: VolumeHost,
  volume: ActualVolume,
  pod: DesiredPod,
  claim: PersistentVolumeClaim,
): Task<ExpansionResult> {
  const size = claim.status?.allocatedResources?.["storage"] ?? "0";
  const status = storageResizeStatus(claim);
  const isUpdated = status === undefined && compareQuantityTexts(grantedStorage(claim), size) >= 0;
  const isExpected = status === resizeStatus.nodePending || status === resizeStatus.nodeInProgress;
  // A volume that several nodes mount is expanded on each of them.
  const isShared =
    (claim.spec.accessModes ?? []).includes("ReadWriteMany") &&
    !(
      heedsNodeExpansionNote(host.context.version) &&
      hasAnnotation(claim, annotation.nodeExpansionNotRequired)
    );
  if (!isExpected && !(isUpdated && isShared)) {
    return isUpdated ? { type: "done", size } : { type: "waits" };
  }
  const requested = requestedStorage(claim);
  const isGivenUp = volume.hasExpansionFailed && compareQuantityTexts(requested, size) !== 0;
  let marked = claim;
  if (!isUpdated) {
    const written = yield* writeStatus(claim, (s) =>
      withResizeStatus(s, resizeStatus.nodeInProgress),
    );
    if (typeof written === "string") return { type: "failed", error: written };
    marked = written;
  }
  const answer = yield* nodeExpand(host, volume, pod, size);
  if (answer.type === "ok") {
    yield* tellSuccess(host, pod, claim);
    const done: ExpansionResult = { type: isShared ? "repeats" : "done", size };
    if (isUpdated) return done;
    const written = yield* writeStatus(marked, (s) => grown(s, size));
    if (typeof written !== "string") return done;
    return {
      type: "failed",
      error: `mountVolume.NodeExpandVolume update pvc status failed: ${written}`,
    };
  }
  // For a shared volume, nodes call even a driver without node expansion, since nothing tells them beforehand.
  if (isUpdated && answer.type === "unsupported") return { type: "done", size };
  return yield* noteFailure(host, volume, claim, answer, isGivenUp);
}

function* noteFailure(
  host: VolumeHost,
  volume: ActualVolume,
  claim: PersistentVolumeClaim,
  answer: Exclude<NodeExpansion, { type: "ok" }>,
  isGivenUp: boolean,
): Task<ExpansionResult> {
  const { type, error } = answer;
  if (type === "unregistered") return { type: "failed", error };
  volume.hasExpansionFailed = true;
  const isInfeasible = type === "infeasible" || isGivenUp;
  const now = timestamp(host.context.now);
  const { namespace, name } = claim.metadata;
  // Patches whatever the claim's version: an edit meanwhile must not hide the failure.
  yield* patch(
    "PersistentVolumeClaim",
    namespace,
    name,
    (current) => {
      const { status = {} } = current;
      const failed = isInfeasible ? withResizeStatus(status, resizeStatus.nodeInfeasible) : status;
      const condition = {
        type: resizeCondition.nodeError,
        status: "True",
        lastTransitionTime: now,
        message: `failed to expand pvc with ${error}`,
      };
      return { ...current, status: withNodeError(failed, condition) };
    },
    "status",
  );
  if (type !== "in-use") return { type: "failed", error };
  volume.isExpansionInUse = true;
  return { type: "waits" };
}

/** A condition that is set already keeps its message and time. Upstream: MergeResizeConditionOnPVC. */
function withNodeError(status: Status, error: PersistentVolumeClaimCondition): Status {
  const { conditions = [] } = status;
  if (conditions.some((c) => c.type === error.type && c.status === error.status)) return status;
  return withResizeCondition(status, error);
}

function* expandLegacy(
  host: VolumeHost,
  volume: ActualVolume,
  pod: DesiredPod,
  claim: PersistentVolumeClaim,
): Task<ExpansionResult> {
  const size = pod.spec.persistentVolume?.spec.capacity?.["storage"] ?? "0";
  const answer = yield* nodeExpand(host, volume, pod, size);
  switch (answer.type) {
    case "ok": {
      yield* tellSuccess(host, pod, claim);
      if (compareQuantityTexts(grantedStorage(claim), size) >= 0) return { type: "done", size };
      const written = yield* writeStatus(claim, (s) => grown(s, size));
      if (typeof written !== "string") return { type: "done", size };
      return {
        type: "failed",
        error: `mountVolume.NodeExpandVolume update PVC status failed : ${written}`,
      };
    }
    case "unsupported":
      return { type: "done", size };
    case "in-use":
      volume.isExpansionInUse = true;
      return { type: "waits" };
    default:
      return { type: "failed", error: answer.error };
  }
}

function* tellSuccess(
  { nodeName }: VolumeHost,
  pod: DesiredPod,
  claim: PersistentVolumeClaim,
): Task {
  const message = `MountVolume.NodeExpandVolume succeeded for volume "${pod.spec.name}" ${nodeName}`;
  for (const about of [refOf(pod.pod), refOf(claim)]) {
    yield* event(about, "Normal", "FileSystemResizeSuccessful", message);
  }
}

/** Upstream: MarkFSResizeFinished. */
function grown(status: Status, size: string): Status {
  const capacity = { ...status.capacity, storage: size };
  return withoutResizeConditions(withResizeStatus({ ...status, capacity }, undefined));
}

/** Fails if the claim was edited since it was read. Upstream: PatchPVCStatus. */
function* writeStatus(
  claim: PersistentVolumeClaim,
  change: (status: Status) => Status,
): Task<PersistentVolumeClaim | string> {
  const status = change(claim.status ?? {});
  const written = yield* updateStatus<"PersistentVolumeClaim">({ ...claim, status });
  if (written.ok) return written.object;
  return `patchPVCStatus failed to patch PVC "${claim.metadata.name}": ${written.error.message}`;
}
