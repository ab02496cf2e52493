/**
 * Messages of snapshot-controller and csi-snapshotter.
 * Upstream: external-snapshotter v8 pkg/common-controller, pkg/sidecar-controller.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const snapshotter = "snapshot-controller";
const failure = messagesOf(snapshotter);
const sidecar = messagesOf("csi-snapshotter");

export const snapshotMessages: readonly MessagePattern[] = [
  {
    id: "snapshot-content-failed",
    component: snapshotter,
    rule: "snapshot_controller.go syncUnreadySnapshot",
    reasons: ["SnapshotContentCreationFailed"],
    texts: ["Failed to create snapshot content with error {detail}"],
    outlook: "retried",
    cause: "The snapshot cannot be begun.",
    change: [],
  },
  failure({
    id: "snapshot-input-failed",
    rule: "snapshot_controller.go createSnapshotContent",
    texts: [
      'failed to get input parameters to create snapshot {snapshot}: "{detail}"',
      "failed to get input parameters to create snapshot {snapshot}: {detail}",
    ],
    cause: "What snapshot {snapshot} is to be taken of cannot be used.",
    change: [],
  }),
  failure({
    id: "snapshot-source-not-bound",
    rule: "snapshot_controller.go getVolumeFromVolumeSnapshot",
    texts: ["the PVC {claim} is not yet bound to a PV, will not attempt to take a snapshot"],
    cause: "Claim {claim} has no volume yet.",
    change: ["bind the claim first: its own events say what keeps it"],
  }),
  failure({
    id: "snapshot-source-missing",
    rule: "snapshot_controller.go getClaimFromVolumeSnapshot",
    texts: [
      "snapshot controller failed to update {snapshot} on API server: cannot get claim from snapshot",
      "failed to retrieve PVC {claim} from the lister: {why}",
      "the PVC name is not specified in snapshot {snapshot}",
    ],
    cause:
      "The claim that the snapshot is to be taken of is not named, or does not exist in its namespace.",
    change: ["correct spec.source.persistentVolumeClaimName"],
  }),
  failure({
    id: "snapshot-source-in-deletion",
    rule: "snapshot_controller.go ensurePVCFinalizer",
    texts: [
      "snapshot controller failed to update {claim} on API server: cannot add finalizer on claim because it is being deleted",
    ],
    cause: "Claim {claim} is being deleted, and no snapshot of it is begun any more.",
    change: ["take snapshots before the claim is deleted, or of another claim"],
  }),
  failure({
    id: "snapshot-content-of-other-origin",
    rule: "snapshot_controller.go getPreprovisionedContentFromStore, getDynamicallyProvisionedContentFromStore",
    texts: [
      "snapshot {snapshot} expects a {wanted} VolumeSnapshotContent {content} but gets a {found} one",
    ],
    cause: "Snapshot {snapshot} wants content {content} to be {wanted}, and it is {found}.",
    change: [
      "a snapshot with volumeSnapshotContentName takes a content with snapshotHandle, one of a claim a content that the controller makes: recreate the snapshot",
    ],
    outlook: "stuck",
  }),
  failure({
    id: "snapshot-not-written",
    rule: "snapshot_controller.go newControllerUpdateError",
    texts: [
      "snapshot controller failed to update {object} on API server: {detail}",
      "error get snapshot {object} from api server: {detail}",
    ],
    cause: "The snapshot controller could not write {object}; it tries again.",
    change: ["if it lasts: look at the controller's log and its role"],
  }),
  failure({
    id: "snapshot-without-class",
    rule: "snapshot_controller.go getCreateSnapshotInput, getCSISnapshotInput",
    texts: ["failed to take snapshot {snapshot} without a snapshot class"],
    cause: "Snapshot {snapshot} has no class to say how it is taken.",
    change: ["name a class in spec.volumeSnapshotClassName"],
  }),
  failure({
    id: "snapshot-of-non-csi-volume",
    rule: "snapshot_controller.go",
    texts: [
      "cannot find CSI PersistentVolumeSource for volume {volume}",
      "snapshotting non-CSI volumes is not supported, snapshot:{snapshot}",
    ],
    cause: "Only volumes of CSI drivers can be snapshotted.",
    change: ["use a claim of a CSI driver's class"],
    outlook: "stuck",
  }),
  {
    id: "snapshot-class-failed",
    component: snapshotter,
    rule: "snapshot_controller.go SetDefaultSnapshotClass, GetSnapshotClass",
    reasons: ["SetDefaultSnapshotClassFailed", "GetSnapshotClassFailed"],
    texts: [
      "Failed to set default snapshot class with error {detail}",
      "Failed to get snapshot class with error {detail}",
    ],
    outlook: "retried",
    cause: "The snapshot's class cannot be determined.",
    change: [],
  },
  failure({
    id: "no-default-snapshot-class",
    rule: "snapshot_controller.go SetDefaultSnapshotClass",
    texts: ["cannot find default snapshot class"],
    cause:
      "The snapshot names no class, and no VolumeSnapshotClass of the volume's driver is the default.",
    change: [
      "name a class in spec.volumeSnapshotClassName",
      'mark a VolumeSnapshotClass with snapshot.storage.kubernetes.io/is-default-class: "true"',
    ],
    field: "spec.volumeSnapshotClassName",
  }),
  failure({
    id: "many-default-snapshot-classes",
    rule: "snapshot_controller.go SetDefaultSnapshotClass",
    texts: ["{count} default snapshot classes were found"],
    cause: "{count} VolumeSnapshotClasses of the driver are marked as the default; none is taken.",
    change: ["leave the mark at one of them"],
    field: "spec.volumeSnapshotClassName",
  }),
  failure({
    id: "snapshot-class-not-found",
    rule: "snapshot_controller.go getSnapshotClass",
    texts: [
      'volumesnapshotclass.snapshot.storage.k8s.io "{snapshotClass}" not found',
      "failed to get snapshot class {snapshotClass} for snapshot content {content}: {why}",
    ],
    cause: "VolumeSnapshotClass {snapshotClass} does not exist.",
    change: ["make VolumeSnapshotClass {snapshotClass}, or correct the name"],
    field: "spec.volumeSnapshotClassName",
  }),
  {
    id: "snapshot-content-not-created",
    component: snapshotter,
    rule: "snapshot_controller.go createSnapshotContent",
    reasons: ["CreateSnapshotContentFailed"],
    texts: [
      "Error creating volume snapshot content object for snapshot {snapshot}: {detail}.",
      "Error creating volume snapshot content object for snapshot {snapshot}: {detail}",
    ],
    outlook: "retried",
    cause:
      "The API server did not take the VolumeSnapshotContent that the controller makes for snapshot {snapshot}.",
    change: ["read its answer; look at the snapshot CRDs and their webhook"],
  },
  {
    id: "snapshot-finalizer-not-written",
    component: snapshotter,
    rule: "snapshot_controller.go checkandAddSnapshotFinalizers, checkandRemovePVCFinalizer",
    reasons: ["SnapshotFinalizerError", "ErrorPVCFinalizer"],
    texts: [
      "Failed to check and update snapshot: {detail}",
      "Error check and remove PVC Finalizer for VolumeSnapshot",
    ],
    outlook: "retried",
    cause: "The finalizers of the snapshot, or of its claim, could not be written.",
    change: ["look at the snapshot controller's log and its role, if it lasts"],
  },
  {
    id: "snapshot-content-wrong",
    component: snapshotter,
    rule: "snapshot_controller.go syncReadySnapshot, checkandBindSnapshotContent",
    reasons: [
      "SnapshotContentMissing",
      "SnapshotContentMisbound",
      "SnapshotContentMismatch",
      "SnapshotHandleSet",
      "SnapshotMisbound",
    ],
    texts: [
      "VolumeSnapshotContent is missing",
      "VolumeSnapshotContent [{content}] is bound to a different snapshot",
      "VolumeSnapshotContent is not bound to the VolumeSnapshot correctly",
      "VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one",
      "VolumeSnapshotContent {content} is pre-provisioned while expecting a dynamically provisioned one",
      "Snapshot handle should not be set in content {content} for dynamic provisioning",
    ],
    outlook: "stuck",
    cause:
      "Snapshot and content do not point at each other: volumeSnapshotContentName on one side, volumeSnapshotRef on the other.",
    change: [
      "correct the two names; content and snapshot are recreated, for both fields are fixed",
    ],
  },
  {
    id: "snapshot-status-failed",
    component: snapshotter,
    rule: "snapshot_controller.go bindandUpdateVolumeSnapshot, syncUnreadySnapshot",
    reasons: ["SnapshotBindFailed", "SnapshotStatusUpdateFailed"],
    texts: [
      "Snapshot failed to bind VolumeSnapshotContent, {detail}",
      "Snapshot status update failed, {detail}",
    ],
    outlook: "retried",
    cause: "What is known of the snapshot could not be written to it or to its content.",
    change: [],
  },
  {
    id: "snapshot-used",
    component: snapshotter,
    rule: "snapshot_controller.go checkandRemoveSnapshotFinalizersAndCheckandDeleteContent",
    reasons: ["SnapshotDeletePending"],
    texts: [
      "Snapshot is being used to restore a PVC",
      "deletion of the individual volume snapshot {member} is not allowed as it belongs to group snapshot {group}. {why}",
    ],
    outlook: "waits",
    cause:
      "A claim that restores from the snapshot is still Pending, or a group holds the snapshot; it is deleted afterwards.",
    change: ["let the claim be bound, or delete it", "delete the group snapshot"],
  },
  {
    id: "snapshot-driver-failed",
    component: "csi-snapshotter",
    rule: "sidecar-controller/snapshot_controller.go createSnapshot",
    reasons: ["SnapshotCreationFailed", "SnapshotContentCheckandUpdateFailed"],
    texts: [
      "Failed to create snapshot: {detail}",
      "Failed to check and update snapshot content: {detail}",
    ],
    outlook: "retried",
    cause: "The snapshot was not taken, or that could not be written down; why, stands behind.",
    change: [],
  },
  sidecar({
    id: "snapshot-mark-not-written",
    rule: "sidecar-controller/snapshot_controller.go setAnnVolumeSnapshotBeingCreated, createSnapshotWrapper",
    texts: ["add", "remove"].map(
      (verb) =>
        `failed to ${verb} VolumeSnapshotBeingCreated annotation on the content {content}: "{detail}"`,
    ),
    cause:
      "Content {content} carries a mark while the driver works on its snapshot, and the mark could not be written.",
    change: [],
  }),
  sidecar({
    id: "snapshot-call-failed",
    rule: "sidecar-controller/csi_handler.go CreateSnapshot",
    texts: [
      'failed to take snapshot of the volume {handle}: "{detail}"',
      "failed to take snapshot of the volume {handle}: {detail}",
      'failed to take snapshot of the volume, {handle}: "{detail}"',
      "failed to take snapshot of the volume, {handle}: {detail}",
    ],
    cause: "The driver's CreateSnapshot failed.",
    change: [],
  }),
  sidecar({
    id: "snapshot-list-failed",
    rule: "sidecar-controller/snapshot_controller.go checkandUpdateContentStatusOperation",
    texts: [
      'failed to list snapshot for content {content}: "{detail}"',
      "failed to list snapshot for content {content}: {detail}",
    ],
    cause: "The driver does not tell what it knows of the snapshot that content {content} names.",
    change: [],
  }),
  sidecar({
    id: "snapshot-not-listed",
    rule: "pkg/snapshotter/snapshotter.go GetSnapshotStatus",
    texts: ["can not find snapshot for snapshotID {handle}"],
    cause: "The driver knows no snapshot {handle}.",
    change: [
      "correct spec.source.snapshotHandle; content and snapshot are recreated, for the field is fixed",
    ],
  }),
  {
    id: "snapshot-delete-failed",
    component: "csi-snapshotter",
    rule: "sidecar-controller/snapshot_controller.go deleteCSISnapshotOperation",
    reasons: ["SnapshotDeleteError", "SnapshotContentObjectDeleteError"],
    texts: [
      "Failed to delete snapshot",
      "Failed to get snapshot credentials",
      "Failed to clear content status",
      "Failed to delete snapshot content API object",
    ],
    outlook: "retried",
    cause: "The driver does not delete the snapshot: it is in use, or a secret is missing.",
    change: ["look at the csi-snapshotter's log"],
  },
  {
    id: "snapshot-progress",
    component: snapshotter,
    rule: "snapshot_controller.go",
    reasons: ["CreatingSnapshot", "SnapshotCreated", "SnapshotReady"],
    texts: [
      "Waiting for a snapshot {snapshot} to be created by the CSI driver.",
      "Snapshot {snapshot} was successfully created by the CSI driver.",
      "Snapshot {snapshot} is ready to use.",
    ],
    outlook: "done",
    cause: "The snapshot is on its way: taken first, ready to restore from afterwards.",
    change: [],
  },
  {
    id: "group-snapshot",
    component: snapshotter,
    rule: "groupsnapshot_controller_helper.go",
    reasons: [
      "CreatingGroupSnapshot",
      "GroupSnapshotCreated",
      "GroupSnapshotReady",
      "GroupSnapshotContentCreationFailed",
      "GroupSnapshotContentMissing",
      "GroupSnapshotContentMisbound",
      "GroupSnapshotCreationFailed",
      "GroupSnapshotDeletePending",
      "GetGroupSnapshotClassFailed",
      "SetDefaultGroupSnapshotClassFailed",
    ],
    texts: ["{detail}"],
    outlook: "retried",
    cause:
      "An event of a VolumeGroupSnapshot, which is not simulated here; its snapshots one by one are.",
    change: ["read the message: the snapshot controller names the claim or the class"],
  },
  {
    id: "snapshot-invalid",
    component: snapshotter,
    rule: "snapshot_controller.go validation",
    reasons: ["SnapshotValidationError", "ContentValidationError"],
    texts: [
      "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified",
      "Exactly one of VolumeHandle and SnapshotHandle should be specified",
    ],
    outlook: "stuck",
    cause: "A snapshot has one source: a claim, or a content that exists.",
    change: ["recreate it with one of the two fields"],
  },
];
