/**
 * Makes a volume with a plugin of the controller manager. Upstream: pv_controller.go provisionClaimOperation v1.36.
 */
import { type Draft, keyOf, refOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../api/types.ts";
import {
  annotation,
  annotationOf,
  finalizer,
  hasAnnotation,
  withoutAnnotation,
} from "../../matching/annotations.ts";
import { claimReference } from "../../matching/volume-binding.ts";
import { create, event, getLive, sleep, type Task } from "../../runtime/effects.ts";
import { repeatsAssetCleanup } from "../../version-differences.ts";
import type { Binder } from "./binder.ts";
import { deleteAsset } from "./delete-volume.ts";
import type { OperationResult } from "./operations.ts";
import { saveClaim } from "./saves.ts";
import { setClaimProvisioner } from "./set-claim-provisioner.ts";
import type { ProvisionedVolume, VolumePlugin } from "./volume-plugins.ts";

const saveAttempts = 5;
const saveIntervalMs = 10_000;

type Provisioner = VolumePlugin & Required<Pick<VolumePlugin, "newProvisioner">>;

export function* provisionInternally(
  binder: Binder,
  offered: PersistentVolumeClaim,
  storageClass: StorageClass,
  plugin: Provisioner,
): Task<OperationResult> {
  if (offered.spec.dataSource !== undefined) {
    const message = `plugin "${plugin.name}" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`;
    return yield* provisioningFailed(offered, message); // P7
  }
  const named = yield* setClaimProvisioner(binder, offered, storageClass.provisioner);
  if (!named.ok) return { ok: false, error: named.error.message };
  const claim = named.object;
  const volumeName = `pvc-${claim.metadata.uid}`;
  const existing = yield* getLive("PersistentVolume", undefined, volumeName);
  if (existing.ok) return { ok: true }; // P8: an earlier life of this controller made it.
  const mountOptions = storageClass.mountOptions ?? [];
  const className = storageClass.metadata.name;
  if (!plugin.supportsMountOptions && mountOptions.length > 0) {
    const message = `Mount options are not supported by the provisioner but StorageClass "${className}" has mount options [${mountOptions.join(" ")}]`;
    return yield* provisioningFailed(claim, message); // P9
  }
  const made = plugin.newProvisioner({ volumeName, claim, storageClass });
  if (!made.ok)
    return yield* provisioningFailed(claim, `Failed to create provisioner: ${made.error}`); // P10
  const node = annotationOf(claim, annotation.selectedNode);
  if (node !== undefined && binder.nodes.get(node) === undefined) {
    return yield* provisioningFailed(claim, `Failed to get target node: node "${node}" not found`); // P11
  }
  const provisioned = yield* made.provision();
  if (!provisioned.ok) return yield* reschedule(binder, claim, className, provisioned.error); // P13
  return yield* saveProvisioned(binder, claim, storageClass, plugin, provisioned.volume);
}

function* provisioningFailed(claim: PersistentVolumeClaim, message: string): Task<OperationResult> {
  yield* event(refOf(claim), "Warning", "ProvisioningFailed", message);
  return { ok: false, error: message };
}

/** P13: another node may do better, so the scheduler is to choose again. */
function* reschedule(
  binder: Binder,
  claim: PersistentVolumeClaim,
  className: string,
  error: string,
): Task<OperationResult> {
  if (hasAnnotation(claim, annotation.selectedNode)) {
    yield* saveClaim(binder, withoutAnnotation(claim, annotation.selectedNode));
  }
  return yield* provisioningFailed(
    claim,
    `Failed to provision volume with StorageClass "${className}": ${error}`,
  );
}

/** P12, P14. */
function* saveProvisioned(
  binder: Binder,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  plugin: VolumePlugin,
  provisioned: ProvisionedVolume,
): Task<OperationResult> {
  const draft = provisionedVolume(claim, storageClass, plugin, provisioned);
  let error = "";
  for (let attempt = 0; attempt < saveAttempts; attempt++) {
    if (attempt > 0) yield* sleep(saveIntervalMs);
    const saved = yield* create<"PersistentVolume">(draft);
    if (saved.ok) binder.volumes.put(saved.object);
    if (saved.ok || saved.error.reason === "AlreadyExists") {
      const message = `Successfully provisioned volume ${provisioned.name} using ${plugin.name}`;
      yield* event(refOf(claim), "Normal", "ProvisioningSucceeded", message);
      return { ok: true };
    }
    error = saved.error.message;
  }
  const message = `Error creating provisioned PV object for claim ${keyOf(claim)}: ${error}. Deleting the volume.`;
  yield* event(refOf(claim), "Warning", "ProvisioningFailed", message);
  yield* cleanUp(binder, claim, draft);
  return { ok: true };
}

/** The asset has no volume object, so nobody else would ever delete it. */
function* cleanUp(
  binder: Binder,
  claim: PersistentVolumeClaim,
  draft: Draft<"PersistentVolume">,
): Task {
  const attempts = repeatsAssetCleanup(binder.context.version) ? saveAttempts : 1;
  const unsaved = {
    uid: "",
    resourceVersion: "",
    creationTimestamp: "",
    name: draft.metadata.name ?? "",
  };
  const volume: PersistentVolume = { ...draft, metadata: { ...draft.metadata, ...unsaved } };
  let error = "";
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) yield* sleep(saveIntervalMs);
    const deleted = yield* deleteAsset(binder, volume);
    if (deleted.ok) return;
    error = deleted.error;
  }
  const message = `Error cleaning provisioned volume for claim ${keyOf(claim)}: ${error}. Please delete manually.`;
  yield* event(refOf(claim), "Warning", "ProvisioningCleanupFailed", message);
}

function provisionedVolume(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  plugin: VolumePlugin,
  provisioned: ProvisionedVolume,
): Draft<"PersistentVolume"> {
  const policy = storageClass.reclaimPolicy ?? "Delete";
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: provisioned.name,
      annotations: {
        [annotation.boundByController]: "yes",
        [annotation.provisionedBy]: plugin.name,
      },
      ...(policy === "Delete" && { finalizers: [finalizer.volumeController] }),
    },
    spec: {
      persistentVolumeReclaimPolicy: policy,
      ...provisioned.spec,
      claimRef: claimReference(claim),
      storageClassName: storageClass.metadata.name,
    },
  };
}
