/**
 * What kubectl shows for an object in deletion, or for a claim or volume without its counterpart, when there is no event (any
 * more): the head of a description, or a row of a table. Upstream: kubectl v1.36 pkg/describe describePersistentVolumeClaim,
 * describePersistentVolume, describePod.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const claims = messagesOf("pvc-protection-controller", "pvc_protection_controller.go ");
const volumes = messagesOf("pv-protection-controller", "pv_protection_controller.go ");
const binder = messagesOf("persistentvolume-binder", "pv_controller.go ");

const finalizersOfClaims =
  "kubernetes.io/pvc-protection stays while a pod that has a node names the claim, snapshot.storage.kubernetes.io/pvc-as-source-protection while a snapshot is taken of it, provisioner.storage.kubernetes.io/cloning-protection while it is cloned; others are taken away by who has set them.";

const states: readonly MessagePattern[] = [
  claims({
    id: "claim-terminating",
    rule: "processPVC",
    texts: ["Status: Terminating; Finalizers: [{finalizers}]; Used By: <none>"],
    cause: `The claim has been deleted and no pod names it any more; finalizers keep it: {finalizers}. ${finalizersOfClaims}`,
    change: [
      "look for a snapshot or a clone of it that is not ready, and for the controller that has set the finalizer",
    ],
    outlook: "waits",
  }),
  claims({
    id: "claim-terminating-in-use",
    rule: "podUsesPVC",
    texts: ["Status: Terminating; Finalizers: [{finalizers}]; Used By: {pods}"],
    cause:
      "The claim has been deleted, which cannot be taken back; it stays as long as a pod that has a node names it, also one that has ended (Completed): {pods}. New pods do not start with it.",
    change: [
      "to keep the data: first set persistentVolumeReclaimPolicy of its volume to Retain",
      "delete these pods (not the finalizer); then recreate the claim, for which workloads' new pods wait",
    ],
    outlook: "waits",
  }),
  claims({
    id: "claim-terminating-shortly",
    rule: "processPVC",
    texts: ["persistentvolumeclaim Terminating"],
    cause: `The claim has been deleted, which cannot be taken back; finalizers keep it. ${finalizersOfClaims}`,
    change: [
      "to keep the data: first set persistentVolumeReclaimPolicy of its volume to Retain",
      "delete the pods that kubectl describe pvc names under Used By, also those that have ended (not the finalizer)",
    ],
    outlook: "waits",
  }),
  volumes({
    id: "volume-terminating",
    rule: "processPV",
    texts: [
      "Status: Terminating; Finalizers: [{finalizers}]; Claim: {boundClaim}; Reclaim Policy: {policy}",
      "persistentvolume Terminating",
    ],
    cause:
      "The volume has been deleted, which cannot be taken back; finalizers keep it. kubernetes.io/pv-protection stays while a claim is bound to it, external-attacher/… until it is detached from every node, external-provisioner.volume.kubernetes.io/finalizer until its driver has deleted the storage; the driver has to run for both.",
    change: [
      "to keep the data: first set persistentVolumeReclaimPolicy to Retain",
      "delete its claim too; a claim that must stay needs another volume",
      "look for its VolumeAttachment, and whether the driver's controller runs",
      "only where the driver is gone for good: take its finalizer away by hand",
    ],
    outlook: "waits",
  }),
  binder({
    id: "volume-released",
    rule: "reclaimVolume",
    texts: [
      "Status: Released; Claim: {claim}; Reclaim Policy: Retain",
      "persistentvolume Released",
    ],
    cause:
      "The volume's claim is gone. With reclaim policy Retain its data stays, and no claim gets the volume as long as spec.claimRef holds the old claim's uid, not one of the same name either.",
    change: [
      "remove spec.claimRef.uid to keep it for a claim of the same name",
      "remove spec.claimRef to offer it, with its data, to any claim",
    ],
    outlook: "stuck",
    field: "spec.claimRef",
  }),
  binder({
    id: "volume-released-to-delete",
    rule: "reclaimVolume",
    texts: ["Status: Released; Claim: {claim}; Reclaim Policy: Delete"],
    cause:
      "The volume's claim is gone, and whoever made the storage has to delete it; that is still to happen, or fails.",
    change: [
      "look at its events (VolumeFailedDelete), and whether the driver's controller runs",
      "nothing deletes storage that was created manually: delete the volume, or set its reclaim policy to Retain",
    ],
  }),
  messagesOf("kubelet")({
    id: "pod-terminating",
    rule: "pod_workers.go SyncTerminatingPod",
    texts: ["Status: Terminating; Node: {node}", "pod Terminating"],
    cause:
      "The pod has been told to go. The kubelet of its node ends it and unmounts its volumes; where that node does not answer the pod stays, its ReadWriteOnce volumes stay attached, and a StatefulSet makes no other.",
    change: [
      "look whether the node is Ready; if it is certain to be off: taint it node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
      "if the node is Ready: look at the pod's finalizers, and at the kubelet's log for what does not stop or unmount",
    ],
    outlook: "waits",
  }),
];

/** States that say that an object is not as it should be, but not why. */
const outlines: readonly MessagePattern[] = [
  binder({
    id: "claim-pending",
    rule: "syncUnboundClaim",
    texts: ["persistentvolumeclaim Pending"],
    cause:
      "The claim has no volume yet. Its state does not say why; its events do, which are kept for an hour.",
    change: [
      "look at its events: kubectl describe pvc with its name, for of several at once kubectl shows none",
    ],
    outlook: "waits",
  }),
  binder({
    id: "volume-reserved",
    rule: "syncVolume",
    texts: ["persistentvolume reserved"],
    cause:
      "The volume's claimRef names a claim, and the two are not bound: the claim is not there, has another volume, or does not fit. No other claim gets the volume.",
    change: [
      "compare its claimRef with the claim: namespace, name, uid, class, size, access modes",
      "remove spec.claimRef to offer it to any claim",
    ],
    outlook: "waits",
    field: "spec.claimRef",
  }),
  binder({
    id: "volume-failed",
    rule: "deleteVolume",
    texts: ["persistentvolume Failed"],
    cause:
      "The volume's claim is gone, and its storage could not be deleted or emptied. Its events say why (VolumeFailedDelete, VolumeFailedRecycle).",
    change: ["look at its events: kubectl describe pv with its name"],
  }),
  messagesOf("kube-scheduler")({
    id: "pod-pending",
    rule: "pkg/scheduler/schedule_one.go",
    texts: ["pod Pending"],
    cause:
      "The pod has no node yet, or its kubelet has not begun with it. Its condition PodScheduled and its events say why.",
    change: ["look at its events: kubectl describe pod with its name"],
    outlook: "waits",
  }),
  messagesOf("kubelet")({
    id: "pod-starting",
    rule: "kubelet.go SyncPod",
    texts: ["pod ContainerCreating", "pod PodInitializing", "pod Init:{done}/{total}"],
    cause:
      "The pod has a node and does not run yet: volumes are attached and mounted first, then images are pulled, then init containers run to their end one after the other.",
    change: [
      "look at its events: kubectl describe pod with its name",
      "where there are none for minutes: look at its VolumeAttachment, and at its init containers' logs",
    ],
    outlook: "waits",
  }),
  messagesOf("kubelet")({
    id: "pod-restarting",
    rule: "kuberuntime/kuberuntime_manager.go doBackOff",
    texts: ["pod CrashLoopBackOff", "pod Init:CrashLoopBackOff", "pod Error", "pod Init:Error"],
    cause:
      "A container ends soon after each start, or has failed; its own log says why. Permissions on a volume are a common reason.",
    change: [
      "kubectl logs --previous; compare the container's user with fsGroup and the volume's owner",
    ],
  }),
  messagesOf("kubelet")({
    id: "pod-container-not-made",
    rule: "kuberuntime/kuberuntime_container.go startContainer",
    texts: [
      "pod CreateContainerConfigError",
      "pod CreateContainerError",
      "pod Init:CreateContainerConfigError",
      "pod Init:CreateContainerError",
    ],
    cause:
      "A container cannot be made: a ConfigMap, a Secret or a key of them is missing, its user may not be root, or a subPath cannot be made. Its events say which (Failed).",
    change: ["look at its events: kubectl describe pod with its name"],
  }),
  messagesOf("csi-snapshotter")({
    id: "snapshot-not-ready",
    rule: "snapshot_controller.go",
    texts: ["volumesnapshot not ready"],
    cause:
      "The snapshot is not taken yet, or could not be. Its status.error and its events say why.",
    change: ["look at its status and events: kubectl describe volumesnapshot with its name"],
    outlook: "waits",
  }),
  messagesOf("external-attacher")({
    id: "attachment-not-attached",
    rule: "csi_handler.go syncAttach",
    texts: ["volumeattachment not attached"],
    cause:
      "The driver has not said that the volume is attached. Where status.attachError says nothing either, its external-attacher does not run.",
    change: ["look whether the driver's controller, with its external-attacher, runs"],
    outlook: "waits",
  }),
  ...["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"].map((kind) =>
    messagesOf(`${kind.toLowerCase()}-controller`)({
      id: `${kind.toLowerCase()}-not-ready`,
      rule: "syncStatus",
      texts: [`${kind.toLowerCase()} {ready} ready`],
      cause: `Not all pods of the ${kind} are ready: {ready}. Their own states and events say why.`,
      change: [
        "look at its pods: kubectl get pods, and kubectl describe pod of one that is not ready",
      ],
      outlook: "waits",
    }),
  ),
];

export const stateMessages: readonly MessagePattern[] = [
  ...states,
  ...outlines.map((pattern): MessagePattern => ({ ...pattern, isOutline: true })),
].map((pattern) => ({ ...pattern, isShown: true }));
