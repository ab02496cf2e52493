/** Fields in manifests that components of the cluster write: copied with `kubectl get -o yaml`, or written by hand. */
import { annotation, finalizer } from "../../../engine/matching/annotations.ts";
import { fieldsAt, listAt } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/** Without `provisioned-by`, which tells which driver deletes a manually created volume. */
const controllerAnnotations: ReadonlySet<string> = new Set([
  annotation.boundByController,
  annotation.selectedNode,
  annotation.storageProvisioner,
  annotation.betaStorageProvisioner,
  annotation.storageResizer,
  annotation.migratedTo,
  annotation.preResizeCapacity,
]);

export const controllerAnnotation: DocumentRule = objectRule(
  "controller-annotation",
  "warning",
  { kinds: ["PersistentVolumeClaim", "PersistentVolume"] },
  function* ({ value }) {
    for (const key of Object.keys(fieldsAt(value, "metadata", "annotations"))) {
      if (!isOfController(key, value)) continue;
      const path = ["metadata", "annotations", key];
      const fix = { title: "Remove the annotation", path, value: null };
      yield {
        path,
        message: "Written by controllers; copying it confuses binding",
        atKey: true,
        fix,
      };
    }
  },
);

/** bind-completed without volumeName makes the claim Lost, which pvc-bind-completed reports. */
function isOfController(key: string, value: Readonly<Record<string, unknown>>): boolean {
  if (key === annotation.bindCompleted) return (fieldsAt(value, "spec")["volumeName"] ?? "") !== "";
  return controllerAnnotations.has(key);
}

const protectionFinalizers: ReadonlySet<unknown> = new Set([
  finalizer.claimProtection,
  finalizer.volumeProtection,
  finalizer.attributesClassProtection,
  finalizer.volumeController,
  finalizer.externalProvisioner,
  finalizer.cloningProtection,
  "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
  "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
  "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
  "snapshot.storage.kubernetes.io/pvc-as-source-protection",
]);

export const handSetFinalizer: DocumentRule = objectRule(
  "hand-set-finalizer",
  "warning",
  {},
  function* ({ value }) {
    const place = ["metadata", "finalizers"];
    for (const [index, name] of listAt(value, ...place).entries()) {
      if (!protectionFinalizers.has(name)) continue;
      const message =
        "Components add and remove this themselves; in a manifest it protects nothing, and may keep the object from being deleted";
      const path = [...place, index];
      const fix = { title: "Remove it", path, value: null };
      yield { path, message, fix };
    }
  },
);

export const statusInManifest: DocumentRule = objectRule(
  "status-in-manifest",
  "hint",
  {
    kinds: [
      "PersistentVolume",
      "PersistentVolumeClaim",
      "Pod",
      "StatefulSet",
      "VolumeSnapshot",
      "VolumeSnapshotContent",
    ],
  },
  function* ({ value }) {
    if (Object.keys(fieldsAt(value, "status")).length === 0) return;
    const fix = { title: "Remove status", path: ["status"], value: null };
    yield {
      path: ["status"],
      message: "The API server drops the status of what it creates",
      atKey: true,
      fix,
    };
  },
);

export const volumeattachmentByHand: DocumentRule = objectRule(
  "volumeattachment-by-hand",
  "warning",
  { kinds: ["VolumeAttachment", "CSINode", "CSIStorageCapacity"] },
  function* ({ kind }) {
    yield { path: ["kind"], message: `A ${kind} is normally created by components, not by hand` };
  },
);
