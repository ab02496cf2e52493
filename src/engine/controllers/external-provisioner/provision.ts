/**
 * One call of CreateVolume, and the PersistentVolume made from the answer.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go Provision, checkError.
 */
import { sortedKeys } from "../../api/go/text-order.ts";
import { withFields } from "../../api/json.ts";
import type { Draft } from "../../api/meta.ts";
import { bytesText } from "../../api/quantity.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { NodeSelectorRequirement, VolumeNodeAffinity } from "../../api/types.ts";
import { hasTopology } from "../../csi/driver-capabilities.ts";
import type { Topology, VolumeMessage } from "../../csi/messages.ts";
import { errorText } from "../../csi/rpc.ts";
import type { ControllerConnection } from "../../csi/sidecar.ts";
import { annotation, finalizer } from "../../matching/annotations.ts";
import { type CallResult, patch, type Task } from "../../runtime/effects.ts";
import { storeAccountKey } from "./account-key.ts";
import { snapshotSourceFinalizer } from "./content-source.ts";
import { asInTreeVolume } from "./in-tree-migration.ts";
import {
  type Attempt,
  failed,
  type LeftToPopulator,
  type Prepared,
  type ProvisioningError,
  type ProvisioningState,
  prepare,
} from "./prepare.ts";
import { isBeforeV6 } from "./release.ts";

/** --timeout, if the driver's manifests do not set it. */
const defaultTimeoutMs = 10_000;
const cleanupCountMax = 5;
const identityKey = "storage.kubernetes.io/csiProvisionerIdentity";

export function callTimeoutMs({ driver }: ControllerConnection): number {
  return driver.sidecars?.provisionTimeoutMs ?? defaultTimeoutMs;
}

export interface Provisioned {
  readonly type: "provisioned";
  readonly volume: Draft<"PersistentVolume">;
  /** Says in words where the volume is and why. */
  readonly explanation: string;
}

export function* provision(
  attempt: Attempt,
  identity: string,
): Task<Provisioned | LeftToPopulator | ProvisioningError> {
  const { connection, claim, topologies } = attempt;
  const prepared = yield* prepare(attempt);
  if (prepared.type !== "prepared") return prepared;
  const result = yield* connection.call(
    "CreateVolume",
    prepared.request,
    callTimeoutMs(connection),
  );
  if (result.code !== "OK") {
    const state = stateAfter(attempt, result);
    if (state !== "InBackground") topologies.forget(claim.metadata.uid);
    return { type: "failed", state, message: errorText(result), code: result.code };
  }
  const message = result.response["volume"] as VolumeMessage;
  const wrong = answerError(attempt, prepared, message);
  if (wrong !== undefined) {
    const orphaned = yield* cleanUp(attempt, prepared, message.volume_id, wrong);
    return failed("InBackground", orphaned);
  }
  topologies.forget(claim.metadata.uid);
  yield* releaseSnapshot(attempt);
  const made = volumeObject(attempt, prepared, message, identity);
  const volume = asInTreeVolume(made, attempt.storageClass.provisioner);
  yield* storeAccountKey(volume);
  return {
    type: "provisioned",
    volume,
    explanation: explanation(attempt, prepared, message),
  };
}

function explanation(attempt: Attempt, prepared: Prepared, message: VolumeMessage): string {
  const places = (topologies: readonly Topology[] = []): string =>
    topologies.map(({ segments }) => Object.values(segments).join("/")).join(", ");
  const { driver } = attempt.connection;
  if (!hasTopology(driver)) return `every node can reach the volumes of ${driver.name}`;
  const asked = places(prepared.request.accessibility_requirements?.preferred);
  const why =
    attempt.selectedNode === undefined
      ? "no node has been selected yet, so the claim's name decides which comes first"
      : `that of the selected node ${attempt.selectedNode} comes first`;
  const where = places(message.accessible_topology);
  return `preferred topologies: ${asked === "" ? "any" : asked} (${why}); created in ${where}`;
}

/** Whether the call may still have its effect, and whether another node could help. */
function stateAfter(attempt: Attempt, result: CallResult): ProvisioningState {
  switch (result.code) {
    case "ResourceExhausted":
      return hasTopology(attempt.connection.driver) && attempt.selectedNode !== undefined
        ? "Reschedule"
        : "Finished";
    case "Canceled":
    case "DeadlineExceeded":
    case "Unavailable":
    case "Aborted":
      return "InBackground";
    default:
      return "Finished";
  }
}

interface WrongAnswer {
  readonly error: string;
  /** First word about a failed clean-up; upstream writes it in both ways. */
  readonly cleanup: "Cleanup" | "cleanup";
}

function answerError(
  attempt: Attempt,
  prepared: Prepared,
  message: VolumeMessage,
): WrongAnswer | undefined {
  const requested = BigInt(prepared.request.capacity_range?.required_bytes ?? 0);
  const size = BigInt(message.capacity_bytes);
  if (size !== 0n && size < requested) {
    const error = `created volume capacity ${size} less than requested capacity ${requested}`;
    return { error, cleanup: "Cleanup" };
  }
  if (attempt.claim.spec.dataSource !== undefined && message.content_source === undefined) {
    return { error: "volume content source missing", cleanup: "cleanup" };
  }
  return undefined;
}

function* cleanUp(
  attempt: Attempt,
  { request: { secrets } }: Prepared,
  volumeId: string,
  wrong: WrongAnswer,
): Task<string> {
  const request = { volume_id: volumeId, ...(secrets !== undefined && { secrets }) };
  let last: CallResult | undefined;
  for (let tries = 0; tries < cleanupCountMax && last?.code !== "OK"; tries++) {
    last = yield* attempt.connection.call(
      "DeleteVolume",
      request,
      callTimeoutMs(attempt.connection),
    );
  }
  if (last === undefined || last.code === "OK") return wrong.error;
  return `${wrong.error}. ${wrong.cleanup} of volume ${attempt.volumeName} failed, volume is orphaned: ${errorText(last)}`;
}

/** Upstream: removeSnapshotFinalizer. If it fails, the sweep removes the finalizer later. */
function* releaseSnapshot(attempt: Attempt): Task {
  const source = attempt.claim.spec.dataSource;
  if (source?.kind !== "VolumeSnapshot" || isBeforeV6(attempt.connection)) return;
  yield* patch("VolumeSnapshot", attempt.claim.metadata.namespace, source.name, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      finalizers: (current.metadata.finalizers ?? []).filter((f) => f !== snapshotSourceFinalizer),
    },
  }));
}

function volumeObject(
  attempt: Attempt,
  prepared: Prepared,
  message: VolumeMessage,
  identity: string,
): Draft<"PersistentVolume"> {
  const { claim, storageClass, connection, volumeName } = attempt;
  const { spec, metadata } = claim;
  const answered = BigInt(message.capacity_bytes);
  const size =
    answered === 0n ? BigInt(prepared.request.capacity_range?.required_bytes ?? 0) : answered;
  const isBlock = spec.volumeMode === "Block";
  const affinity = hasTopology(connection.driver)
    ? nodeAffinity(message.accessible_topology ?? [])
    : undefined;
  const attributesClass = spec.volumeAttributesClassName ?? "";
  const { modifySecret, deletionSecret } = prepared;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: volumeName,
      annotations: {
        [annotation.provisionedBy]: storageClass.provisioner,
        [annotation.deletionSecretName]: deletionSecret.name ?? "",
        [annotation.deletionSecretNamespace]: deletionSecret.namespace ?? "",
        ...(modifySecret !== undefined && {
          "volume.kubernetes.io/controller-modify-secret-name": modifySecret.name ?? "",
          "volume.kubernetes.io/controller-modify-secret-namespace": modifySecret.namespace ?? "",
        }),
      },
      finalizers: [finalizer.externalProvisioner],
    },
    spec: {
      accessModes: spec.accessModes ?? [],
      ...(storageClass.mountOptions !== undefined && { mountOptions: storageClass.mountOptions }),
      capacity: { storage: bytesText(size) },
      ...(storageClass.reclaimPolicy !== undefined && {
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy,
      }),
      ...(affinity !== undefined && { nodeAffinity: affinity }),
      ...(spec.volumeMode !== undefined && { volumeMode: spec.volumeMode }),
      ...(attributesClass !== "" && { volumeAttributesClassName: attributesClass }),
      storageClassName: effectiveClassName(claim),
      claimRef: {
        kind: "PersistentVolumeClaim",
        apiVersion: "v1",
        namespace: metadata.namespace ?? "",
        name: metadata.name,
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
      },
      csi: withFields(prepared.source, {
        volumeHandle: message.volume_id,
        volumeAttributes: withFields({ [identityKey]: identity }, message.volume_context),
        ...(!isBlock && prepared.fsType !== "" && { fsType: prepared.fsType }),
        ...(isReadOnly(attempt) && { readOnly: true }),
      }),
    },
  };
}

function isReadOnly({ claim, connection }: Attempt): boolean {
  const { marksReadonly = false } = connection.driver.sidecars ?? {};
  const [mode, ...others] = claim.spec.accessModes ?? [];
  return marksReadonly && mode === "ReadOnlyMany" && others.length === 0;
}

/** One term for each topology from which the volume can be reached. Upstream: GenerateVolumeNodeAffinity. */
function nodeAffinity(topologies: readonly Topology[]): VolumeNodeAffinity | undefined {
  if (topologies.length === 0) return undefined;
  const nodeSelectorTerms = topologies.map(({ segments }) => ({
    matchExpressions: sortedKeys(segments).map(
      (key): NodeSelectorRequirement => ({ key, operator: "In", values: [segments[key] ?? ""] }),
    ),
  }));
  return { required: { nodeSelectorTerms } };
}
