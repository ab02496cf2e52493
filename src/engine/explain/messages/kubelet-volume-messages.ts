/**
 * Messages of kubelets about volumes. Upstream: pkg/volume/util/operationexecutor v1.36, pkg/kubelet/volumemanager,
 * pkg/kubelet/kubelet_pods.go.
 */
import { partsOf } from "./message-part.ts";
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
    // As people copy it, the blank before the colon is often gone, and the colon where a line ended.
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
    ["MountVolume.MountDevice failed"],
    "The driver could not mount volume {volume} on its node for the first time (NodeStageVolume).",
  ),
  failedStep(
    "publish-failed",
    [
      "MountVolume.SetUp failed",
      "MapVolume.SetUpDevice failed",
      "MapVolume.MapPodDevice failed",
      "MapVolume.MapBlockVolume failed",
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

const detail = partsOf(kubelet);

const details: readonly MessagePattern[] = [
  detail(
    "driver-not-registered",
    "pkg/volume/csi/csi_client.go newCsiDriverClient",
    [
      "kubernetes.io/csi: {step} failed to create newCsiDriverClient: driver name {driver} not found in the list of registered CSI drivers",
      "kubernetes.io/csi: {step} failed to get CSI client: driver name {driver} not found in the list of registered CSI drivers",
      "{step}driver name {driver} not found in the list of registered CSI drivers",
    ],
    "Driver {driver} has not registered with this node's kubelet. A CSIDriver object alone registers nothing.",
    [
      "let the driver's node DaemonSet run on the node: tolerations, nodeSelector, the kubelet's path",
      "correct the driver's name in the volume",
    ],
  ),
  detail(
    "secret-not-read",
    "pkg/volume/csi/csi_util.go getCredentialsFromSecret; external-attacher csi_handler.go getCredentialsFromPV; external-provisioner controller.go getCredentials",
    [
      "fetching {field} {reference} failed: kubernetes.io/csi: failed to find the secret {secret} in the namespace {namespace} with error: {detail}",
      'failed to load secret "{secret}": {detail}',
      "error getting secret {secret} in namespace {namespace}: {detail}",
    ],
    "Secret {secret}, which the volume or its class names, could not be read.",
    ["look at the secret's name and namespace, and at the rights of who reads it"],
  ),
  detail(
    "secret-not-found",
    "pkg/volume/csi/csi_util.go getCredentialsFromSecret",
    ['secret "{secret}" not found', 'secrets "{secret}" not found', "Couldn't get secret {secret}"],
    "Secret {secret}, which the volume or its class names, does not exist.",
    ["make the secret in the namespace that is named, or correct the name"],
  ),
  detail(
    "config-map-not-found",
    "pkg/volume/configmap",
    ['configmap "{configMap}" not found', 'configmaps "{configMap}" not found'],
    "ConfigMap {configMap} does not exist in the pod's namespace.",
    ["make it there, correct the name, or set optional: true"],
  ),
  detail(
    "object-not-registered",
    "pkg/kubelet/util/manager watch_based_manager.go Get",
    ['object "{namespace}"/"{name}" not registered', "object {namespace}/{name} not registered"],
    "The kubelet watches ConfigMaps and Secrets only for pods that it runs, and this pod has just ended or is not taken over yet. Beside a pod that has completed or is being deleted it means nothing.",
    [
      "if the pod does not start: look at its other events; an object that is missing is said to be not found",
    ],
  ),
  detail(
    "token-refused",
    "pkg/kubelet/token token_manager.go, pkg/volume/projected collectData",
    ["failed to fetch token: {detail}"],
    "The API server gives the pod no token for its service account.",
    ["make the service account, or correct serviceAccountName"],
  ),
  detail(
    "config-key-missing",
    "pkg/volume/configmap MakePayload, pkg/volume/secret MakePayload",
    [
      "configmap references non-existent config key: {key}",
      "references non-existent secret key: {key}",
      "references non-existent config key: {key}",
    ],
    "The volume's items name key {key}, which the object does not have.",
    ["correct items[].key, or add the key"],
  ),
  detail(
    "local-path-missing",
    "pkg/volume/local NewMounter",
    ['path "{path}" does not exist'],
    "{path} does not exist on the node. Nobody makes the directory of a local volume.",
    [
      "make the directory or mount the disk there on every node that the volume's nodeAffinity names",
    ],
  ),
  detail(
    "host-path-no-directory",
    "pkg/volume/hostpath checkTypeInternal",
    ["hostPath type check failed: {path} is not a directory"],
    "{path} on the node is not there, or is no directory, which the hostPath volume's type asks for.",
    ["correct the path", "set type: DirectoryOrCreate where nothing is there yet"],
  ),
  detail(
    "host-path-no-file",
    "pkg/volume/hostpath checkTypeInternal",
    ["hostPath type check failed: {path} is not a file"],
    "{path} on the node is not there, or is no file, which the hostPath volume's type asks for.",
    ["correct the path", "set type: FileOrCreate where nothing is there yet"],
  ),
  detail(
    "host-path-type-wrong",
    "pkg/volume/hostpath checkTypeInternal",
    ["hostPath type check failed: {path} is not {what}"],
    "{path} on the node is not {what}, which the hostPath volume's type asks for.",
    ["correct the path or the type", "see to it that the node has it before the pod starts"],
  ),
  detail(
    "affinity-terms-unmet",
    "pkg/volume/util CheckNodeAffinity",
    [
      "no matching NodeSelectorTerms",
      "No matching NodeSelectorTerms",
      "NodeSelectorTerm {terms} does not match node labels",
    ],
    "The node's labels match no term of the volume's nodeAffinity.",
    ["correct the labels or the terms"],
  ),
  detail(
    "volume-mode-unsupported",
    "pkg/volume/csi/csi_mounter.go supportsVolumeLifecycleMode",
    [
      'volume mode "{mode}" not supported by driver {driver} (no CSIDriver object)',
      'volume mode "{mode}" not supported by driver {driver} (only supports {modes})',
    ],
    "The volume is {mode}, which driver {driver} has not declared in volumeLifecycleModes.",
    ["use a claim, or a driver that declares Ephemeral in its CSIDriver"],
    "stuck",
  ),
  detail(
    "mount-options-not-taken",
    `${executor} checkMountOptionSupport`,
    ["mount options are not supported for this volume type"],
    "Only some volume types take mount options.",
    ["remove mountOptions"],
    "stuck",
  ),
  detail(
    "one-pod-claim-in-use",
    `${executor} GenerateMountVolumeFunc`,
    ["volume uses the ReadWriteOncePod access mode and is already in use by another pod"],
    "Another pod on the node has the ReadWriteOncePod volume.",
    ["end the other pod first"],
  ),
  detail(
    "claim-not-bound",
    "volumemanager/populator processPodVolumes",
    ["error processing PVC {claim}: PVC is not bound"],
    "The kubelet has the pod, and claim {claim} is not bound: the pod came past the scheduler (spec.nodeName), which alone chooses a node for a class with WaitForFirstConsumer.",
    ["replace spec.nodeName by a nodeSelector on kubernetes.io/hostname"],
    "retried",
    "spec.nodeName",
  ),
  detail(
    "claim-not-usable",
    "volumemanager/populator processPodVolumes",
    ["error processing PVC {claim}: PVC is being deleted"],
    "Claim {claim} is on its way out.",
    ["make the claim anew after its pods are gone"],
  ),
  detail(
    "claim-not-fetched",
    "volumemanager/populator getPVCExtractPV",
    ["error processing PVC {claim}: failed to fetch PVC from API server: {detail}"],
    "The kubelet cannot read claim {claim}: it does not exist any more, or the API server does not yet know that a pod on this node uses it.",
    ["if it lasts: make the claim in the pod's namespace"],
  ),
  detail(
    "block-claim-mounted",
    "volumemanager/populator createVolumeSpec",
    [
      "volume {volumeName} has volumeMode {mode}, but is specified in volumeMounts",
      "volume {volumeName} has volumeMode {mode}, but is specified in volumeDevices",
    ],
    "A Block claim belongs into volumeDevices, a Filesystem claim into volumeMounts.",
    ["move the entry of volume {volumeName} to the other list"],
    "stuck",
  ),
  detail(
    "git-repo-disabled",
    "pkg/volume/git_repo",
    ["git-repo volume plugin has been disabled; {why}"],
    "gitRepo volumes are off since 1.33.",
    ["clone in an init container into an emptyDir"],
    "stuck",
  ),
  detail(
    "tool-missing",
    "k8s.io/utils/exec",
    ["executable file not found in $PATH", 'exec: "{program}": executable file not found in $PATH'],
    "The node lacks a program that the volume's type needs (mount.nfs, iscsiadm).",
    ["install the client package of the storage type on the node"],
  ),
  detail(
    "no-plugin-for-volume",
    "pkg/volume/plugins.go FindPluginBySpec",
    ['failed to get Plugin from volumeSpec for volume "{volume}" err=no volume plugin matched'],
    "Kubernetes has no plugin for this volume's type any more.",
    ["use the type's CSI driver"],
    "stuck",
  ),
  detail(
    "container-fields-missing",
    "pkg/volume/downwardapi",
    ["container {container} not found"],
    "A downward API volume names container {container}, which the pod does not have.",
    ["correct containerName"],
    "stuck",
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
      "Error: error SubPath `{path}` must not be an absolute path",
      "Error: unable to provision SubPath `{path}`: must not contain '..'",
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
      "Error: container {container} not found",
    ],
    outlook: "retried",
    cause:
      "The container cannot be started with what the pod asks for: an object, a key or a volume is missing.",
    change: ["make what is missing, correct the name, or set optional: true"],
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
    id: "volume-shared-group",
    component: kubelet,
    rule: "pkg/volume/local SetUpAt",
    reasons: ["AlreadyMountedVolume"],
    texts: [
      "The requested fsGroup is {wanted}, but the volume {volume} has GID {found}. The volume may not be shareable.",
    ],
    outlook: "done",
    cause:
      "Pods with different fsGroup share volume {volume} on one node; the first one's group stays.",
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
      'MountVolume.NodeExpandVolume failed for volume "{volume}" {why}',
      'NodeExpandVolume.NodeExpandVolume failed to resize volume for volume "{volume}" : {detail}',
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
      'UnmountDevice failed for volume "{volume}" : {detail}',
      'GetDeviceMountPath failed for volume "{volume}" : {detail}',
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
    texts: ["{detail}"],
    outlook: "stuck",
    cause: "The volume holds another file system than its fsType, and is not formatted anew.",
    change: ["set fsType to what blkid tells of the device (make the volume anew)"],
  },
  detail(
    "expander-failed",
    "pkg/volume/util/operationexecutor node_expander.go",
    [
      "Expander.NodeExpand failed to expand the volume : {detail}",
      "Expander.NodeExpand failed to expand the volume {detail}",
    ],
    "The driver's NodeExpandVolume failed.",
    [],
  ),
  detail(
    "node-plugin-silent",
    "pkg/volume/csi expander.go nodeExpandWithClient",
    ["Expander.NodeExpand failed to check if node supports expansion : {detail}"],
    "The driver's node plugin did not say what it can (NodeGetCapabilities), which comes before it is asked to grow the volume.",
    ["look at the driver's node plugin on the pod's node: its pod, and its log"],
  ),
  detail(
    "node-expansion-unsupported",
    "pkg/volume/csi expander.go nodeExpandWithClient",
    ["Expander.NodeExpand found CSI plugin {plugin} to not support node expansion"],
    "The driver's node plugin grows no volumes (no EXPAND_VOLUME); shared file systems often need nothing on the node.",
    [
      "look whether the container sees the new size (df): then nothing is to be done",
      "if it does not: use a version of the driver that grows volumes on the node",
    ],
  ),
  detail(
    "flex-volume-call-failed",
    "pkg/volume/flexvolume driver-call.go Run",
    ["init", "attach", "waitforattach", "mountdevice", "mount", "unmount"].map(
      (command) => `${command} command failed, status: {status}, reason: {detail}`,
    ),
    "The FlexVolume driver, a program on the node, failed; its reason stands behind.",
    ["look at what the program needs on the node", "use the storage's CSI driver instead"],
  ),
  detail(
    "group-not-applied",
    "pkg/volume/csi/csi_mounter.go SetUpAt",
    ["applyFSGroup failed for vol {handle}: {detail}"],
    "The driver has mounted the volume, and the kubelet could not give its files to the pod's fsGroup.",
    [
      "leave fsGroup out, or let the driver declare fsGroupPolicy: None, where the volume knows no groups",
    ],
  ),
  ...details,
];
