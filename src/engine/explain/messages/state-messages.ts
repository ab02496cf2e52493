/**
 * What kubectl shows of an object that is going or that has lost its other half, for which there is no event, or none any more:
 * the head of a description, or a row of a table. Upstream: kubectl v1.36 pkg/describe describePersistentVolumeClaim,
 * describePersistentVolume, describePod.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const claims = partsOf("pvc-protection-controller", "pvc_protection_controller.go ");
const volumes = partsOf("pv-protection-controller", "pv_protection_controller.go ");
const binder = partsOf("persistentvolume-binder", "pv_controller.go ");

const finalizersOfClaims =
  "kubernetes.io/pvc-protection stays while a pod that has a node names the claim, snapshot.storage.kubernetes.io/pvc-as-source-protection while a snapshot is taken of it, provisioner.storage.kubernetes.io/cloning-protection while it is cloned; others are taken away by who has set them.";

const states: readonly MessagePattern[] = [
  claims(
    "claim-terminating",
    "processPVC",
    ["Status: Terminating; Finalizers: [{finalizers}]; Used By: <none>"],
    `The claim has been deleted and no pod names it any more; finalizers keep it: {finalizers}. ${finalizersOfClaims}`,
    [
      "look for a snapshot or a clone of it that is not ready, and for the controller that has set the finalizer",
    ],
    "waits",
  ),
  claims(
    "claim-terminating-in-use",
    "podUsesPVC",
    ["Status: Terminating; Finalizers: [{finalizers}]; Used By: {pods}"],
    "The claim has been deleted, which cannot be taken back; it stays as long as a pod that has a node names it, also one that has ended (Completed): {pods}. New pods do not start with it.",
    [
      "to keep the data: first set persistentVolumeReclaimPolicy of its volume to Retain",
      "delete these pods (not the finalizer); then make the claim anew, for which workloads' new pods wait",
    ],
    "waits",
  ),
  claims(
    "claim-terminating-shortly",
    "processPVC",
    ["persistentvolumeclaim Terminating"],
    `The claim has been deleted, which cannot be taken back; finalizers keep it. ${finalizersOfClaims}`,
    [
      "to keep the data: first set persistentVolumeReclaimPolicy of its volume to Retain",
      "delete the pods that kubectl describe pvc names under Used By, also those that have ended (not the finalizer)",
    ],
    "waits",
  ),
  volumes(
    "volume-terminating",
    "processPV",
    [
      "Status: Terminating; Finalizers: [{finalizers}]; Claim: {boundClaim}; Reclaim Policy: {policy}",
      "persistentvolume Terminating",
    ],
    "The volume has been deleted, which cannot be taken back; finalizers keep it. kubernetes.io/pv-protection stays while a claim is bound to it, external-attacher/… until it is detached from every node, external-provisioner.volume.kubernetes.io/finalizer until its driver has deleted the storage; the driver has to run for both.",
    [
      "to keep the data: first set persistentVolumeReclaimPolicy to Retain",
      "delete its claim too; a claim that has to stay needs another volume",
      "look for its VolumeAttachment, and whether the driver's controller runs",
      "only where the driver is gone for good: take its finalizer away by hand",
    ],
    "waits",
  ),
  binder(
    "volume-released",
    "reclaimVolume",
    ["Status: Released; Claim: {claim}; Reclaim Policy: Retain", "persistentvolume Released"],
    "The volume's claim is gone. With reclaim policy Retain its data stays, and no claim gets the volume as long as spec.claimRef holds the old claim's uid, not one of the same name either.",
    [
      "remove spec.claimRef.uid to keep it for a claim of the same name",
      "remove spec.claimRef to offer it to any claim",
    ],
    "stuck",
    "spec.claimRef",
  ),
  binder(
    "volume-released-to-delete",
    "reclaimVolume",
    ["Status: Released; Claim: {claim}; Reclaim Policy: Delete"],
    "The volume's claim is gone, and whoever made the storage has to delete it; that is still to happen, or fails.",
    [
      "look at its events (VolumeFailedDelete), and whether the driver's controller runs",
      "storage that was made by hand nobody deletes: delete the volume, or set its reclaim policy to Retain",
    ],
  ),
  partsOf("kubelet")(
    "pod-terminating",
    "pod_workers.go SyncTerminatingPod",
    ["Status: Terminating; Node: {node}", "pod Terminating"],
    "The pod has been told to go. The kubelet of its node ends it and unmounts its volumes; where that node does not answer the pod stays, its ReadWriteOnce volumes stay attached, and a StatefulSet makes no other.",
    [
      "look whether the node is Ready; if it is certain to be off: taint it node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
      "if the node is Ready: look at the pod's finalizers, and at the kubelet's log for what does not stop or unmount",
    ],
    "waits",
  ),
];

export const stateMessages: readonly MessagePattern[] = states.map((pattern) => ({
  ...pattern,
  isShown: true,
}));
