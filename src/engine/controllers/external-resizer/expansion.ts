/**
 * Expands one volume as far as the controller plugin has to, and records the progress on claim and volume.
 * Upstream: external-resizer v2.2 pkg/controller/controller.go, expand_and_recover.go, resize_status.go.
 * Not modeled: RecoverVolumeExpansionFailure switched off.
 */
import { grantedStorage, requestedStorage } from "../../api/claim-size.ts";
import { goFormat } from "../../api/go/format.ts";
import { type Key, type KubeObject, keyOf, type Ref, refOf } from "../../api/meta.ts";
import {
  bytesText,
  compareQuantityTexts,
  formatQuantity,
  quantityBytes,
  quantityOrZero,
} from "../../api/quantity.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { PersistentVolumeClaimCondition, Pod } from "../../api/types.ts";
import { errorGettingSecret, readSecret } from "../../csi/read-secret.ts";
import { errorText, isFinalCode } from "../../csi/rpc.ts";
import type { ControllerConnection } from "../../csi/sidecar.ts";
import { volumeCapabilityOf } from "../../csi/volume-capability.ts";
import {
  annotation,
  annotationOf,
  hasAnnotation,
  withAnnotations,
  withoutAnnotation,
} from "../../matching/annotations.ts";
import { podsByClaim } from "../../matching/pod-claims.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import {
  resizeCondition,
  resizeStatus,
  storageResizeStatus,
  withOnlyResizeCondition,
  withoutResizeConditions,
  withResizeCondition,
  withResizeStatus,
} from "../../matching/resize-conditions.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { type CallResult, event, patch, type Task, updateStatus } from "../../runtime/effects.ts";
import { done, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { Instant } from "../../trace/instant.ts";
import { translatedVolume } from "../../volume/csi-translation.ts";
import { expansionTarget } from "./expansion-target.ts";
import { callTimeoutMs, resyncPeriodMs, slowRetentionMs } from "./flags.ts";
import { SlowSet } from "./slow-set.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;
type Status = NonNullable<Claim["status"]>;

const infeasibleCodes: ReadonlySet<string> = new Set(["InvalidArgument", "OutOfRange", "NotFound"]);

export class Expander {
  readonly #context: ComponentContext;
  readonly #connection: ControllerConnection;
  readonly #changed: (key: Key) => void;
  readonly #startedAt: Instant;
  // As upstream, the following outlive their claims and apply to a new claim of the same name. Upstream: deletePVC.
  readonly #slow: SlowSet;
  readonly #answeredFinally = new Set<Key>();
  /** Claims that the driver refused to expand because their volume was in use. */
  readonly #offlineOnly = new Set<Key>();

  /** `changed` is called after each own write to a claim, which queues the claim as a resync would. */
  constructor(
    context: ComponentContext,
    connection: ControllerConnection,
    changed: (key: Key) => void,
  ) {
    this.#context = context;
    this.#connection = connection;
    this.#changed = changed;
    this.#startedAt = context.now;
    this.#slow = new SlowSet(() => context.now);
  }

  /** For a claim whose status.capacity was lowered by hand: milliseconds until the resync notices it; undefined if not ours. */
  untilNoticed(claim: Claim): number | undefined {
    const volume = this.#context.informer("PersistentVolume").get(claim.spec.volumeName ?? "");
    const isOurs = volume !== undefined && this.#isOurs(claim, volume);
    return isOurs ? this.#untilResync(claim, []) : undefined;
  }

  #untilResync(claim: Claim, because: readonly Ref[]): number {
    const { now } = this.#context;
    const untilResyncMs = resyncPeriodMs - ((now - this.#startedAt) % resyncPeriodMs);
    const due = now + untilResyncMs;
    this.#context.decide(refOf(claim), { reason: "AwaitsResync", because, due });
    return untilResyncMs;
  }

  *sync(claim: Claim): Reconcile {
    const volumeName = claim.spec.volumeName ?? "";
    if (volumeName === "") return done("Unbound");
    const cached = this.#context.informer("PersistentVolume").get(volumeName);
    if (cached === undefined) {
      const { namespace, name } = claim.metadata;
      return retry(`PV "${volumeName}" bound to pvc "${namespace}/${name}" not found`);
    }
    // The annotation is removed by every driver's resizer, whoever's the volume is.
    const volume = yield* this.#finish(claim, cached);
    if (typeof volume === "string") return retry(volume);
    if (claim.status?.phase !== "Bound") return done("Unbound");
    if (compareQuantityTexts(requestedStorage(claim), grantedStorage(claim)) <= 0)
      return done("LargeEnough");
    if (!this.#isOurs(claim, volume)) return done("NotOurs");
    if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
      // The cached volume may be older than its binding, and no change of a volume triggers a sync.
      return wait("AwaitsResync", this.#untilResync(claim, [refOf(volume)]));
    }
    return yield* this.#expand(claim, volume);
  }

  #isOurs(claim: Claim, volume: Volume): boolean {
    const { name } = this.#connection.driver;
    if (translatedVolume(volume).spec.csi?.driver !== name) return false;
    // A migrated volume waits until the controller manager has named this resizer on the claim.
    return volume.spec.csi !== undefined || annotationOf(claim, annotation.storageResizer) === name;
  }

  /** Removes the pre-resize annotation once the claim shows the new size. Returns the volume or an error. */
  *#finish(claim: Claim, volume: Volume): Task<Volume | string> {
    const size = volume.spec.capacity?.["storage"];
    if (!hasAnnotation(volume, annotation.preResizeCapacity)) return volume;
    if (compareQuantityTexts(grantedStorage(claim), size) < 0) return volume;
    const { name } = volume.metadata;
    const patched = yield* patch("PersistentVolume", undefined, name, (current) =>
      withoutAnnotation(current, annotation.preResizeCapacity),
    );
    return patched.ok ? patched.object : patched.error.message;
  }

  *#expand(claim: Claim, volume: Volume): Reconcile {
    const key = keyOf(claim);
    const status = storageResizeStatus(claim);
    const allocatedText = claim.status?.allocatedResources?.["storage"];
    const allocated = allocatedText === undefined ? undefined : quantityBytes(allocatedText);
    const conditions = claim.status?.conditions ?? [];
    const target = expansionTarget({
      requested: quantityBytes(requestedStorage(claim)),
      volumeSize: quantityBytes(volume.spec.capacity?.["storage"]),
      allocated,
      status,
      isLastAnswerFinal: this.#answeredFinally.has(key),
      isFileSystemResizePending: conditions.some(
        ({ type }) => type === resizeCondition.fileSystemResizePending,
      ),
      canExpandOnController: this.#connection.has("EXPAND_VOLUME"),
    });
    if (target === undefined) return done("LeftToNode");
    const slowMs = this.#slow.remainingMs(key);
    if (status === resizeStatus.controllerInfeasible) this.#slow.add(key);
    const isRepeated = allocated === target;
    if (isRepeated && slowMs > 0) return wait("ControllerResizeInfeasible", slowMs);
    const marked = yield* this.#markInProgress(claim, target, isRepeated);
    if (typeof marked === "string") return retry(marked);
    const inUse = this.#inUseError(claim);
    if (inUse !== undefined) {
      yield* event(refOf(claim), "Warning", "VolumeResizeFailed", inUse);
      return retry(inUse);
    }
    this.#offlineOnly.delete(key);
    const text = `External resizer is resizing volume ${volume.metadata.name}`;
    const result = yield* this.#connection.announced(
      event(refOf(claim), "Normal", "Resizing", text),
      this.#call(volume, target),
    );
    return typeof result !== "string" && result.code === "OK"
      ? yield* this.#succeeded(marked, volume, result)
      : yield* this.#failed(marked, volume, result);
  }

  *#markInProgress(claim: Claim, target: bigint, isRepeated: boolean): Task<Claim | string> {
    const bare = withoutAnnotation(claim, annotation.nodeExpansionNotRequired);
    const { status: before = {} } = bare;
    const resizing = this.#dated({ type: resizeCondition.resizing, status: "True" });
    const told = isRepeated
      ? withResizeCondition(before, resizing)
      : withOnlyResizeCondition(before, resizing);
    const storage = sizeText(bare, target);
    const marked = { ...told, allocatedResources: { ...before.allocatedResources, storage } };
    const status = isRepeated
      ? marked
      : withResizeStatus(marked, resizeStatus.controllerInProgress);
    return yield* this.#save(bare, status);
  }

  #dated(condition: PersistentVolumeClaimCondition): PersistentVolumeClaimCondition {
    return { ...condition, lastTransitionTime: timestamp(this.#context.now) };
  }

  *#save(claim: Claim, status: Status): Task<Claim | string> {
    const saved = yield* updateStatus<"PersistentVolumeClaim">({ ...claim, status });
    if (!saved.ok) return saved.error.message;
    const isChanged = saved.object.metadata.resourceVersion !== claim.metadata.resourceVersion;
    if (isChanged) this.#changed(keyOf(claim));
    return saved.object;
  }

  /** Pods that use the claim through a generic ephemeral volume do not count. Upstream: inuse_pvc_store.go addPod. */
  #inUseError(claim: Claim): string | undefined {
    const key = keyOf(claim);
    const { handlesInUseError = true } = this.#connection.driver.sidecars ?? {};
    if (!handlesInUseError || !this.#offlineOnly.has(key)) return undefined;
    const users = this.#context.informer("Pod").byIndex(podsByClaim, key);
    const isNamedBy = (pod: Pod): boolean =>
      pod.spec.volumes?.some(
        (volume) => volume.persistentVolumeClaim?.claimName === claim.metadata.name,
      ) ?? false;
    if (!users.some((pod) => !isPodEnded(pod) && isNamedBy(pod))) return undefined;
    return `Unable to expand ${key} because CSI driver ${this.#connection.driver.name} only supports offline expansion and volume is currently in-use`;
  }

  /** Returns the driver's answer, or why it could not be called. */
  *#call(volume: Volume, target: bigint): Task<CallResult | string> {
    if (!this.#connection.has("EXPAND_VOLUME")) return leftToNode(target);
    const { csi } = translatedVolume(volume).spec;
    if (csi === undefined) return "invalid CSI PV";
    const secret = yield* readSecret(csi.controllerExpandSecretRef, errorGettingSecret);
    if (!secret.ok) return secret.error;
    const multiWriter = this.#connection.has("SINGLE_NODE_MULTI_WRITER");
    const capability = volumeCapabilityOf(volume.spec, csi, multiWriter);
    if ("error" in capability) {
      return `failed to get capabilities of volume ${volume.metadata.name} with ${capability.error}`;
    }
    return yield* this.#connection.call(
      "ControllerExpandVolume",
      {
        volume_id: csi.volumeHandle,
        capacity_range: { required_bytes: String(target) },
        volume_capability: capability,
        ...secret.field,
      },
      callTimeoutMs,
    );
  }

  *#failed(claim: Claim, volume: Volume, result: CallResult | string): Reconcile {
    const key = keyOf(claim);
    const error = typeof result === "string" ? result : errorText(result);
    const code = typeof result === "string" ? undefined : result.code;
    const isInfeasible = code !== undefined && infeasibleCodes.has(code);
    const { name } = volume.metadata;
    let text = `resize volume "${name}" by resizer "${this.#connection.driver.name}" failed: ${error}`;
    if (!isInfeasible) this.#slow.remove(key);
    if (code !== undefined && isFinalCode(code)) {
      this.#answeredFinally.add(key);
      if (code === "FailedPrecondition") this.#offlineOnly.add(key);
      const unmarked = yield* this.#markFailed(claim, error, isInfeasible);
      if (unmarked !== undefined) {
        text = `resizing failed in controller with ${error} but failed to update PVC ${key} with: ${unmarked}`;
      }
    } else {
      this.#answeredFinally.delete(key);
    }
    this.#context.decide(refOf(claim), {
      reason: "VolumeResizeFailed",
      because: [refOf(volume)],
      text: error,
      ...(isInfeasible && { due: this.#context.now + slowRetentionMs }),
    });
    return yield* this.#complain(claim, text);
  }

  /** Upstream passes the text to Eventf, where it is a format string. */
  *#complain(claim: Claim, text: string): Reconcile {
    yield* event(refOf(claim), "Warning", "VolumeResizeFailed", goFormat(text));
    return retry(text);
  }

  /** Returns why the claim could not be marked. Ignores its version: a concurrent edit must not hide the failure. */
  *#markFailed(claim: Claim, error: string, isInfeasible: boolean): Task<string | undefined> {
    const condition: PersistentVolumeClaimCondition = {
      type: resizeCondition.controllerError,
      status: "True",
      message: `failed to expand pvc with ${error}`,
    };
    const { namespace, name, resourceVersion } = claim.metadata;
    const patched = yield* patch(
      "PersistentVolumeClaim",
      namespace,
      name,
      (current) => {
        const status = withResizeCondition(current.status ?? {}, this.#dated(condition));
        const marked = isInfeasible
          ? withResizeStatus(status, resizeStatus.controllerInfeasible)
          : status;
        return { ...current, status: marked };
      },
      "status",
    );
    const key = keyOf(claim);
    if (!patched.ok) {
      const why = `can't patch status of  PVC ${key} with ${patched.error.message}`;
      return `mark PVC "${key}" as controller expansion failed, errored with: ${why}`;
    }
    if (patched.object.metadata.resourceVersion !== resourceVersion) this.#changed(key);
    return undefined;
  }

  *#succeeded(claim: Claim, volume: Volume, result: CallResult): Reconcile {
    const key = keyOf(claim);
    this.#answeredFinally.delete(key);
    this.#slow.remove(key);
    const size = storedSize(BigInt(String(result.response["capacity_bytes"] ?? "0")));
    const needsNode = result.response["node_expansion_required"] === true;
    const unsaved = yield* this.#growVolume(claim, volume, size, needsNode);
    if (unsaved !== undefined) {
      const { name } = volume.metadata;
      const why = `update capacity of PV ${name} failed: ${unsaved}`;
      return yield* this.#complain(claim, `error updating pv "${name}" by resizer: ${why}`);
    }
    if (needsNode) {
      const condition: PersistentVolumeClaimCondition = {
        type: resizeCondition.fileSystemResizePending,
        status: "True",
        message:
          "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
      };
      const status = withResizeCondition(claim.status ?? {}, this.#dated(condition));
      const saved = yield* this.#save(claim, withResizeStatus(status, resizeStatus.nodePending));
      if (typeof saved === "string")
        return yield* this.#unfinished(claim, "node expansion required", saved);
      const text = "Require file system resize of volume on node";
      yield* event(refOf(claim), "Normal", "FileSystemResizeRequired", text);
      return done("FileSystemResizeRequired");
    }
    return yield* this.#finishClaim(claim, size);
  }

  /** Writes the volume's new size; if the node has to finish, also the claim's old size as an annotation. */
  *#growVolume(
    claim: Claim,
    volume: Volume,
    size: string,
    needsNode: boolean,
  ): Task<string | undefined> {
    const before = grantedStorage(claim) ?? "0";
    const patched = yield* patch("PersistentVolume", undefined, volume.metadata.name, (current) => {
      const spec = { ...current.spec, capacity: { ...current.spec.capacity, storage: size } };
      if (!needsNode || hasAnnotation(current, annotation.preResizeCapacity))
        return { ...current, spec };
      return { ...withAnnotations(current, { [annotation.preResizeCapacity]: before }), spec };
    });
    return patched.ok ? undefined : patched.error.message;
  }

  *#finishClaim(claim: Claim, size: string): Reconcile {
    const noted = withAnnotations(claim, { [annotation.nodeExpansionNotRequired]: "true" });
    const before = noted.status ?? {};
    const status = withResizeStatus(withoutResizeConditions(before), undefined);
    const capacity = { ...before.capacity, storage: size };
    const saved = yield* this.#save(noted, { ...status, capacity });
    if (typeof saved === "string") return yield* this.#unfinished(claim, "resize finished", saved);
    yield* event(refOf(claim), "Normal", "VolumeResizeSuccessful", "Resize volume succeeded");
    return done("VolumeResizeSuccessful");
  }

  /** Reports that the volume was expanded, but its claim could not be updated. */
  *#unfinished(claim: Claim, as: string, why: string): Reconcile {
    const key = keyOf(claim);
    const text = `mark PVC "${key}" as ${as} failed: can't patch status of  PVC ${key} with ${why}`;
    return yield* this.#complain(claim, text);
  }
}

/** Upstream: trivial_resizer.go Resize. */
function leftToNode(target: bigint): CallResult {
  const response = { capacity_bytes: String(target), node_expansion_required: true };
  return { code: "OK", message: "", response };
}

/** The target as the claim writes it, in its request or in allocatedResources, if either has that size. */
function sizeText(claim: Claim, target: bigint): string {
  const texts = [requestedStorage(claim), claim.status?.allocatedResources?.["storage"]];
  const known = texts.find((text) => text !== undefined && quantityBytes(text) === target);
  return known ?? storedSize(target);
}

/** The resizer's binary quantity after the API server has read it: one without a suffix is decimal. */
function storedSize(bytes: bigint): string {
  return formatQuantity(quantityOrZero(bytesText(bytes)));
}
