/**
 * Messages of the provisioner. Upstream: external-provisioner v6 pkg/controller, sig-storage-lib-external-provisioner v13,
 * local-path-provisioner.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const provisioner = "external-provisioner";
const failure = messagesOf(provisioner);

export const provisionerMessages: readonly MessagePattern[] = [
  {
    id: "provisioning",
    component: provisioner,
    rule: "sig-storage-lib controller.go provisionClaimOperation",
    reasons: ["Provisioning"],
    texts: [
      'External provisioner is provisioning volume for claim "{claim}"',
      "Assuming an external populator will provision the volume",
    ],
    outlook: "waits",
    cause: "The driver is asked for a volume; its answer is the next event.",
    change: [],
  },
  {
    id: "no-populator",
    component: "volume-data-source-validator",
    rule: "pkg/data-source-validator/data_source_validator.go",
    reasons: ["UnrecognizedDataSourceKind"],
    texts: ["The datasource for this PVC does not match any registered VolumePopulator"],
    outlook: "stuck",
    cause:
      "The claim's dataSourceRef names a kind that no VolumePopulator has announced, so nothing fills the volume.",
    change: ["install the populator, or correct dataSourceRef's apiGroup and kind"],
  },
  {
    id: "populating",
    component: "volume populator",
    rule: "lib-volume-populator populator-machinery/controller.go",
    reasons: [
      "PopulatorCreationSuccess",
      "PopulatorFinished",
      "PopulatorProgress",
      "PopulatorPVCPrimeCreated",
      "PopulateOperationStartSuccess",
      "PopulateOperationFinished",
    ],
    texts: ["Populator started", "Populator finished", "PVC prime created", "{detail}"],
    outlook: "waits",
    cause: "A populator fills a volume of its own, and gives it to the claim afterwards.",
    change: [],
  },
  {
    id: "populating-failed",
    component: "volume populator",
    rule: "lib-volume-populator populator-machinery/controller.go",
    reasons: [
      "PopulatorCreationError",
      "PopulatorPVCPrimeCreationError",
      "PopulateOperationStartError",
      "PopulateOperationFailed",
    ],
    texts: ["Failed to create populator pod: {detail}", "{detail}"],
    outlook: "retried",
    cause: "The populator that is to fill the claim's volume failed.",
    change: ["look at the populator's log and its pods in its own namespace"],
  },
  {
    id: "provisioned",
    component: provisioner,
    rule: "sig-storage-lib volume_store.go",
    reasons: ["ProvisioningSucceeded"],
    texts: ["Successfully provisioned volume {volume}"],
    outlook: "done",
    cause: "Volume {volume} was made for the claim.",
    change: [],
  },
  {
    id: "provisioning-failed",
    component: provisioner,
    rule: "sig-storage-lib controller.go provisionClaimOperation",
    reasons: ["ProvisioningFailed"],
    texts: ['failed to provision volume with StorageClass "{class}": {detail}'],
    outlook: "retried",
    cause: "The provisioner of class {class} was asked for a volume, and could not make it.",
    change: [],
  },
  {
    id: "provisioning-infeasible",
    component: provisioner,
    rule: "sig-storage-lib controller.go, infeasible errors",
    reasons: ["ProvisioningFailed"],
    texts: ["Volume provisioning failed with infeasible error. Retries will be delayed. {detail}"],
    outlook: "retried",
    cause:
      "The driver says that this request can never be met: size, parameters, access or volume mode.",
    change: ["change what the claim asks for, or the class's parameters (recreate the class)"],
  },
  failure({
    id: "selector-not-supported",
    rule: "controller.go prepareProvision",
    texts: ["claim Selector is not supported", "claim.Spec.Selector is not supported"],
    cause:
      "A selector chooses among volumes that exist; a provisioner makes new ones and takes none.",
    change: ["remove spec.selector", 'bind a labelled volume by hand with storageClassName: ""'],
    outlook: "stuck",
    field: "spec.selector",
  }),
  failure({
    id: "block-not-made",
    rule: "sig-storage-lib controller.go canProvision",
    texts: ["{provisioner} does not support block volume provisioning"],
    cause: "The claim is to be a raw device, and {provisioner} makes file systems only.",
    change: [
      "leave volumeMode out (recreate the claim), and mount the volume with volumeMounts",
      "use a class whose driver makes block volumes",
    ],
    outlook: "stuck",
    field: "spec.volumeMode",
  }),
  failure({
    id: "topology-failed",
    rule: "topology.go GenerateAccessibilityRequirements",
    texts: [
      "error generating accessibility requirements: {detail}",
      "failed to get selected CSINode {node}: {why}",
    ],
    cause: "The provisioner cannot tell where the volume may be made.",
    change: ["check that the driver's node plugin runs on the chosen node and reports topology"],
  }),
  failure({
    id: "topology-unknown",
    rule: "topology.go",
    texts: [
      "no available topology found",
      "no topology key found on CSINode",
      "no topology key found",
      "no topology key found for node {node}",
      "no topology key found on CSINode {node}",
      "topologyKeys [{keys}] were not found on any nodes",
      "topology labels from selected node map[{labels}] does not match topology keys from CSINode [{keys}]",
    ],
    cause:
      "The nodes lack the driver's topology keys: its node plugin has not registered there, or labels were removed.",
    change: ["let the driver's node plugin run on the nodes; do not remove its labels"],
  }),
  failure({
    id: "topology-not-allowed",
    rule: "topology.go",
    texts: [
      `selected node '"{node}"' topology '{topology}' is not in allowed topologies: {allowed}`,
      "selected node '{node}' topology '{topology}' is not in allowed topologies: {allowed}",
      'topology {topology} from selected node "{node}" is not in requisite: {allowed}',
    ],
    cause:
      "The scheduler chose node {node}, and the class's allowedTopologies leave that place out.",
    change: ["widen allowedTopologies (recreate the class), or let the pod run there"],
  }),
  failure({
    id: "data-source-failed",
    rule: "controller.go getVolumeContentSource",
    texts: ["error getting handle for DataSource Type {kind} by Name {source}: {detail}"],
    cause: "The claim's dataSource, {kind} {source}, cannot be used.",
    change: [],
  }),
  failure({
    id: "restore-too-small",
    rule: "controller.go getSnapshotSource",
    texts: [
      "requested volume size {requested} is less than the size {size} for the source snapshot {snapshot}",
    ],
    cause:
      "The claim asks for {requested} bytes, and snapshot {snapshot} needs {size}: drivers round up.",
    change: ["ask for at least the snapshot's status.restoreSize"],
    outlook: "stuck",
    field: "spec.resources.requests.storage",
  }),
  failure({
    id: "snapshot-not-bound",
    rule: "controller.go getSnapshotSource",
    texts: ["snapshot {snapshot} not bound"],
    cause:
      "Snapshot {snapshot} has no content yet; to older provisioners also one whose content is gone, another snapshot's or another driver's than the class's.",
    change: [
      "look at the snapshot's events",
      "use a class whose provisioner is the snapshot's driver, by its own name: an in-tree name is another",
    ],
    outlook: "retried",
    field: "spec.dataSource",
  }),
  failure({
    id: "snapshot-not-usable",
    rule: "controller.go getSnapshotSource",
    texts: [
      "snapshot {snapshot} is not Ready",
      "snapshot {snapshot} is being deleted",
      "snapshot {snapshot} is currently being deleted",
      "snapshot handle {snapshot} is not available",
      "error getting snapshot {snapshot} from api server: {why}",
      "error getting snapshotcontent {content} for snapshot {snapshot}{why}",
    ],
    cause: "Snapshot {snapshot} does not exist in the claim's namespace, or is not ready.",
    change: ["look at the snapshot's events", "make the claim in the snapshot's namespace"],
    outlook: "retried",
    field: "spec.dataSource",
  }),
  failure({
    id: "snapshot-of-other-driver",
    rule: "controller.go getSnapshotSource",
    texts: [
      "snapshotcontent {content} for snapshot {snapshot} is not handled by CSI driver of StorageClass {class}",
      "snapshotcontent {content} for snapshot {snapshot} is bound to a different snapshot",
    ],
    cause:
      "Snapshot and content belong together no more, or were made by another driver than the class's.",
    change: [
      "use a class whose provisioner is the snapshot's driver, by its own name: an in-tree name is another",
    ],
    outlook: "stuck",
    field: "spec.dataSource",
  }),
  failure({
    id: "clone-source-not-usable",
    rule: "controller.go getPVCSource",
    texts: [
      "claim in dataSource not bound or invalid",
      "the PVC DataSource {claim} must have a status of Bound. Got {status}",
      "the PVC DataSource {claim} is currently being deleted",
      'error getting PVC {claim} (namespace "{namespace}") from api server: {why}',
      "volume name is empty in source PVC {claim}",
    ],
    cause:
      "The claim to clone does not exist in this namespace, is not bound, or is no CSI volume of this driver.",
    change: ["clone within one namespace and one driver, after the source is bound"],
    outlook: "retried",
    field: "spec.dataSource",
  }),
  failure({
    id: "clone-too-small",
    rule: "controller.go getPVCSource",
    texts: [
      "error, new PVC request must be greater than or equal in size to the specified PVC data source, requested {requested} but source is {size}",
    ],
    cause: "A clone is at least as large as its source: {size} bytes.",
    change: ["ask for at least {size} bytes"],
    outlook: "stuck",
    field: "spec.resources.requests.storage",
  }),
  failure({
    id: "clone-other-mode",
    rule: "controller.go getPVCSource",
    texts: [
      "the source PVC and destination PVCs must have the same volume mode for cloning. Source is {from}, but new PVC requested {to}",
      "requested volume {claim} modifies the mode of the source volume but does not have permission to do so. {why}",
    ],
    cause: "Source and copy have different volume modes.",
    change: [
      "give both the same volumeMode; a snapshot needs the annotation snapshot.storage.kubernetes.io/allow-volume-mode-change",
    ],
    outlook: "stuck",
  }),
  failure({
    id: "clone-without-class",
    rule: "controller.go getPVCSource",
    texts: [
      "the source PVC ({claim}) storageclass cannot be empty",
      "the requested PVC ({claim}) storageclass cannot be empty",
    ],
    cause: "Both claims of a clone need a class.",
    change: ["name the driver's class in both"],
    outlook: "stuck",
    field: "spec.dataSource",
  }),
  failure({
    id: "cross-namespace-source",
    rule: "controller.go prepareProvision",
    texts: [
      "dataSourceRef namespace specified but the CrossNamespaceVolumeDataSource feature is disabled",
      "the PVC source not found for PVC {claim}",
      "accessing {source} of {kind} dataSource from {target} isn't allowed",
      "the PVC source does not belong to the right APIGroup. Expected snapshot.storage.k8s.io, Got {group}",
    ],
    cause: "The claim's data source cannot be read by this provisioner.",
    change: ["use a source in the claim's own namespace"],
    outlook: "stuck",
    field: "spec.dataSource",
  }),
  failure({
    id: "driver-lacks-capability",
    rule: "controller.go checkDriverCapabilities",
    texts: [
      "CSI driver does not support {what}: controller {capability} capability is not reported",
    ],
    cause: "The driver cannot do {what}.",
    change: ["use a driver that can"],
    outlook: "stuck",
  }),
  failure({
    id: "attributes-class-of-other-driver",
    rule: "controller.go prepareProvision",
    texts: [
      "VAC {attributesClass} referenced in PVC is for driver {other} which does not match driver name {driver}",
    ],
    cause:
      "VolumeAttributesClass {attributesClass} belongs to driver {other}, and the claim's class to {driver}.",
    change: ["use a VolumeAttributesClass of {driver}"],
    outlook: "stuck",
  }),
  failure({
    id: "secret-template-wrong",
    rule: "controller.go getSecretReference",
    texts: [
      '"{name}" is not a valid namespace name',
      '"{name}" is not a valid secret name',
      "either name and namespace for {what} secrets specified, Both must be specified",
      "failed to get name and namespace template from params: {detail}",
    ],
    cause:
      "The class's csi.storage.k8s.io/ parameters are wrong: a secret's name and namespace belong together, and placeholders are ${pvc.name} and its like.",
    change: ["correct the parameters (recreate the class)"],
    outlook: "stuck",
  }),
  failure({
    id: "parameter-with-reserved-prefix",
    rule: "controller.go removePrefixedParameters",
    texts: [
      'failed to strip CSI Parameters of prefixed keys: found unknown parameter key "{key}" with reserved namespace csi.storage.k8s.io/',
      'found unknown parameter key "{key}" with reserved namespace csi.storage.k8s.io/',
      "failed to strip CSI Parameters of prefixed keys: {detail}",
    ],
    cause:
      "The sidecars read all that begins with csi.storage.k8s.io/ themselves, and know no such key.",
    change: ["correct the key (recreate the class)"],
    outlook: "stuck",
  }),
  failure({
    id: "path-provisioner-refuses",
    rule: "local-path-provisioner provisioner.go Provision, dynamic-localpv-provisioner provisioner.go Provision",
    texts: [
      "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes",
      "Only support ReadWriteOnce access mode",
    ],
    cause: "The provisioner makes folders on one node, for one node.",
    change: ["ask for ReadWriteOnce, and let a pod use the claim"],
    outlook: "stuck",
  }),
  failure({
    id: "path-provisioner-without-node",
    rule: "local-path-provisioner provisioner.go Provision, dynamic-localpv-provisioner provisioner.go Provision",
    texts: ["configuration error, no node was specified"],
    cause:
      "The provisioner makes folders on the node that the scheduler has chosen for a pod, and its class has volumes made before there is one.",
    change: ["recreate the class with volumeBindingMode: WaitForFirstConsumer, and the claim too"],
    outlook: "stuck",
  }),
  failure({
    id: "local-path-config-lacks",
    rule: "local-path-provisioner provisioner.go pickConfig, isSharedFilesystem, getPathOnNode",
    texts: [
      "config doesn't contain node {node}, and no DEFAULT_PATH_FOR_NON_LISTED_NODES available",
      "config doesn't contain path {path} on node {node}",
      "no local path available on node {node}",
      "no valid config available",
      "both nodePathMap and sharedFileSystemPath are defined. Please make sure only one is in use",
      "both nodePathMap and sharedFileSystemPath are unconfigured",
      "BUG: Got request for unexpected storage class {class}",
    ],
    cause:
      "config.json in the provisioner's ConfigMap local-path-config has no directory for this class on the chosen node.",
    change: [
      "correct config.json: nodePathMap by node, DEFAULT_PATH_FOR_NON_LISTED_NODES for all others, or sharedFileSystemPath alone",
      "let the pod run where it has one",
    ],
  }),
  failure({
    id: "local-path-out-of-room",
    rule: "local-path-provisioner provisioner.go getPathOnNode",
    texts: [
      "path {path} on node {node} has insufficient capacity (requested {bytes} bytes)",
      "no local path on node {node} has sufficient capacity for {bytes} bytes",
    ],
    cause:
      "The volumes that are there have used up the maxCapacity that config.json gives to the path.",
    change: ["raise maxCapacity, delete claims, or ask for less"],
  }),
  failure({
    id: "local-path-size-limit",
    rule: "local-path-provisioner provisioner.go provisionFor",
    texts: [
      "PVC requests {size} which is below minimum size {limit}",
      "PVC requests {size} which exceeds maximum size {limit}",
      "invalid StorageClass parameter {name} {value}: {detail}",
    ],
    cause: "config.json or the class limits the size of volumes by minSize and maxSize.",
    change: ["ask for a size within the limits (recreate the claim)"],
    outlook: "stuck",
  }),
  failure({
    id: "local-path-pattern-refused",
    rule: "local-path-provisioner provisioner.go pathFromPattern, provisionFor",
    texts: [
      "failed to create path from pattern {pattern}: {detail}",
      "pathPattern must start with {{ .PVC.Namespace }}/{{ .PVC.Name }}/: {path}",
      "folder path contains invalid references: {path}",
    ],
    cause:
      "Since v0.0.34 a class's pathPattern must stay in a folder of the claim's own; earlier versions made any path.",
    change: [
      'begin pathPattern with {{ .PVC.Namespace }}/{{ .PVC.Name }}/, or set the parameter allowUnsafePathPattern to "true" (recreate the class)',
    ],
    outlook: "stuck",
  }),
  failure({
    id: "local-path-volume-type",
    rule: "local-path-provisioner provisioner.go createPersistentVolumeSource",
    texts: [
      'failed to create persistent volume source: "{type}" is not a recognised volume type',
      '"{type}" is not a recognised volume type',
    ],
    cause:
      "Its volumes are of type local or hostPath, as the claim's annotation volumeType or the class's defaultVolumeType says.",
    change: ["correct the annotation"],
    outlook: "stuck",
  }),
  failure({
    id: "openebs-local-refuses",
    rule: "dynamic-localpv-provisioner provisioner.go Provision, validateVolumeSource",
    texts: [
      "clone feature not supported by this provisioner",
      "snapshot feature not supported by this provisioner",
      "datasource {kind} of group {group} is not handled by the provisioner",
      "PV with BlockMode is not supported with StorageType {type}",
      "PV with StorageType {type} is not supported",
      "configuration error, node{{node}} hostname is empty",
    ],
    cause:
      "OpenEBS's local host paths are empty directories: no copies, no block volumes, no other type than hostpath.",
    change: [
      "use a class whose driver can",
      "set StorageType to hostpath in cas.openebs.io/config",
    ],
    outlook: "stuck",
  }),
  failure({
    id: "helper-pod-timeout",
    rule: "local-path-provisioner provisioner.go createHelperPod, dynamic-localpv-provisioner helper_hostpath.go exitPod",
    texts: [
      "create process timeout after {seconds} seconds",
      "failed to create volume {volume}: create process timeout after {seconds} seconds",
    ],
    cause:
      "The pod that makes the directory on the chosen node did not end in time: the node's kubelet is down, or its image cannot be pulled there.",
    change: [
      "look at the provisioner's namespace for pods whose name holds the volume's, and at their node",
    ],
  }),
  {
    id: "self-link-empty",
    component: provisioner,
    rule: "sig-storage-lib-external-provisioner before v6 controller.go provisionClaimOperation",
    texts: ["unexpected error getting claim reference: selfLink was empty, can't make reference"],
    outlook: "stuck",
    cause:
      "The provisioner needs metadata.selfLink, which Kubernetes has not filled in since 1.20: it is too old.",
    change: [
      "use a newer version of the provisioner; in place of nfs-client-provisioner its successor nfs-subdir-external-provisioner",
    ],
  },
  {
    id: "delete-failed",
    component: provisioner,
    rule: "sig-storage-lib controller.go deleteVolumeOperation",
    reasons: ["VolumeFailedDelete"],
    texts: ["persistentvolume {volume} is still attached to node {node}", "{detail}"],
    outlook: "retried",
    cause: "The volume is to be deleted, and cannot be yet.",
    change: ["wait until it is detached; look at the driver's log otherwise"],
  },
  {
    id: "helper-pod-delete-failed",
    component: provisioner,
    rule: "local-path-provisioner provisioner.go deleteFor, dynamic-localpv-provisioner provisioner_hostpath.go DeleteHostPath",
    reasons: ["VolumeFailedDelete"],
    texts: [
      "failed to delete volume {volume}: failed to delete volume {volume}: create process timeout after {seconds} seconds",
      "failed to delete volume {volume}: failed to delete volume {volume}: clean up volume {volume} failed: create process timeout after {seconds} seconds",
      "failed to delete volume {volume}: failed to delete volume {volume}: Unable to get the Node with the Node Labels {labels}",
    ],
    outlook: "retried",
    cause:
      "The volume's directory is on a node that does not run the pod which would remove it: the node is down or gone.",
    change: ["bring the node back; where it is gone for good, delete the PersistentVolume"],
  },
];

/** Any other failure of a provisioner; the message itself is the cause. */
export const anyProvisionerFailure: MessagePattern = {
  id: "provisioner-failed",
  component: provisioner,
  rule: "sig-storage-lib controller.go provisionClaimOperation",
  reasons: ["ProvisioningFailed"],
  texts: ["{detail}"],
  outlook: "retried",
  cause: "No volume could be made for the claim.",
  change: [],
};
