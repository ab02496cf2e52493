/**
 * Changes a volume's attributes to those of the claim's VolumeAttributesClass.
 * Upstream: external-resizer v2.2 pkg/modifycontroller/controller.go, modify_volume.go, modify_status.go.
 * Not modeled: --extra-modify-metadata.
 */
import { type Key, type KubeObject, keyOf, makeRef, refOf } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { PersistentVolumeClaimCondition, SecretReference } from "../../api/types.ts";
import { errorGettingSecret, readSecret } from "../../csi/read-secret.ts";
import { errorText, isFinalCode } from "../../csi/rpc.ts";
import type { ControllerConnection } from "../../csi/sidecar.ts";
import { withConditions } from "../../matching/resize-conditions.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { type CallResult, event, patch, type Task, updateStatus } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { Instant } from "../../trace/instant.ts";
import { callTimeoutMs, slowRetentionMs } from "./flags.ts";
import { mergeProbed } from "./probed-conditions.ts";
import { SlowSet } from "./slow-set.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;
type Volume = KubeObject<"PersistentVolume">;
type Status = NonNullable<Claim["status"]>;

const modifying = "ModifyingVolume";
const modifyError = "ModifyVolumeError";
const secretName = "volume.kubernetes.io/controller-modify-secret-name";
const secretNamespace = "volume.kubernetes.io/controller-modify-secret-namespace";

export class Modifier {
  readonly #context: ComponentContext;
  readonly #connection: ControllerConnection;
  readonly #slow: SlowSet;
  /** Claims whose volume the driver may still be changing: the old target is finished first. */
  readonly #uncertain = new Set<Key>();

  readonly #retryAt: (key: Key, failsUntil: Instant) => Instant;

  constructor(
    context: ComponentContext,
    connection: ControllerConnection,
    retryAt: (key: Key, failsUntil: Instant) => Instant,
  ) {
    this.#context = context;
    this.#connection = connection;
    this.#retryAt = retryAt;
    this.#slow = new SlowSet(() => context.now);
  }

  /** After a restart, the driver's last answer about a modification in progress is unknown. */
  adopt(claim: Claim): void {
    if (claim.status?.modifyVolumeStatus?.status === "InProgress")
      this.#uncertain.add(keyOf(claim));
  }

  *sync(claim: Claim): Reconcile {
    const volumeName = claim.spec.volumeName ?? "";
    if (volumeName === "" || claim.status?.phase !== "Bound") return done("Unbound");
    const volume = this.#context.informer("PersistentVolume").get(volumeName);
    if (volume === undefined) return retry(`volume ${volumeName} not found`);
    if (volume.spec.csi?.driver !== this.#connection.driver.name) return done("NotOurs");
    const key = keyOf(claim);
    const wanted = claim.spec.volumeAttributesClassName ?? "";
    const { modifyVolumeStatus, currentVolumeAttributesClassName: current = "" } = claim.status;
    const target = modifyVolumeStatus?.targetVolumeAttributesClassName ?? "";
    // A different class may be feasible.
    const isRepeated = modifyVolumeStatus !== undefined && target === wanted;
    if (!isRepeated) this.#slow.remove(key);
    const pauseMs = this.#slow.remainingMs(key);
    if (isRepeated && modifyVolumeStatus.status === "Infeasible") this.#slow.add(key);
    if (pauseMs > 0) {
      const { namespace, name } = claim.metadata;
      // Unlike an expansion, this does not wait for the end of the pause: it retries with the queue's back-off.
      return retry(
        `skipping volume modification for pvc ${namespace}/${name}, because modification previously failed with infeasible error`,
      );
    }
    if (modifyVolumeStatus === undefined && wanted === current) return done("Unchanged");
    const isInProgress = modifyVolumeStatus?.status === "InProgress";
    if (isInProgress && (wanted === "" || this.#uncertain.has(key))) {
      return yield* this.#modify(claim, volume, target);
    }
    if (wanted === "") return yield* this.#cancel(claim);
    return yield* this.#begin(claim, volume, wanted);
  }

  *#cancel(claim: Claim): Reconcile {
    const conditions = claim.status?.conditions ?? [];
    if (!conditions.some(({ type }) => type === modifying)) return done("Unchanged");
    yield* event(refOf(claim), "Normal", "VolumeModifyCanceled", "Cancelled modify.");
    const kept = conditions.filter(({ type }) => type !== modifying);
    const saved = yield* this.#save(claim, withConditions(claim.status ?? {}, kept));
    return typeof saved === "string" ? retry(saved) : done("VolumeModifyCanceled");
  }

  *#begin(claim: Claim, volume: Volume, wanted: string): Reconcile {
    const before = claim.status ?? {};
    if ((yield* this.#targetClass(claim, wanted)) === undefined) {
      // Keeps the target that was last tried, because quotas count it.
      const modifyVolumeStatus = { ...before.modifyVolumeStatus, status: "Pending" };
      const saved = yield* this.#save(claim, { ...before, modifyVolumeStatus });
      // Not retried: the class's creation triggers no sync.
      return typeof saved === "string" ? retry(saved) : done("VolumeAttributesClassMissing");
    }
    const message = `Modifying volume to "${wanted}" is in progress.`;
    const status: Status = {
      ...this.#withConditions(before, [{ type: modifying, status: "True", message }]),
      modifyVolumeStatus: { status: "InProgress", targetVolumeAttributesClassName: wanted },
    };
    const saved = yield* this.#save(claim, status);
    if (typeof saved === "string") return retry(saved);
    const text = `external resizer is modifying volume ${claim.metadata.name} with vac ${wanted}`;
    return yield* this.#connection.announced(
      event(refOf(claim), "Normal", "VolumeModify", text),
      this.#modify(saved, volume, wanted),
    );
  }

  *#modify(claim: Claim, volume: Volume, target: string): Reconcile {
    const attributesClass = yield* this.#targetClass(claim, target);
    if (attributesClass === undefined) return retry(`VAC "${target}" does not exist`);
    const secret = yield* readSecret(secretOf(volume), errorGettingSecret);
    // Only the driver's answers are reported in events.
    if (!secret.ok) return retry(secret.error);
    const request = {
      volume_id: volume.spec.csi?.volumeHandle ?? "",
      mutable_parameters: attributesClass.parameters ?? {},
      ...secret.field,
    };
    const result = yield* this.#connection.call("ControllerModifyVolume", request, callTimeoutMs);
    if (result.code === "OK") return yield* this.#succeeded(claim, volume, target);
    const isInfeasible = result.code === "InvalidArgument";
    this.#context.decide(refOf(claim), {
      reason: "VolumeModifyFailed",
      ...(isInfeasible && {
        due: this.#retryAt(keyOf(claim), this.#context.now + slowRetentionMs),
      }),
      because: [makeRef("VolumeAttributesClass", undefined, target), refOf(volume)],
      text: errorText(result),
    });
    if (isFinalCode(result.code)) return yield* this.#failed(claim, target, result);
    return yield* this.#unclear(claim, target, result);
  }

  *#targetClass(claim: Claim, name: string): Task<KubeObject<"VolumeAttributesClass"> | undefined> {
    const found = this.#context.informer("VolumeAttributesClass").get(name);
    if (found === undefined) {
      const text = `VAC "${name}" does not exist.`;
      yield* event(refOf(claim), "Warning", "VolumeModifyFailed", text);
    }
    return found;
  }

  *#succeeded(claim: Claim, volume: Volume, target: string): Reconcile {
    this.#uncertain.delete(keyOf(claim));
    this.#slow.remove(keyOf(claim));
    const { name } = volume.metadata;
    const patched = yield* patch("PersistentVolume", undefined, name, (current) => ({
      ...current,
      spec: { ...current.spec, volumeAttributesClassName: target },
    }));
    if (!patched.ok) return retry(patched.error.message);
    const unnoted = yield* this.#noteSuccess(claim, target);
    if (unnoted !== undefined) return retry(unnoted);
    const text = `external resizer modified volume ${claim.metadata.name} with vac ${target} successfully`;
    yield* event(refOf(claim), "Normal", "VolumeModifySuccessful", text);
    return done("VolumeModifySuccessful");
  }

  /**
   * Returns why the claim could not be updated. Ignores its version: a concurrent edit must not hide the volume's new class.
   * Upstream: markControllerModifyVolumeCompleted.
   */
  *#noteSuccess(claim: Claim, target: string): Task<string | undefined> {
    const { namespace, name } = claim.metadata;
    const patched = yield* patch(
      "PersistentVolumeClaim",
      namespace,
      name,
      (current) => {
        const { modifyVolumeStatus: _, ...rest } = current.status ?? {};
        const kept = (rest.conditions ?? []).filter(
          ({ type }) => type !== modifying && type !== modifyError,
        );
        const status = { ...withConditions(rest, kept), currentVolumeAttributesClassName: target };
        return { ...current, status };
      },
      "status",
    );
    return patched.ok ? undefined : patched.error.message;
  }

  /** The driver has given a final answer, so another target may replace this one. */
  *#failed(claim: Claim, target: string, result: CallResult): Reconcile {
    const key = keyOf(claim);
    this.#uncertain.delete(key);
    const isInfeasible = result.code === "InvalidArgument";
    const message = `Modifying volume to "${target}" failed. Waiting for retry.`;
    const error = errorText(result);
    const status = isInfeasible ? "Infeasible" : "InProgress";
    const unmarked = yield* this.#markError(claim, target, status, message, result);
    if (unmarked !== undefined) return retry(unmarked);
    if (isInfeasible) this.#slow.add(key);
    yield* event(refOf(claim), "Warning", "VolumeModifyFailed", error);
    return retry(error);
  }

  /** The driver may still be modifying the volume. */
  *#unclear(claim: Claim, target: string, result: CallResult): Reconcile {
    this.#uncertain.add(keyOf(claim));
    const error = errorText(result);
    const message = `Modifying volume to "${target}" is still in progress.`;
    const unmarked = yield* this.#markError(claim, target, "InProgress", message, result);
    if (unmarked !== undefined) return retry(unmarked);
    const text = `${error}. Still modifying to VAC ${target}`;
    yield* event(refOf(claim), "Warning", "VolumeModifyFailed", text);
    return retry(error);
  }

  /** Returns why the claim could not be marked, for example after a concurrent edit; the next attempt then reports it. */
  *#markError(
    claim: Claim,
    target: string,
    status: "InProgress" | "Infeasible",
    message: string,
    result: CallResult,
  ): Task<string | undefined> {
    const conditions: readonly PersistentVolumeClaimCondition[] = [
      { type: modifying, status: "True", message },
      { type: modifyError, status: "True", reason: result.code, message: result.message },
    ];
    const saved = yield* this.#save(claim, {
      ...this.#withConditions(claim.status ?? {}, conditions),
      modifyVolumeStatus: { status, targetVolumeAttributesClassName: target },
    });
    return typeof saved === "string" ? saved : undefined;
  }

  #withConditions(status: Status, next: readonly PersistentVolumeClaimCondition[]): Status {
    const now = timestamp(this.#context.now);
    return withConditions(status, mergeProbed(status.conditions ?? [], next, now));
  }

  *#save(claim: Claim, status: Status): Task<Claim | string> {
    const saved = yield* updateStatus<"PersistentVolumeClaim">({ ...claim, status });
    return saved.ok ? saved.object : saved.error.message;
  }
}

/** The Secret in the provisioner's annotations, or else the one for expansion. */
function secretOf({ metadata, spec }: Volume): SecretReference | undefined {
  const { annotations = {} } = metadata;
  const expand = spec.csi?.controllerExpandSecretRef;
  const name = annotations[secretName] ?? expand?.name ?? "";
  const namespace = annotations[secretNamespace] ?? expand?.namespace ?? "";
  return name === "" ? undefined : { name, namespace };
}
