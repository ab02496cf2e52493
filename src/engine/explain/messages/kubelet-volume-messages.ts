/**
 * Messages of kubelets about volumes, and of the controller that warns about conflicting SELinux labels. Upstream:
 * pkg/volume/util/operationexecutor v1.36, pkg/kubelet/volumemanager, pkg/kubelet/kubelet_pods.go,
 * pkg/controller/volume/selinuxwarning.
 */
import { kubeletVolumeDetails, signerChange } from "./kubelet-volume-details.ts";
import type { MessagePattern } from "./message-pattern.ts";

const kubelet = "kubelet";
const executor = "operation_generator.go";
const mountReasons: readonly string[] = ["FailedMount", "FailedMapVolume"];

function failedStep(
  id: string,
  steps: readonly string[],
  cause: string,
  change: readonly string[] = [],
): MessagePattern {
  return {
    id,
    component: kubelet,
    rule: `${executor} GenerateMountVolumeFunc, GenerateMapVolumeFunc`,
    reasons: mountReasons,
    // Copied messages often lack the blank before the colon, or the colon at the end of a line.
    texts: steps.flatMap((step) =>
      [" :", ":", ""].map((colon) => `${step} for volume "{volume}"${colon} {detail}`),
    ),
    outlook: "retried",
    cause,
    change,
  };
}

const steps: readonly MessagePattern[] = [
  {
    id: "node-deleted-under-kubelet",
    component: kubelet,
    rule: `${executor} checkNodeAffinity, pkg/kubelet/volume_host.go GetNodeLabels`,
    reasons: mountReasons,
    texts: ["MountVolume", "MapVolume"].map(
      (step) =>
        `${step}.NodeAffinity check failed for volume "{volume}" : error retrieving node: node "{node}" not found`,
    ),
    outlook: "stuck",
    cause:
      "The object of node {node} has been deleted while its kubelet runs, and a kubelet without it mounts no PersistentVolume.",
    change: [
      "restart the kubelet of {node}: it registers its Node when it starts, and never again",
    ],
  },
  failedStep(
    "node-affinity-check-failed",
    ["MountVolume.NodeAffinity check failed", "MapVolume.NodeAffinity check failed"],
    "The node may not use volume {volume}: the volume's nodeAffinity names others. The pod came past the scheduler (spec.nodeName), or labels have changed.",
    ["remove spec.nodeName, so that the scheduler chooses", "correct the volume's nodeAffinity"],
  ),
  failedStep(
    "new-mounter-failed",
    [
      "MountVolume.NewMounter initialization failed",
      "MapVolume.FindMapperPluginBySpec failed",
      "MapVolume.NewBlockVolumeMapper initialization failed",
    ],
    "The kubelet cannot begin to mount volume {volume}.",
  ),
  {
    id: "volume-not-reported-attached",
    component: kubelet,
    rule: `${executor} GenerateVerifyControllerAttachedVolumeFunc`,
    reasons: mountReasons,
    texts: [
      'Volume not attached according to node status for volume "{volume}"',
      'Volume has not been added to the list of VolumesInUse in the node\'s volume status for volume "{volume}"',
    ],
    outlook: "waits",
    cause:
      "The kubelet waits until the Node's status lists volume {volume} as attached. That is ordinary for some seconds; if it lasts, the attach-detach controller or the driver's attacher has not done its part.",
    change: [
      "look at the VolumeAttachment of the volume, and at the pod's FailedAttachVolume events",
    ],
  },
  failedStep(
    "mount-options-unsupported",
    ["MountVolume.MountOptionSupport check failed"],
    "Volume {volume} has mountOptions, and its type takes none.",
    ["remove mountOptions from the volume or its class"],
  ),
  failedStep(
    "wait-for-attach-failed",
    ["MountVolume.WaitForAttach failed", "MapVolume.WaitForAttach failed"],
    "The device of volume {volume} did not appear on the node.",
  ),
  failedStep(
    "stage-failed",
    ["MountVolume.MountDevice failed", "MountVolume.GetDeviceMountPath failed"],
    "The driver could not mount volume {volume} on its node for the first time (NodeStageVolume).",
  ),
  failedStep(
    "publish-failed",
    [
      "MountVolume.SetUp failed",
      "MapVolume.SetUpDevice failed",
      "MapVolume.MapPodDevice failed",
      "MapVolume.EvalHostSymlinks failed",
      "MapVolume.GetGlobalMapPath failed",
      "MapVolume.AttachFileDevice failed",
      "MapVolume.MapBlockVolume failed",
      "MapVolume failed",
    ],
    "Volume {volume} could not be brought into the pod (NodePublishVolume, or the kubelet's own work).",
  ),
  failedStep(
    "node-expansion-failed",
    [
      "MountVolume.Setup failed while expanding volume",
      "MapVolume.MarkVolumeAsMounted failed while expanding volume",
      "MountVolume.MountDevice failed while expanding volume",
      "MountVolume.resizeFileSystem failed",
    ],
    "Volume {volume} has grown, and its file system could not be grown on the node.",
    ["look at the driver's node plugin log"],
  ),
];

export const kubeletVolumeMessages: readonly MessagePattern[] = [
  ...steps,
  {
    id: "volumes-not-ready",
    component: kubelet,
    rule: "pkg/kubelet/volumemanager/volume_manager.go WaitForAttachAndMount",
    reasons: ["FailedMount"],
    texts: [
      "Unable to attach or mount volumes: unmounted volumes=[{unmounted}], unattached volumes=[{unattached}], failed to process volumes=[{unprocessed}]: {detail}",
      "Unable to attach or mount volumes: unmounted volumes=[{unmounted}], unattached volumes=[{unattached}]: {detail}",
      'Unable to mount volumes for pod "{podId}": {detail}',
      "Unable to mount volumes for pod {pod}: {detail}",
      "timeout expired waiting for volumes to attach/mount for pod {podId} list of {rest}",
      "timeout expired waiting for volumes to attach or mount for pod {podId} list of {rest}",
    ],
    outlook: "retried",
    cause:
      "The kubelet has waited two minutes for the pod's volumes. It is a summary: an earlier event of the pod, or the VolumeAttachment, names the cause.",
    change: ["look for FailedAttachVolume and the first FailedMount of the pod"],
  },
  {
    id: "attachment-limit",
    component: kubelet,
    rule: "pkg/kubelet/kubelet.go handleVolumeAttachmentLimitExceeded",
    reasons: ["VolumeAttachmentLimitExceeded"],
    texts: ["Node has reached its volume attachment limit, rejecting pod. {detail}"],
    outlook: "stuck",
    cause:
      "The storage system refused one more volume on the node; the pod fails and its owner makes another.",
    change: ["spread the pods, or let the driver report its limit in CSINode"],
  },
  {
    id: "ownership-slow",
    component: kubelet,
    rule: "pkg/volume/volume_linux.go ChangeOwnership",
    reasons: ["VolumePermissionChangeInProgress"],
    texts: [
      "Setting volume ownership for {path} is taking longer than expected, consider using OnRootMismatch - {link}",
      "Setting volume ownership for {path}, processed {count} files.",
    ],
    outlook: "waits",
    cause: "The pod has an fsGroup, and every file of the volume gets that group at each start.",
    change: ["set securityContext.fsGroupChangePolicy: OnRootMismatch"],
  },
  {
    id: "sub-path-failed",
    component: kubelet,
    rule: "pkg/kubelet/kubelet_pods.go makeMounts",
    reasons: ["Failed"],
    texts: [
      'Error: failed to prepare subPath for volumeMount "{mount}" of container "{container}"',
      'Error: failed to create subPath directory for volumeMount "{mount}" of container "{container}"',
      'failed to prepare subPath for volumeMount "{mount}" of container "{container}"',
      'failed to create subPath directory for volumeMount "{mount}" of container "{container}"',
      "Error: error SubPath {path} must not be an absolute path",
      "Error: unable to provision SubPath {path}: must not contain '..'",
    ],
    outlook: "retried",
    cause:
      "The subPath cannot be used: it is absolute, leaves the volume, is a file in the way, or the volume is read-only and lacks it.",
    change: ["correct subPath, or make the directory in an init container"],
  },
  {
    id: "container-config",
    component: kubelet,
    rule: "pkg/kubelet/kubelet_pods.go makeEnvironmentVariables, makeMounts",
    reasons: ["Failed"],
    texts: [
      'Error: {what} "{name}" not found',
      "Error: couldn't find key {key} in {what} {name}",
      'Error: cannot find volume "{volumeName}" to mount into container "{container}"',
      'Error: cannot find volume "{volumeName}" to pass into container "{container}"',
      'Error: cannot find the volume "{volumeName}" referenced by FileKeyRef',
      "Error: container {container} not found",
    ],
    outlook: "retried",
    cause:
      "The container cannot be started with what the pod asks for: an object, a key or a volume is missing.",
    change: ["make what is missing, correct the name, or set optional: true"],
  },
  {
    id: "variables-file-unreadable",
    component: kubelet,
    rule: "pkg/kubelet/kubelet_pods.go makeEnvironmentVariables, FileKeyRef",
    reasons: ["Failed"],
    texts: ["Error: couldn't parse env file"],
    outlook: "retried",
    cause:
      "A fileKeyRef of the container names a file that is not in its volume, or does not hold variables.",
    change: ["have an init container write the file before, a line NAME='value' for each variable"],
  },
  {
    id: "variables-not-text",
    component: kubelet,
    rule: "k8s.io/cri-api KeyValue (kubernetes/kubernetes#139132, #136323)",
    reasons: ["Failed"],
    texts: [
      "Error: rpc error: code = Internal desc = grpc: error while marshaling: string field contains invalid UTF-8",
      "Error: grpc: error while marshaling: string field contains invalid UTF-8",
      "grpc: error while marshaling: string field contains invalid UTF-8",
    ],
    outlook: "retried",
    cause:
      "A variable of the container is no text: it comes from a binary key of a Secret, or has a $ before a letter beyond ASCII. Kubelets from 1.34 on cannot hand such over; patch releases since June 2026 can.",
    change: [
      "mount the Secret as a volume in place of a variable",
      "write $$ where a $ stands before a letter beyond ASCII",
    ],
  },
  {
    id: "sub-path-variable-missing",
    component: kubelet,
    rule: "pkg/kubelet/container/helpers.go ExpandContainerVolumeMounts",
    reasons: ["Failed"],
    texts: ["Error: missing value for {names}"],
    outlook: "retried",
    cause: "A subPathExpr of the container names variables that its env does not define.",
    change: ["define {names} in the container's env, or correct subPathExpr"],
  },
  {
    id: "device-path-relative",
    component: kubelet,
    rule: "pkg/kubelet/kubelet_pods.go makeBlockVolumes",
    reasons: ["Failed"],
    texts: ["Error: error DevicePath {path} must be an absolute path"],
    outlook: "retried",
    cause:
      "A devicePath of the container does not begin at the root, which the API server does not ask for.",
    change: ["begin devicePath with /, as in /dev/{path}"],
  },
  {
    id: "volume-shared-group",
    component: kubelet,
    rule: "pkg/volume/local SetUpAt",
    reasons: ["AlreadyMountedVolume"],
    texts: [
      "The requested fsGroup is {wanted}, but the volume {volume} has GID {found}. The volume may not be shareable.",
    ],
    outlook: "stuck",
    cause:
      "Pods with different fsGroup share volume {volume} on one node; the first one's group stays. This pod is started all the same, and may be denied what it wants to read or write.",
    change: ["give the pods the same fsGroup"],
  },
  {
    id: "mounted",
    component: kubelet,
    rule: executor,
    reasons: ["SuccessfulMountVolume", "FileSystemResizeSuccessful"],
    texts: [
      'MapVolume.MapPodDevice succeeded for volume "{volume}" {rest}',
      'MountVolume.NodeExpandVolume succeeded for volume "{volume}" {node}',
      'MountVolume.SetUp succeeded for volume "{volume}"',
    ],
    outlook: "done",
    cause: "The volume is in the pod, at its present size.",
    change: [],
  },
  {
    id: "node-expand-waits",
    component: kubelet,
    rule: `${executor} GenerateExpandInUseVolumeFunc before kubernetes/kubernetes#131408`,
    reasons: ["VolumeResizeFailed"],
    texts: [
      'NodeExpandVolume.NodeExpandVolume failed to resize volume for volume "{volume}" : volume resizing failed for unknown reason',
    ],
    outlook: "waits",
    cause:
      "The kubelet sees that the volume is larger, and its claim does not say, or says no more, that the node has a part in it. Kubelets from 1.34 on, and the late ones of 1.32 and 1.33, tell nobody.",
    change: [
      "compare the claim's status.capacity with the size it asks for: where it has that, nothing is to be done, and the warning ends with the pod",
      "where it does not: look at the claim's conditions and at the log of the driver's csi-resizer",
    ],
  },
  {
    id: "node-expand-failed",
    component: kubelet,
    rule: `${executor} nodeExpandVolume`,
    reasons: ["VolumeResizeFailed", "FileSystemResizeFailed"],
    texts: [
      'NodeExpandVolume.NodeExpandVolume failed for volume "{volume}" : {detail}',
      'MountVolume.NodeExpandVolume failed for volume "{volume}" : {detail}',
      'MountVolume.NodeExpandVolume failed for volume "{volume}" {why}',
      'NodeExpandVolume.NodeExpandVolume failed to resize volume for volume "{volume}" : {detail}',
      'NodeExpandVolume.MarkVolumeAsResized failed for volume "{volume}" : {detail}',
      'NodeExpandvolume.expansion failed for volume "{volume}" : {detail}',
      'MountVolume.resizeFileSystem failed for volume "{volume}" : {detail}',
    ],
    outlook: "retried",
    cause:
      "The volume has grown in the storage system; on the node its file system could not follow.",
    change: ["restart the pod; look at the driver's node plugin log"],
  },
  {
    id: "unmount-failed",
    component: kubelet,
    rule: `${executor} GenerateUnmountVolumeFunc, GenerateUnmountDeviceFunc`,
    reasons: ["FailedUnMount"],
    texts: [
      'UnmountVolume.TearDown failed for volume "{volume}" : {detail}',
      'UnmountVolume.NewUnmounter failed for volume "{volume}" : {detail}',
      'UnmountDevice failed for volume "{volume}" : {detail}',
      'UnmapDevice failed for volume "{volume}" : {detail}',
      'GetDeviceMountPath failed for volume "{volume}" : {detail}',
      'GetDeviceMountRefs check failed for volume "{volume}" : {detail}',
      'UnmapVolume.UnmapPodDevice failed for volume "{volume}" : {detail}',
      "orphaned pod {id} found, but {what}",
      'Orphaned pod "{id}" found, but {what}',
    ],
    outlook: "retried",
    cause:
      "The volume cannot be unmounted on the node; until it is, the pod does not go and no other node gets a ReadWriteOnce volume.",
    change: ["look for what still uses it on the node, and at the driver's node plugin log"],
  },
  {
    id: "volume-unhealthy",
    component: "external-health-monitor",
    rule: "pkg/mon_pv_watcher, pkg/kubelet/server/stats volume_stat_calculator.go",
    reasons: ["VolumeConditionAbnormal"],
    texts: ["The volume isn't mounted", "{detail}"],
    outlook: "retried",
    cause: "The driver says that the volume is not in good health.",
    change: ["look at the storage system; if the data is lost, restore a snapshot or a backup"],
  },
  {
    id: "volume-healthy",
    component: "external-health-monitor",
    rule: "pkg/mon_pv_watcher",
    reasons: ["VolumeConditionNormal"],
    texts: ["The Volume returns to the healthy state", "The volume returns to the healthy state"],
    outlook: "done",
    cause: "The volume is well again.",
    change: [],
  },
  {
    id: "file-system-mismatch",
    component: kubelet,
    rule: `${executor} GenerateMountVolumeFunc, volumetypes.FilesystemMismatchError`,
    reasons: ["FailedMountOnFilesystemMismatch"],
    texts: ['MountVolume failed for volume "{volume}" : {detail}', "{detail}"],
    outlook: "stuck",
    cause: "The volume holds another file system than its fsType, and is not formatted again.",
    change: ["set fsType to what blkid tells of the device (recreate the volume)"],
  },
  {
    id: "pod-certificate-refused",
    component: kubelet,
    rule: "pkg/kubelet/podcertificate podcertificatemanager.go handleProjection",
    reasons: ["Denied", "Failed"],
    // Upstream passes its message as an argument to a format without a verb for it.
    texts: [
      "{word}%!(EXTRA string=PodCertificateRequest {request} was denied, reason={why})",
      "{word}%!(EXTRA string=PodCertificateRequest {request} failed, reason={why})",
      "PodCertificateRequest was permanently denied: reason={why}",
      "PodCertificateRequest was permanently failed: reason={why}",
    ],
    outlook: "stuck",
    cause:
      "The signer of a podCertificate source has refused this pod its certificate ({why}), and the kubelet does not ask again for the same pod.",
    change: ["correct what the signer says, and then recreate the pod"],
  },
  {
    id: "pod-certificate-old",
    component: kubelet,
    rule: "pkg/kubelet/podcertificate podcertificatemanager.go handleProjection",
    reasons: ["CertificateOverdueForRefresh", "CertificateExpired"],
    texts: ["PodCertificate refresh overdue", "PodCertificate expired"],
    outlook: "retried",
    cause:
      "A podCertificate source got its certificate once, and its signer has not issued the next one in time; the pod keeps the old one.",
    change: [signerChange],
  },
  {
    id: "se-linux-conflict",
    component: "selinux_warning",
    rule: "pkg/controller/volume/selinuxwarning cache/conflict.go EventMessage",
    reasons: ["SELinuxLabelConflict", "SELinuxChangePolicyConflict"],
    texts: ["SELinuxLabel", "SELinuxChangePolicy"].flatMap((property) => [
      `${property} "{own}" conflicts with pod {pod} that uses the same volume as this pod with ${property} "{other}". If both pods land on the same node, only one of them may access the volume.`,
      `${property}{own} conflicts with another pod that uses the same volume as this pod with a different ${property}. If both pods land on the same node, only one of them may access the volume.`,
    ]),
    outlook: "stuck",
    cause:
      "Two pods want the files of one volume under different SELinux labels. Where a volume is mounted with its label (mount -o context), a second one of another label is not started on the same node.",
    change: [
      "give both pods the same seLinuxOptions",
      "set securityContext.seLinuxChangePolicy: Recursive in both, so that the files are labelled one by one as before",
    ],
  },
  ...kubeletVolumeDetails,
];
