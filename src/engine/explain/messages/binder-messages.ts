/**
 * Messages of the persistent volume controller. Upstream: pkg/controller/volume/persistentvolume v1.36 pv_controller.go,
 * index.go; errors of pkg/volume plugins that it passes on.
 */
import type { MessagePattern } from "./message-pattern.ts";

/** A change of its policy makes the binder look at a Failed volume again, but the phase changes only without a claimRef. */
const keepIt =
  "set persistentVolumeReclaimPolicy to Retain, then remove spec.claimRef if the volume may be used again";

const component = "persistentvolume-binder";
const file = "pv_controller.go";

/** A reason why a volume that a claim names is refused; all of them end the same event message. */
function mismatch({
  why,
  ...message
}: Pick<MessagePattern, "id" | "cause" | "change" | "field"> & {
  readonly why: string;
}): MessagePattern {
  return {
    component,
    rule: `${file} checkVolumeSatisfyClaim`,
    reasons: ["VolumeMismatch"],
    texts: [`Cannot bind to requested volume "{volume}": ${why}`],
    outlook: "stuck",
    ...message,
  };
}

export const binderMessages: readonly MessagePattern[] = [
  {
    id: "no-volume-and-no-class",
    component,
    rule: `${file} syncUnboundClaim`,
    reasons: ["FailedBinding"],
    texts: ["no persistent volumes available for this claim and no storage class is set"],
    outlook: "stuck",
    cause:
      'No volume fits the claim, and none is provisioned: the claim has class "", or it names none and the cluster has no default class.',
    change: [
      "name a class in spec.storageClassName, or remove an empty one if the cluster has a default class",
      'mark a class with storageclass.kubernetes.io/is-default-class: "true"; pending claims then get it',
      "create a volume that fits: size, access modes, class, volume mode, labels",
    ],
  },
  {
    id: "waits-for-first-consumer",
    component,
    rule: `${file} syncUnboundClaim, volumeBindingMode WaitForFirstConsumer`,
    reasons: ["WaitForFirstConsumer"],
    texts: ["waiting for first consumer to be created before binding"],
    outlook: "waits",
    cause:
      "The class binds when a pod that uses the claim is placed on a node, and no such pod is there yet.",
    change: [
      "create a pod that mounts the claim; without spec.nodeName, which goes past the scheduler",
      "use a class with volumeBindingMode: Immediate",
    ],
  },
  {
    id: "waits-for-pod",
    component,
    rule: `${file} syncUnboundClaim, volumeBindingMode WaitForFirstConsumer`,
    reasons: ["WaitForPodScheduled"],
    texts: ["waiting for pod {pod} to be scheduled", "waiting for pods {pods} to be scheduled"],
    outlook: "waits",
    cause:
      "The claim is bound on the node that its pod gets, and the scheduler has found none for the pod.",
    change: ["read the pod's FailedScheduling event: the cause is there"],
  },
  {
    id: "in-tree-cloud-missing",
    component,
    rule: "pkg/volume/awsebs, gcepd Provision, up to 1.26",
    texts: [
      "Failed to get AWS Cloud Provider. GetCloudProvider returned {found} instead",
      "Failed to get GCE GCECloudProvider with error {found}",
    ],
    outlook: "retried",
    cause:
      "Kubernetes' own plugin of the class asks the cloud through kube-controller-manager, which runs without that cloud's provider.",
    change: [
      "use a class of the cloud's CSI driver",
      "start kube-controller-manager with --cloud-provider, where the cluster is in that cloud",
    ],
  },
  {
    id: "in-tree-access-modes",
    component,
    rule: "pkg/volume plugins' Provision, AccessModesContainedInAll",
    texts: ["invalid AccessModes {wanted}: only AccessModes {offered} are supported"],
    outlook: "stuck",
    cause: "The class's plugin makes volumes with {offered} only, and {wanted} is asked for.",
    change: ["ask for ReadWriteOnce", "use a class of a file storage driver for ReadWriteMany"],
    field: "spec.accessModes",
  },
  {
    id: "waits-for-provisioner",
    component,
    rule: `${file} provisionClaimOperationExternal`,
    reasons: ["ExternalProvisioning"],
    texts: [
      "Waiting for a volume to be created either by the external provisioner '{driver}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
      'waiting for a volume to be created, either by external provisioner "{driver}" or manually created by system administrator',
      'cannot find provisioner "{driver}", expecting that a volume for the claim is provisioned either manually or via external software',
    ],
    outlook: "waits",
    cause:
      "The volume is to be provisioned by {driver}. If no event of {driver} itself follows, nothing runs a provisioner of that name, and this goes on forever although it is a Normal event.",
    change: [
      "install the driver {driver}, or look at its provisioner's log",
      "correct the class's provisioner: names are compared letter by letter",
    ],
  },
  {
    id: "class-not-found",
    field: "spec.storageClassName",
    component,
    rule: `${file} provisionClaim`,
    reasons: ["ProvisioningFailed"],
    texts: [
      'storageclass.storage.k8s.io "{class}" not found',
      'storageclasses.storage.k8s.io "{class}" not found',
    ],
    outlook: "stuck",
    cause: "The claim names class {class}, which does not exist, and no volume of that class fits.",
    change: [
      "correct spec.storageClassName, which cannot be changed later: recreate the claim",
      "make a StorageClass {class}",
    ],
  },
  mismatch({
    id: "requested-volume-too-small",
    why: "requested PV is too small",
    cause: "The claim names volume {volume}, which is smaller than the claim asks for.",
    change: ["ask for no more than the volume has, or name a larger volume"],
    field: "spec.resources.requests.storage",
  }),
  mismatch({
    id: "requested-volume-other-class",
    why: "storageClassName does not match",
    cause:
      "The claim names volume {volume}, and the two have different classes. A claim without a class gets the default class when it is made.",
    change: ['give both the same storageClassName; "" on the claim where the volume has none'],
    field: "spec.storageClassName",
  }),
  mismatch({
    id: "requested-volume-other-attributes-class",
    why: "volumeAttributesClassName does not match",
    cause: "The claim names volume {volume}, and the two have different VolumeAttributesClasses.",
    change: ["give both the same volumeAttributesClassName"],
    field: "spec.volumeAttributesClassName",
  }),
  mismatch({
    id: "requested-volume-attributes-class-off",
    why: "volumeAttributesClassName is not supported when the feature-gate VolumeAttributesClass is disabled",
    cause:
      "The claim names volume {volume}, and one of the two has a VolumeAttributesClass, which this cluster does not know: it is on from Kubernetes 1.34.",
    change: ["remove volumeAttributesClassName, or make the volume without it"],
    field: "spec.volumeAttributesClassName",
  }),
  mismatch({
    id: "requested-volume-other-mode",
    why: "incompatible volumeMode",
    cause:
      "The claim names volume {volume}; one is Block, the other Filesystem. An absent volumeMode is Filesystem.",
    change: ["give both the same volumeMode"],
    field: "spec.volumeMode",
  }),
  mismatch({
    id: "requested-volume-other-access",
    why: "incompatible accessMode",
    cause:
      "The claim names volume {volume}, which does not offer every access mode that the claim asks for.",
    change: ["ask for modes that the volume has in spec.accessModes"],
    field: "spec.accessModes",
  }),
  mismatch({
    id: "requested-volume-deleted",
    why: 'the volume is marked for deletion "{deleted}"',
    cause: "The claim names volume {volume}, which is being deleted.",
    change: ["name another volume"],
    field: "spec.volumeName",
  }),
  {
    id: "requested-volume-other",
    component,
    rule: `before 1.10 ${file} syncUnboundClaim`,
    reasons: ["VolumeMismatch"],
    texts: ["Volume's size is smaller than requested or volume's class does not match with claim"],
    outlook: "stuck",
    cause:
      "The claim names its volume, which is smaller than the claim asks for or has another class. A claim without a class gets the default class when it is made.",
    change: [
      'give both the same storageClassName; "" on the claim where the volume has none',
      "ask for no more than the volume has",
    ],
  },
  {
    id: "reserved-claim-other-mode",
    component,
    rule: `${file} syncVolume`,
    reasons: ["VolumeMismatch"],
    texts: [
      'Cannot bind PersistentVolume "{volume}" to requested PersistentVolumeClaim due to incompatible volumeMode.',
      'Cannot bind PersistentVolume to requested PersistentVolumeClaim "{claim}" due to incompatible volumeMode.',
    ],
    outlook: "stuck",
    cause:
      "The volume is reserved for the claim by its claimRef; one is Block, the other Filesystem.",
    change: ["give both the same volumeMode"],
  },
  {
    id: "volume-of-other-claim",
    field: "spec.volumeName",
    component,
    rule: `${file} syncUnboundClaim`,
    reasons: ["FailedBinding"],
    texts: ['volume "{volume}" already bound to a different claim.'],
    outlook: "stuck",
    cause:
      "The claim names volume {volume}, whose claimRef points to another claim, or to an earlier claim of the same name: the uid in claimRef tells them apart.",
    change: [
      "name another volume, or none",
      "if the volume is Released and its data may be reused, remove spec.claimRef from it, or its uid alone where it names this claim",
    ],
  },
  {
    id: "claim-lost-volume",
    component,
    rule: `${file} syncBoundClaim`,
    reasons: ["ClaimLost"],
    texts: [
      "Bound claim has lost its PersistentVolume. Data on the volume is lost!",
      "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!",
      "persistentvolumeclaim Lost",
    ],
    outlook: "stuck",
    cause:
      "The claim was bound, and its volume object is gone or the claim's volumeName was removed. The storage itself may still be there.",
    change: [
      "if the storage is still there: recreate the volume object under the same name, without claimRef or with the claim's uid in it, and the claim is bound again",
      "delete the claim and recreate it",
    ],
  },
  {
    id: "claim-misbound",
    component,
    rule: `${file} syncBoundClaim`,
    reasons: ["ClaimMisbound"],
    texts: ["Two claims are bound to the same volume, this one is bound incorrectly"],
    outlook: "stuck",
    cause:
      "The volume's claimRef points to another claim: somebody wrote volumeName and annotations by hand.",
    change: ["delete this claim and recreate it without volumeName"],
  },
  {
    id: "plugin-cannot-restore",
    component,
    rule: `${file} provisionClaimOperation`,
    reasons: ["ProvisioningFailed"],
    texts: [
      'plugin "{plugin}" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource',
    ],
    outlook: "stuck",
    cause:
      "The claim has a dataSource, and its class's in-tree provisioner {plugin} cannot fill a volume.",
    change: ["use a class of a CSI driver"],
  },
  {
    id: "plugin-takes-no-mount-options",
    component,
    rule: `${file} provisionClaimOperation`,
    reasons: ["ProvisioningFailed"],
    texts: [
      'Mount options are not supported by the provisioner but StorageClass "{class}" has mount options {options}',
    ],
    outlook: "stuck",
    cause: "Class {class} has mountOptions {options}, which its provisioner does not take.",
    change: ["recreate the class without mountOptions"],
  },
  {
    id: "no-plugin-of-that-name",
    component,
    rule: "pkg/volume/plugins.go FindProvisionablePluginByName",
    reasons: ["ProvisioningFailed"],
    texts: ["no volume plugin matched name: {plugin}", "no volume plugin matched"],
    outlook: "stuck",
    cause:
      "No volume fits the claim, and Kubernetes has no plugin of the class's provisioner that could make one. kubernetes.io/no-provisioner never makes any; other in-tree plugins have been removed.",
    change: [
      "make a volume of the class that fits the claim",
      "use a class whose provisioner is a CSI driver",
    ],
  },
  {
    id: "in-tree-provisioning-failed",
    component,
    rule: `${file} provisionClaimOperation`,
    reasons: ["ProvisioningFailed"],
    texts: [
      'Failed to provision volume with StorageClass "{class}": {detail}',
      "Failed to create provisioner: {detail}",
      "Failed to get target node: {detail}",
      "Error saving claim: {detail}",
      "Error creating provisioned PV object for claim {claim}: {detail}. Deleting the volume.",
    ],
    outlook: "retried",
    cause: "The provisioner was asked for a volume, and failed.",
    change: ["look at the rest of the message, which is the provisioner's own"],
  },
  {
    id: "cleanup-failed",
    component,
    rule: `${file} provisionClaimOperation`,
    reasons: ["ProvisioningCleanupFailed"],
    texts: [
      "Error cleaning provisioned volume for claim {claim}: {detail}. Please delete manually.",
    ],
    outlook: "stuck",
    cause:
      "A volume was made for claim {claim}, could not be recorded, and could not be taken back: it costs money unseen.",
    change: ["delete the volume in the storage system"],
  },
  {
    id: "no-deleter",
    component,
    rule: `${file} doDeleteVolume`,
    reasons: ["VolumeFailedDelete", "VolumeDelete"],
    texts: [
      'error getting deleter volume plugin for volume "{volume}": {why}',
      'Error getting deleter volume plugin for volume "{volume}": {why}',
      'failed to create deleter for volume "{volume}": {why}',
      "host_path deleter only supports /tmp/.+ but received provided {why}",
      "no volume plugin matched name: {why}",
    ],
    outlook: "stuck",
    cause: "The volume has reclaim policy Delete, and nothing can delete storage of its type.",
    change: [keepIt, "delete the volume object and clean up the storage manually"],
  },
  {
    id: "no-recycler",
    component,
    rule: `${file} recycleVolumeOperation`,
    reasons: ["VolumeFailedRecycle"],
    texts: ["No recycler plugin found for the volume!"],
    outlook: "stuck",
    cause: "The volume has reclaim policy Recycle, and Kubernetes empties host paths and NFS only.",
    change: [keepIt, "delete the volume object and clean up the storage manually"],
  },
  {
    id: "recycling-waits",
    component,
    rule: `${file} recycleVolumeOperation`,
    reasons: ["VolumeFailedRecycle"],
    texts: ["Volume is used by pods: {pods}"],
    outlook: "retried",
    cause: "The volume is emptied once no unfinished pod names its claim: {pods}.",
    change: ["delete the pods that still use it"],
  },
  {
    id: "recycling-failed",
    component,
    rule: `${file} recycleVolumeOperation`,
    reasons: ["VolumeFailedRecycle"],
    texts: ["Recycle failed: {detail}"],
    outlook: "retried",
    cause: "The pod that empties the volume, in namespace default, did not succeed.",
    change: ["see what its recycler pod has against the storage", keepIt],
  },
  {
    id: "recycled",
    component,
    rule: `${file} recycleVolumeOperation`,
    reasons: ["VolumeRecycled", "RecyclerPod"],
    texts: ["Volume recycled", "Recycler pod: {detail}"],
    outlook: "waits",
    cause: "A pod empties the volume, which is Available to any claim afterwards.",
    change: [],
  },
  {
    id: "unknown-reclaim-policy",
    component,
    rule: `${file} reclaimVolume`,
    reasons: ["VolumeUnknownReclaimPolicy"],
    texts: ["Volume has unrecognized PersistentVolumeReclaimPolicy"],
    outlook: "stuck",
    cause: "The volume's reclaim policy is none that Kubernetes knows.",
    change: ["set it to Retain or Delete"],
  },
  {
    id: "provisioned-in-tree",
    component,
    rule: `${file} provisionClaimOperation`,
    reasons: ["ProvisioningSucceeded"],
    texts: ["Successfully provisioned volume {volume} using {plugin}"],
    outlook: "done",
    cause: "The volume {volume} was made for the claim.",
    change: [],
  },
  {
    id: "waits-for-resizer",
    component: "volume-expand",
    rule: "pkg/controller/volume/expand/expand_controller.go syncHandler",
    reasons: ["ExternalExpanding"],
    texts: [
      "waiting for an external controller to expand this PVC",
      "Waiting for an external controller to expand this PVC",
      "Ignoring the PVC: didn't find a plugin capable of expanding the volume; waiting for an external controller to process this PVC.",
      "CSI migration enabled for {plugin}; waiting for external resizer to expand the pvc",
    ],
    outlook: "waits",
    cause:
      "The claim asks for more than its volume has, and the driver's resizer is to grow it. If none runs, nothing follows.",
    change: ["check that the driver's csi-resizer runs"],
  },
  {
    id: "resizer-not-noted",
    component: "volume-expand",
    rule: "pkg/controller/volume/expand/expand_controller.go syncHandler",
    reasons: ["ExternalExpanding"],
    texts: ["error setting resizer annotation to pvc {claim}, with error {detail}"],
    outlook: "retried",
    cause: "Which driver is to grow the volume could not be noted on claim {claim}.",
    change: [],
  },
];
