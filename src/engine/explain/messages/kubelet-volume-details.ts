/**
 * What stands inside of kubelets' messages about volumes, behind the step that failed. Upstream: pkg/volume v1.36 and its
 * plugins, pkg/volume/util/operationexecutor.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const detail = partsOf("kubelet");

export const kubeletVolumeDetails: readonly MessagePattern[] = [
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
    "operation_generator.go checkMountOptionSupport",
    ["mount options are not supported for this volume type"],
    "Only some volume types take mount options.",
    ["remove mountOptions"],
    "stuck",
  ),
  detail(
    "one-pod-claim-in-use",
    "operation_generator.go GenerateMountVolumeFunc",
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
