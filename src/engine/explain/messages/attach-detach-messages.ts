/**
 * Messages of the attach-detach controller and of the drivers' attachers. Upstream: pkg/controller/volume/attachdetach v1.36,
 * pkg/volume/util/operationexecutor, external-attacher v4.
 */
import type { MessagePattern } from "./message-pattern.ts";

const attachDetach = "attachdetach-controller";
const attacher = "external-attacher";
const executor = "operation_generator.go";

export const attachMessages: readonly MessagePattern[] = [
  {
    id: "multi-attach",
    component: attachDetach,
    rule: "attachdetach/reconciler/reconciler.go reportMultiAttachError",
    reasons: ["FailedAttachVolume"],
    texts: [
      'Multi-Attach error for volume "{volume}" Volume is already exclusively attached to one node and can\'t be attached to another',
      'Multi-Attach error for volume "{volume}" Volume is already used by pod(s) {pods}',
      'Multi-Attach error for volume "{volume}" Volume is already used by {pods}',
      'Multi-Attach error for volume "{volume}" Volume is already exclusively attached to {where}',
      'Multi-Attach error for volume"{volume}" Volume is already {how}',
      // From 1.37, and patch releases of 2026-09 on (kubernetes/kubernetes#138837).
      'Waiting for detach for volume "{volume}" Volume is already exclusively attached to one node, waiting on detach before it can be attached to another node',
      'Waiting for detach for volume "{volume}" Volume is already used by pod(s) {pods}',
      'Waiting for detach for volume "{volume}" Volume is already used by {pods}',
    ],
    outlook: "retried",
    cause:
      "Volume {volume} is ReadWriteOnce and attached to another node. It moves when no pod uses it there. Where that node has failed, a pod that is only Terminating keeps it: it moves 6 minutes after the pod was deleted by force, or at once when the node is tainted out-of-service.",
    change: [
      "let the old pod go first: strategy Recreate, maxSurge 0, or a StatefulSet",
      "if the other node is certain to be off: taint it node.kubernetes.io/out-of-service=nodeshutdown:NoExecute (while it runs, two nodes would write to the disk)",
      "have both pods on one node (podAffinity), or use ReadWriteMany if the driver supports it",
    ],
  },
  {
    id: "attach-failed",
    component: attachDetach,
    rule: `${executor} GenerateAttachVolumeFunc`,
    reasons: ["FailedAttachVolume"],
    texts: [
      'AttachVolume.Attach failed for volume "{volume}" : {detail}',
      'AttachVolume.Attach failed for volume "{volume}": {detail}',
      'AttachVolume.Attach failed for volume "{volume}" {detail}',
      'AttachVolume.FindAttachablePluginBySpec failed for volume "{volume}" {detail}',
      'AttachVolume.FindAttachablePluginBySpec failed for volume "{volume}"',
      'AttachVolume.NewAttacher failed for volume "{volume}" : {detail}',
      'Failed to attach volume "{volume}" on node "{nodeName}" with: {detail}',
    ],
    outlook: "retried",
    cause: "Volume {volume} could not be attached to the pod's node.",
    change: [],
  },
  {
    id: "attached-unknown",
    component: attachDetach,
    rule: `${executor} GenerateAttachVolumeFunc MarkVolumeAsAttached, until v1.35`,
    reasons: ["FailedAttachVolume"],
    texts: [
      'AttachVolume.MarkVolumeAsAttached failed for volume "{volume}" : failed to get AttachablePlugin from volumeSpec for volume "{name}" err=plugin do not support attachment',
    ],
    outlook: "retried",
    cause:
      "Volume {volume} was attached while its driver's CSIDriver began to say that it needs no attach. The pod goes on, but the VolumeAttachment stays.",
    change: ["delete the VolumeAttachment"],
  },
  {
    id: "attacher-silent",
    component: attachDetach,
    rule: "pkg/volume/csi/csi_attacher.go waitForVolumeAttachment",
    texts: [
      "timed out waiting for external-attacher of {driver} CSI driver to attach volume {handle}",
      "timed out waiting for external-attacher of unknown CSI driver to detach volume {handle}",
      "Attach timeout for volume {handle}",
      "attachdetachment timeout for volume {handle}",
      "attachment timeout for volume {handle}",
    ],
    outlook: "retried",
    cause:
      "Nobody has worked on the VolumeAttachment: the driver's external-attacher does not run, or may not.",
    change: [
      "install the driver's csi-attacher, or look at its log",
      "if the driver needs no attaching, set attachRequired: false in its CSIDriver",
    ],
  },
  {
    id: "attacher-failed",
    component: attacher,
    rule: "pkg/controller/csi_handler.go syncAttach, syncDetach",
    texts: ["failed to attach: {detail}", "failed to detach: {detail}"],
    outlook: "retried",
    cause: "The driver's attacher could not do what the VolumeAttachment asks for.",
    change: [],
  },
  {
    id: "driver-missing-on-csinode",
    component: attacher,
    rule: "pkg/controller/util.go GetNodeIDFromCSINode",
    texts: [
      "CSINode {node} does not contain driver {driver}",
      'cannot find NodeID for driver "{driver}" for node "{node}"',
    ],
    outlook: "retried",
    cause: "Driver {driver} has not registered on node {node}: its node plugin does not run there.",
    change: ["let the driver's DaemonSet run on {node}: tolerations, nodeSelector, kubelet path"],
  },
  {
    id: "no-driver-on-csinode",
    component: attacher,
    rule: "pkg/controller/csi_handler.go getNodeID",
    texts: [
      'node "{node}" has no NodeID annotation',
      'csinodes.storage.k8s.io "{node}" not found',
      'csinode.storage.k8s.io "{node}" not found',
      'nodes "{node}" not found',
      'node "{node}" not found',
    ],
    outlook: "retried",
    cause:
      "Node {node} is not known to have any driver: it has gone, or no driver's node plugin has registered there.",
    change: ["let the driver's DaemonSet run on the node", "if the node has gone, delete its pods"],
  },
  {
    id: "volume-marked-for-deletion",
    component: attacher,
    rule: "pkg/controller/csi_handler.go csiAttach",
    texts: ['PersistentVolume "{volume}" is marked for deletion'],
    outlook: "stuck",
    cause:
      "Volume {volume} is being deleted, and is attached no more. Its VolumeAttachment and finalizer stay until the pod that wants it is gone.",
    change: ["delete the pod, and recreate the claim"],
  },
  {
    id: "not-attached-any-more",
    component: attachDetach,
    rule: `${executor} GenerateDetachVolumeFunc`,
    reasons: ["FailedDetachVolume"],
    texts: ['DetachVolume.Detach failed for volume "{volume}" : {detail}'],
    outlook: "retried",
    cause: "Volume {volume} could not be detached; until it is, no other node gets it.",
    change: ["look at the driver's controller log, and at the VolumeAttachment's detachError"],
  },
  {
    id: "mixed-access-modes",
    component: attacher,
    rule: "pkg/controller/util.go GetVolumeCapabilities",
    texts: ["CSI does not support ReadOnlyMany and ReadWriteOnce on the same PersistentVolume"],
    outlook: "stuck",
    cause:
      "The volume offers ReadOnlyMany beside ReadWriteOnce, which a CSI driver cannot be asked for.",
    change: ["recreate the volume with one of the two modes"],
  },
  {
    id: "attachment-being-deleted",
    component: attachDetach,
    rule: "pkg/volume/csi/csi_attacher.go verifyAttachmentStatus",
    texts: ["volume attachment is being deleted"],
    outlook: "retried",
    cause: "The same volume is just being detached from the node.",
    change: [],
  },
  {
    id: "attached",
    component: attachDetach,
    rule: `${executor} GenerateAttachVolumeFunc`,
    reasons: ["SuccessfulAttachVolume"],
    texts: ['AttachVolume.Attach succeeded for volume "{volume}"'],
    outlook: "done",
    cause: "Volume {volume} is attached to the pod's node.",
    change: [],
  },
];
