/**
 * Messages of the provisioner. Upstream: external-provisioner v6 pkg/controller, sig-storage-lib-external-provisioner v13,
 * local-path-provisioner.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const provisioner = "external-provisioner";
const failure = partsOf(provisioner);

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
    cause: "The driver of class {class} was asked for a volume, and refused.",
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
    change: ["change what the claim asks for, or the class's parameters (make the class anew)"],
  },
  failure(
    "selector-not-supported",
    "controller.go prepareProvision",
    ["claim Selector is not supported", "claim.Spec.Selector is not supported"],
    "A selector chooses among volumes that exist; a provisioner makes new ones and takes none.",
    ["remove spec.selector", 'or bind a labelled volume by hand with storageClassName: ""'],
    "stuck",
    "spec.selector",
  ),
  failure(
    "topology-failed",
    "topology.go GenerateAccessibilityRequirements",
    [
      "error generating accessibility requirements: {detail}",
      "failed to get selected CSINode {node}: {why}",
    ],
    "The provisioner cannot tell where the volume may be made.",
    ["check that the driver's node plugin runs on the chosen node and reports topology"],
  ),
  failure(
    "topology-unknown",
    "topology.go",
    [
      "no available topology found",
      "no topology key found for node {node}",
      "no topology key found on CSINode {node}",
      "topologyKeys [{keys}] were not found on any nodes",
      "topology labels from selected node map[{labels}] does not match topology keys from CSINode [{keys}]",
    ],
    "The nodes lack the driver's topology keys: its node plugin has not registered there, or labels were removed.",
    ["let the driver's node plugin run on the nodes; do not remove its labels"],
  ),
  failure(
    "topology-not-allowed",
    "topology.go",
    [
      "selected node '{node}' topology '{topology}' is not in allowed topologies: {allowed}",
      'topology {topology} from selected node "{node}" is not in requisite: {allowed}',
    ],
    "The scheduler chose node {node}, and the class's allowedTopologies leave that place out.",
    ["widen allowedTopologies (make the class anew), or let the pod run there"],
  ),
  failure(
    "data-source-failed",
    "controller.go getVolumeContentSource",
    ["error getting handle for DataSource Type {kind} by Name {source}: {detail}"],
    "The claim's dataSource, {kind} {source}, cannot be used.",
    [],
  ),
  failure(
    "restore-too-small",
    "controller.go getSnapshotSource",
    [
      "requested volume size {requested} is less than the size {size} for the source snapshot {snapshot}",
    ],
    "The claim asks for {requested} bytes, and snapshot {snapshot} needs {size}: drivers round up.",
    ["ask for at least the snapshot's status.restoreSize"],
    "stuck",
    "spec.resources.requests.storage",
  ),
  failure(
    "snapshot-not-usable",
    "controller.go getSnapshotSource",
    [
      "snapshot {snapshot} not bound",
      "snapshot {snapshot} is not Ready",
      "snapshot {snapshot} is being deleted",
      "snapshot handle {snapshot} is not available",
      "error getting snapshot {snapshot} from api server: {why}",
      "error getting snapshotcontent {content} for snapshot {snapshot}{why}",
    ],
    "Snapshot {snapshot} does not exist in the claim's namespace, or is not ready.",
    ["look at the snapshot's events", "make the claim in the snapshot's namespace"],
  ),
  failure(
    "snapshot-of-other-driver",
    "controller.go getSnapshotSource",
    [
      "snapshotcontent {content} for snapshot {snapshot} is not handled by CSI driver of StorageClass {class}",
      "snapshotcontent {content} for snapshot {snapshot} is bound to a different snapshot",
    ],
    "Snapshot and content belong together no more, or were made by another driver than the class's.",
    ["use a class of the snapshot's driver"],
    "stuck",
  ),
  failure(
    "clone-source-not-usable",
    "controller.go getPVCSource",
    [
      "claim in dataSource not bound or invalid",
      "the PVC DataSource {claim} must have a status of Bound. Got {status}",
      "the PVC DataSource {claim} is currently being deleted",
      'error getting PVC {claim} (namespace "{namespace}") from api server: {why}',
      "volume name is empty in source PVC {claim}",
    ],
    "The claim to clone does not exist in this namespace, is not bound, or is no CSI volume of this driver.",
    ["clone within one namespace and one driver, after the source is bound"],
  ),
  failure(
    "clone-too-small",
    "controller.go getPVCSource",
    [
      "error, new PVC request must be greater than or equal in size to the specified PVC data source, requested {requested} but source is {size}",
    ],
    "A clone is at least as large as its source: {size} bytes.",
    ["ask for at least {size} bytes"],
    "stuck",
    "spec.resources.requests.storage",
  ),
  failure(
    "clone-other-mode",
    "controller.go getPVCSource",
    [
      "the source PVC and destination PVCs must have the same volume mode for cloning. Source is {from}, but new PVC requested {to}",
      "requested volume {claim} modifies the mode of the source volume but does not have permission to do so. {why}",
    ],
    "Source and copy have different volume modes.",
    [
      "give both the same volumeMode; a snapshot needs the annotation snapshot.storage.kubernetes.io/allow-volume-mode-change",
    ],
    "stuck",
  ),
  failure(
    "clone-without-class",
    "controller.go getPVCSource",
    [
      "the source PVC ({claim}) storageclass cannot be empty",
      "the requested PVC ({claim}) storageclass cannot be empty",
    ],
    "Both claims of a clone need a class.",
    ["name the driver's class in both"],
    "stuck",
  ),
  failure(
    "cross-namespace-source",
    "controller.go prepareProvision",
    [
      "dataSourceRef namespace specified but the CrossNamespaceVolumeDataSource feature is disabled",
      "the PVC source not found for PVC {claim}",
      "the PVC source does not belong to the right APIGroup. Expected snapshot.storage.k8s.io, Got {group}",
    ],
    "The claim's data source cannot be read by this provisioner.",
    ["use a source in the claim's own namespace"],
    "stuck",
  ),
  failure(
    "driver-lacks-capability",
    "controller.go checkDriverCapabilities",
    ["CSI driver does not support {what}: controller {capability} capability is not reported"],
    "The driver cannot do {what}.",
    ["use a driver that can"],
    "stuck",
  ),
  failure(
    "attributes-class-of-other-driver",
    "controller.go prepareProvision",
    [
      "VAC {attributesClass} referenced in PVC is for driver {other} which does not match driver name {driver}",
    ],
    "VolumeAttributesClass {attributesClass} belongs to driver {other}, and the claim's class to {driver}.",
    ["use a VolumeAttributesClass of {driver}"],
    "stuck",
  ),
  failure(
    "secret-template-wrong",
    "controller.go getSecretReference",
    [
      '"{name}" is not a valid namespace name',
      '"{name}" is not a valid secret name',
      "either name and namespace for {what} secrets specified, Both must be specified",
      "failed to get name and namespace template from params: {detail}",
      "failed to strip CSI Parameters of prefixed keys: {detail}",
      'found unknown parameter key "{key}" with reserved namespace csi.storage.k8s.io/',
    ],
    "The class's csi.storage.k8s.io/ parameters are wrong: a secret's name and namespace belong together, and placeholders are ${pvc.name} and its like.",
    ["correct the parameters (make the class anew)"],
    "stuck",
  ),
  failure(
    "path-provisioner-refuses",
    "local-path-provisioner provisioner.go Provision",
    [
      "NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes",
      "configuration error, no node was specified",
    ],
    "The provisioner makes folders on one node, for one node.",
    ["ask for ReadWriteOnce, and let a pod use the claim"],
    "stuck",
  ),
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
];

/** Whatever else a provisioner says when it fails; the rest of the message is the cause. */
export const anyProvisionerFailure: MessagePattern = {
  id: "provisioner-failed",
  component: provisioner,
  rule: "sig-storage-lib controller.go provisionClaimOperation",
  reasons: ["ProvisioningFailed"],
  texts: ["{detail}"],
  outlook: "retried",
  cause: "The provisioner was asked for a volume, and could not make it.",
  change: [],
};
