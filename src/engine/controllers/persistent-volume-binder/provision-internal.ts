/**
 * Provisions a volume with a plugin inside the controller manager. Upstream: pv_controller.go provisionClaimOperation v1.36.
 */
import { type Draft, refOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../api/types.ts";
import {
  annotation,
  annotationOf,
  finalizer,
  hasAnnotation,
  withoutAnnotation,
} from "../../matching/annotations.ts";
import { claimReference } from "../../matching/volume-binding.ts";
import { event, getLive, type Task } from "../../runtime/effects.ts";
import { repeatsAssetCleanup } from "../../version-differences.ts";
import { attemptCount, removeUnsaved, saveMadeVolume, unsavedText } from "../made-volume.ts";
import type { Binder } from "./binder.ts";
import { deleteAsset } from "./delete-volume.ts";
import type { OperationResult } from "./operations.ts";
import { saveClaim } from "./saves.ts";
import { setClaimProvisioner } from "./set-claim-provisioner.ts";
import type { ProvisionedVolume, VolumePlugin } from "./volume-plugins.ts";

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
  if (existing.ok) return { ok: true }; // P8: made by an earlier attempt, before a restart.
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

/** P13: removes the selected node, so that the scheduler can choose another one. */
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

/** P12: saves the volume that was made. P14: if that fails, deletes its asset again. */
function* saveProvisioned(
  binder: Binder,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  plugin: VolumePlugin,
  provisioned: ProvisionedVolume,
): Task<OperationResult> {
  const draft = provisionedVolume(claim, storageClass, plugin, provisioned);
  const saved = yield* saveMadeVolume(draft);
  if (saved.ok) {
    if (saved.object !== undefined) binder.volumes.put(saved.object);
    const message = `Successfully provisioned volume ${provisioned.name} using ${plugin.name}`;
    yield* event(refOf(claim), "Normal", "ProvisioningSucceeded", message);
    return { ok: true };
  }
  yield* event(refOf(claim), "Warning", "ProvisioningFailed", unsavedText(claim, saved.error));
  const attempts = repeatsAssetCleanup(binder.context.version) ? attemptCount : 1;
  yield* removeUnsaved(claim, draft, attempts, (volume) => removeAsset(binder, volume));
  return { ok: true };
}

function* removeAsset(binder: Binder, volume: PersistentVolume): Task<string | undefined> {
  const deleted = yield* deleteAsset(binder, volume);
  return deleted.ok ? undefined : deleted.error;
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
