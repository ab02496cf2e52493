/**
 * The details in kubelets' messages about volumes, after the step that failed. Upstream: pkg/volume v1.36 and its plugins,
 * pkg/volume/util/operationexecutor.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const detail = messagesOf("kubelet");

export const signerChange =
  "look at the controller that issues for the source's signerName, which Kubernetes does not bring along; kubectl get podcertificaterequests shows what waits for it";

export const kubeletVolumeDetails: readonly MessagePattern[] = [
  detail({
    id: "expander-failed",
    rule: "pkg/volume/util/operationexecutor node_expander.go",
    texts: [
      "Expander.NodeExpand failed to expand the volume : {detail}",
      "Expander.NodeExpand failed to expand the volume {detail}",
    ],
    cause: "The driver's NodeExpandVolume failed.",
    change: [],
  }),
  detail({
    id: "node-plugin-silent",
    rule: "pkg/volume/csi expander.go nodeExpandWithClient",
    texts: ["Expander.NodeExpand failed to check if node supports expansion : {detail}"],
    cause:
      "The driver's node plugin did not say what it can (NodeGetCapabilities), which comes before it is asked to grow the volume.",
    change: ["look at the driver's node plugin on the pod's node: its pod, and its log"],
  }),
  detail({
    id: "node-expansion-unsupported",
    rule: "pkg/volume/csi expander.go nodeExpandWithClient",
    texts: [
      "NodeExpand is not supported by the CSI driver {driver}",
      "Expander.NodeExpand found CSI plugin {plugin} to not support node expansion",
    ],
    cause:
      "The driver's node plugin grows no volumes (no EXPAND_VOLUME); shared file systems often need nothing on the node.",
    change: [
      "look whether the container sees the new size (df): then nothing is to be done",
      "if it does not: use a version of the driver that grows volumes on the node",
    ],
  }),
  detail({
    id: "volume-record-missing",
    rule: "pkg/volume/csi csi_plugin.go NewUnmounter",
    texts: ["unmounter failed to load volume data file [{path}]: {detail}"],
    cause:
      "The kubelet's record of the volume (vol_data.json in the pod's directory on the node) is gone, and without it no driver is asked to unmount the volume; the pod stays Terminating.",
    change: [
      "look on the node whether the volume is still mounted for the pod, and unmount it there if so",
      "restart the node's kubelet: it goes by what it then finds on disk",
    ],
  }),
  detail({
    id: "device-still-mounted",
    rule: "pkg/volume/util/operationexecutor operation_generator.go GenerateUnmountDeviceFunc, GenerateUnmapDeviceFunc",
    texts: [
      'the device mount path "{path}" is still mounted by other references {places}',
      'The device "{path}" is still referenced from other Pods {places}',
    ],
    cause:
      "The volume is still mounted elsewhere on the node, most often for a pod that was deleted by force, and until it is not it is not let go of.",
    change: [
      "look on the node at the mounts that are named: unmount what belongs to pods that are gone",
    ],
  }),
  detail({
    id: "flex-volume-call-failed",
    rule: "pkg/volume/flexvolume driver-call.go Run",
    texts: ["init", "attach", "waitforattach", "mountdevice", "mount", "unmount"].map(
      (command) => `${command} command failed, status: {status}, reason: {detail}`,
    ),
    cause: "The FlexVolume driver, a program on the node, failed; its reason stands behind.",
    change: ["look at what the program needs on the node", "use the storage's CSI driver instead"],
  }),
  detail({
    id: "group-not-applied",
    rule: "pkg/volume/csi/csi_mounter.go SetUpAt",
    texts: ["applyFSGroup failed for vol {handle}: {detail}"],
    cause:
      "The driver has mounted the volume, and the kubelet could not give its files to the pod's fsGroup.",
    change: [
      "leave fsGroup out, or let the driver declare fsGroupPolicy: None, where the volume knows no groups",
    ],
  }),
  detail({
    id: "driver-not-registered",
    rule: "pkg/volume/csi/csi_client.go newCsiDriverClient",
    texts: [
      "kubernetes.io/csi: {step} failed to create newCsiDriverClient: driver name {driver} not found in the list of registered CSI drivers",
      "kubernetes.io/csi: {step} failed to get CSI client: driver name {driver} not found in the list of registered CSI drivers",
      "{step}driver name {driver} not found in the list of registered CSI drivers",
    ],
    cause:
      "Driver {driver} has not registered with this node's kubelet. A CSIDriver object alone registers nothing.",
    change: [
      "let the driver's node DaemonSet run on the node: tolerations, nodeSelector, the kubelet's path",
      "correct the driver's name in the volume",
    ],
  }),
  detail({
    id: "secret-not-read",
    rule: "pkg/volume/csi/csi_util.go getCredentialsFromSecret; external-attacher csi_handler.go getCredentialsFromPV; external-provisioner controller.go getCredentials",
    texts: [
      "fetching {field} {reference} failed: kubernetes.io/csi: failed to find the secret {secret} in the namespace {namespace} with error: {detail}",
      'failed to load secret "{secret}": {detail}',
      "error getting secret {secret} in namespace {namespace}: {detail}",
    ],
    cause: "Secret {secret}, which the volume or its class names, could not be read.",
    change: ["look at the secret's name and namespace, and at the rights of who reads it"],
  }),
  detail({
    id: "secret-not-found",
    rule: "pkg/volume/csi/csi_util.go getCredentialsFromSecret",
    texts: [
      'secret "{secret}" not found',
      'secrets "{secret}" not found',
      "Couldn't get secret {secret}",
    ],
    cause: "Secret {secret}, which the volume or its class names, does not exist.",
    change: ["make the secret in the namespace that is named, or correct the name"],
  }),
  detail({
    id: "config-map-not-found",
    rule: "pkg/volume/configmap",
    texts: ['configmap "{configMap}" not found', 'configmaps "{configMap}" not found'],
    cause: "ConfigMap {configMap} does not exist in the pod's namespace.",
    change: ["make it there, correct the name, or set optional: true"],
  }),
  detail({
    id: "object-not-registered",
    rule: "pkg/kubelet/util/manager watch_based_manager.go Get",
    texts: [
      'object "{namespace}"/"{name}" not registered',
      "object {namespace}/{name} not registered",
    ],
    cause:
      "The kubelet watches ConfigMaps and Secrets only for pods that it runs, and this pod has just ended or is not taken over yet. Beside a pod that has completed or is being deleted it means nothing.",
    change: [
      "if the pod does not start: look at its other events; an object that is missing is said to be not found",
    ],
  }),
  detail({
    id: "object-not-watched-yet",
    rule: "pkg/kubelet/util/manager watch_based_manager.go Get",
    texts: ["failed to sync secret cache: {why}", "failed to sync configmap cache: {why}"],
    cause:
      "The kubelet has begun to watch a Secret or ConfigMap of the pod, and got no answer from the API server within a second. Right after a pod or a kubelet has started that passes by itself.",
    change: ["if it stays: look whether the node reaches the API server, and how busy that is"],
  }),
  detail({
    id: "token-refused",
    rule: "pkg/kubelet/token token_manager.go, pkg/volume/projected collectData",
    texts: ["failed to fetch token: {detail}"],
    cause: "The API server gives the pod no token for its service account.",
    change: ["make the service account, or correct serviceAccountName"],
  }),
  detail({
    id: "config-key-missing",
    rule: "pkg/volume/configmap MakePayload, pkg/volume/secret MakePayload",
    texts: [
      "configmap references non-existent config key: {key}",
      "references non-existent secret key: {key}",
      "references non-existent config key: {key}",
    ],
    cause: "The volume's items name key {key}, which the object does not have.",
    change: ["correct items[].key, or add the key"],
  }),
  detail({
    id: "volume-files-clash",
    rule: "pkg/volume/util/atomic_writer.go writePayloadToDir",
    texts: [
      "mkdir {directory}/..{written}: file exists",
      "mkdir {directory}/..{written}: not a directory",
    ],
    cause:
      "Two files of the volume are in each other's way: the path of one is a directory in the path of the other. None of them is written.",
    change: ["give one of them another path in items"],
    outlook: "stuck",
  }),
  detail({
    id: "volume-path-too-long",
    rule: "pkg/volume/util/atomic_writer.go validatePath",
    texts: [
      "invalid path: filenames must be less than or equal to {limit} characters",
      "invalid path: must be less than or equal to {limit} characters",
    ],
    cause:
      "A path among the volume's items, or a name in it, is longer than file systems take. None of its files is written.",
    change: ["give it a shorter path in items"],
    outlook: "stuck",
  }),
  detail({
    id: "storage-medium-unknown",
    rule: "pkg/volume/emptydir/empty_dir.go SetUpAt",
    texts: ['unknown storage medium "{medium}"'],
    cause: "An emptyDir's medium is Memory, HugePages, HugePages-SIZE or nothing.",
    change: ["correct emptyDir.medium"],
    outlook: "stuck",
  }),
  detail({
    id: "huge-pages-not-asked-for",
    rule: "pkg/volume/emptydir/empty_dir.go getPageSizeMountOption",
    texts: [
      "medium {medium}: hugePages storage requested, but there is no resource request for huge pages",
    ],
    cause: "The emptyDir is to be of huge pages, which no container of the pod asks for.",
    change: ["set resources.limits with hugepages-2Mi, or the size that the node has"],
    outlook: "stuck",
  }),
  detail({
    id: "huge-pages-of-several-sizes",
    rule: "pkg/volume/emptydir/empty_dir.go getPageSizeMountOption",
    texts: ["medium: {medium} can't be used if container requests multiple huge page sizes"],
    cause: "The pod asks for huge pages of several sizes, and the emptyDir does not say which.",
    change: ["set medium: HugePages-2Mi, or another size that is asked for"],
    outlook: "stuck",
  }),
  detail({
    id: "volume-not-attached",
    rule: "pkg/volume/csi/csi_attacher.go verifyAttachmentStatus",
    texts: ["volume {handle} is not attached for volume attachment {attachment}"],
    cause:
      "The Node's status lists the volume as attached, and its VolumeAttachment says that it is not.",
    change: ["look at the VolumeAttachment, and at the log of the driver's attacher"],
  }),
  detail({
    id: "local-path-missing",
    rule: "pkg/volume/local NewMounter",
    texts: ['path "{path}" does not exist', "stat {path}: not a directory"],
    cause: "{path} does not exist on the node. Nobody makes the directory of a local volume.",
    change: [
      "make the directory or mount the disk there on every node that the volume's nodeAffinity names",
    ],
  }),
  detail({
    id: "host-path-no-directory",
    rule: "pkg/volume/hostpath checkTypeInternal",
    texts: ["hostPath type check failed: {path} is not a directory"],
    cause:
      "{path} on the node is not there, or is no directory, which the hostPath volume's type asks for.",
    change: ["correct the path", "set type: DirectoryOrCreate where nothing is there yet"],
  }),
  detail({
    id: "host-path-no-file",
    rule: "pkg/volume/hostpath checkTypeInternal",
    texts: ["hostPath type check failed: {path} is not a file"],
    cause:
      "{path} on the node is not there, or is no file, which the hostPath volume's type asks for.",
    change: ["correct the path", "set type: FileOrCreate where nothing is there yet"],
  }),
  detail({
    id: "host-path-type-wrong",
    rule: "pkg/volume/hostpath checkTypeInternal",
    texts: ["hostPath type check failed: {path} is not {what}"],
    cause: "{path} on the node is not {what}, which the hostPath volume's type asks for.",
    change: [
      "correct the path or the type",
      "see to it that the node has it before the pod starts",
    ],
  }),
  detail({
    id: "affinity-terms-unmet",
    rule: "pkg/volume/util CheckNodeAffinity",
    texts: [
      "no matching NodeSelectorTerms",
      "No matching NodeSelectorTerms",
      "NodeSelectorTerm {terms} does not match node labels",
    ],
    cause: "The node's labels match no term of the volume's nodeAffinity.",
    change: ["correct the labels or the terms"],
  }),
  detail({
    id: "volume-mode-unsupported",
    rule: "pkg/volume/csi/csi_mounter.go supportsVolumeLifecycleMode",
    texts: [
      'volume mode "{mode}" not supported by driver {driver} (no CSIDriver object)',
      'volume mode "{mode}" not supported by driver {driver} (only supports {modes})',
    ],
    cause: "The volume is {mode}, which driver {driver} has not declared in volumeLifecycleModes.",
    change: ["use a claim, or a driver that declares Ephemeral in its CSIDriver"],
    outlook: "stuck",
  }),
  detail({
    id: "mount-options-not-taken",
    rule: "operation_generator.go checkMountOptionSupport",
    texts: ["mount options are not supported for this volume type"],
    cause: "Only some volume types take mount options.",
    change: ["remove mountOptions"],
    outlook: "stuck",
  }),
  detail({
    id: "one-pod-claim-in-use",
    rule: "operation_generator.go GenerateMountVolumeFunc",
    texts: ["volume uses the ReadWriteOncePod access mode and is already in use by another pod"],
    cause: "Another pod on the node has the ReadWriteOncePod volume.",
    change: ["end the other pod first"],
  }),
  detail({
    id: "claim-not-bound",
    rule: "volumemanager/populator processPodVolumes",
    texts: ["error processing PVC {claim}: PVC is not bound"],
    cause:
      "The kubelet has the pod, and claim {claim} is not bound: the pod came past the scheduler (spec.nodeName), which alone chooses a node for a class with WaitForFirstConsumer.",
    change: ["replace spec.nodeName by a nodeSelector on kubernetes.io/hostname"],
    outlook: "retried",
    field: "spec.nodeName",
  }),
  detail({
    id: "claim-not-usable",
    rule: "volumemanager/populator processPodVolumes",
    texts: ["error processing PVC {claim}: PVC is being deleted"],
    cause: "Claim {claim} is on its way out.",
    change: ["recreate the claim after its pods are gone"],
  }),
  detail({
    id: "claim-not-fetched",
    rule: "volumemanager/populator getPVCExtractPV",
    texts: ["error processing PVC {claim}: failed to fetch PVC from API server: {detail}"],
    cause:
      "The kubelet cannot read claim {claim}: it does not exist any more, or the API server does not yet know that a pod on this node uses it.",
    change: ["if it lasts: make the claim in the pod's namespace"],
  }),
  detail({
    id: "block-claim-mounted",
    rule: "volumemanager/populator createVolumeSpec",
    texts: [
      "volume {volumeName} has volumeMode {mode}, but is specified in volumeMounts",
      "volume {volumeName} has volumeMode {mode}, but is specified in volumeDevices",
    ],
    cause: "A Block claim belongs into volumeDevices, a Filesystem claim into volumeMounts.",
    change: ["move the entry of volume {volumeName} to the other list"],
    outlook: "stuck",
  }),
  detail({
    id: "git-repo-disabled",
    rule: "pkg/volume/git_repo",
    texts: ["git-repo volume plugin has been disabled; {why}"],
    cause: "gitRepo volumes are off since 1.33.",
    change: ["clone in an init container into an emptyDir"],
    outlook: "stuck",
  }),
  detail({
    id: "tool-missing",
    rule: "k8s.io/utils/exec",
    texts: [
      "executable file not found in $PATH",
      'exec: "{program}": executable file not found in $PATH',
    ],
    cause:
      "A program is missing. For a volume it is one that its type needs on the node (mount.nfs, iscsiadm); for a container its own command, which its image lacks or a volume hides that is mounted over its directory.",
    change: [
      "for a volume: install the client package of the storage type on the node",
      "for a container: mount the volume elsewhere, or single files with subPath; or correct the command",
    ],
  }),
  detail({
    id: "no-plugin-for-volume",
    rule: "pkg/volume/plugins.go FindPluginBySpec",
    texts: [
      'failed to get Plugin from volumeSpec for volume "{volume}" err=no volume plugin matched',
    ],
    cause: "Kubernetes has no plugin for this volume's type any more.",
    change: ["use the type's CSI driver"],
    outlook: "stuck",
  }),
  detail({
    id: "pod-certificate-waits",
    rule: "pkg/kubelet/podcertificate podcertificatemanager.go GetPodCertificateCredentialBundle",
    texts: ["credential bundle is not issued yet"],
    cause:
      "The kubelet asks for the certificate of a podCertificate source with a PodCertificateRequest, which has not been answered yet. The pod does not start without.",
    change: [signerChange, "correct the source's signerName"],
  }),
  detail({
    id: "trust-bundle-missing",
    rule: "pkg/kubelet/clustertrustbundle clustertrustbundle_manager.go GetTrustAnchorsByName, GetTrustAnchorsBySigner",
    texts: [
      "combination of signerName and labelSelector matched zero ClusterTrustBundles",
      "while getting ClusterTrustBundle: {what}",
    ],
    cause:
      "A clusterTrustBundle source names a ClusterTrustBundle that does not exist, or a signer that has none with such labels; a source without labelSelector selects none at all.",
    change: [
      "make the ClusterTrustBundle, or correct the source's name, signerName or labelSelector (labelSelector: {} takes all of the signer)",
      "set optional: true on the source",
    ],
  }),
  detail({
    id: "trust-bundles-off",
    rule: "pkg/kubelet/clustertrustbundle clustertrustbundle_manager.go NoopManager",
    texts: ["ClusterTrustBundle projection is not supported in static kubelet mode"],
    cause:
      "When this kubelet first needed a ClusterTrustBundle, the API server served none: their API is off unless it is turned on. The kubelet does not look again.",
    change: [
      "turn on certificates.k8s.io/v1beta1 and the feature gates ClusterTrustBundle and ClusterTrustBundleProjection, then restart the node's kubelet",
    ],
    outlook: "stuck",
  }),
  detail({
    id: "fibre-channel-disk-missing",
    rule: "pkg/volume/fc fc_util.go AttachDisk",
    texts: ["no fc disk found"],
    cause: "The node sees no disk under the volume's targetWWNs and lun, or its wwids.",
    change: [
      "let the storage system show the disk to this node (zoning, LUN mapping)",
      "correct targetWWNs and lun, or wwids (recreate the volume)",
    ],
  }),
  detail({
    id: "se-linux-labels-differ",
    rule: "pkg/kubelet/volumemanager/cache desired_state_of_world.go, pkg/volume/util selinux.go",
    texts: [
      'conflicting SELinux labels of volume {volumeName}: "{label}" and "{other}"',
      "multiple SELinux labels found: {labels}",
    ],
    cause:
      "The volume is mounted with one SELinux label for all of its files, and pods or containers that use it on this node have different ones.",
    change: [
      "give all of them the same seLinuxOptions",
      "set securityContext.seLinuxChangePolicy: Recursive in the pods",
    ],
    outlook: "stuck",
  }),
  detail({
    id: "container-fields-missing",
    rule: "pkg/volume/downwardapi",
    texts: ["container {container} not found"],
    cause: "A downward API volume names container {container}, which the pod does not have.",
    change: ["correct containerName"],
    outlook: "stuck",
  }),
];
