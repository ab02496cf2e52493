/**
 * Messages of the CSI sidecars: provisioner, resizer, snapshotter, and of the CSI drivers behind them. Upstream:
 * external-provisioner v6 pkg/controller, external-resizer v2, external-snapshotter v8, sig-storage-lib-external-provisioner v13.
 */
import type { MessagePattern } from "./message-pattern.ts";

const provisioner = "external-provisioner";
const resizer = "external-resizer";
const snapshotter = "snapshot-controller";

function failure(
  component: string,
  id: string,
  rule: string,
  texts: readonly string[],
  cause: string,
  change: readonly string[],
  outlook: MessagePattern["outlook"] = "retried",
  field?: string,
): MessagePattern {
  const pattern = { id, component, rule, texts, outlook, cause, change };
  return field === undefined ? pattern : { ...pattern, field };
}

const provisioning: readonly MessagePattern[] = [
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
    provisioner,
    "selector-not-supported",
    "controller.go prepareProvision",
    ["claim Selector is not supported", "claim.Spec.Selector is not supported"],
    "A selector chooses among volumes that exist; a provisioner makes new ones and takes none.",
    ["remove spec.selector", 'or bind a labelled volume by hand with storageClassName: ""'],
    "stuck",
    "spec.selector",
  ),
  failure(
    provisioner,
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
    provisioner,
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
    provisioner,
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
    provisioner,
    "data-source-failed",
    "controller.go getVolumeContentSource",
    ["error getting handle for DataSource Type {kind} by Name {source}: {detail}"],
    "The claim's dataSource, {kind} {source}, cannot be used.",
    [],
  ),
  failure(
    provisioner,
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
    provisioner,
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
    provisioner,
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
    provisioner,
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
    provisioner,
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
    provisioner,
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
    provisioner,
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
    provisioner,
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
    provisioner,
    "driver-lacks-capability",
    "controller.go checkDriverCapabilities",
    ["CSI driver does not support {what}: controller {capability} capability is not reported"],
    "The driver cannot do {what}.",
    ["use a driver that can"],
    "stuck",
  ),
  failure(
    provisioner,
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
    provisioner,
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
    provisioner,
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

const resizing: readonly MessagePattern[] = [
  {
    id: "resizing",
    component: resizer,
    rule: "controller.go expandVolume",
    reasons: ["Resizing"],
    texts: ["External resizer is resizing volume {volume}"],
    outlook: "waits",
    cause: "The driver grows volume {volume}; its answer is the next event.",
    change: [],
  },
  {
    id: "resize-on-node",
    component: resizer,
    rule: "controller.go markForPendingNodeExpansion",
    reasons: ["FileSystemResizeRequired"],
    texts: [
      "Require file system resize of volume on node",
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.",
    ],
    outlook: "waits",
    cause:
      "The volume has grown; the file system in it grows when a kubelet mounts it, or at once where it is mounted.",
    change: ["start a pod that mounts the claim, or restart it if nothing happens"],
  },
  {
    id: "resize-only-offline",
    component: resizer,
    rule: "controller.go resizeVolume",
    reasons: ["VolumeResizeFailed"],
    texts: [
      "Unable to expand {claim} because CSI driver {driver} only supports offline expansion and volume is currently in-use",
    ],
    outlook: "retried",
    cause: "Driver {driver} grows volumes only while no pod uses them.",
    change: ["end the pods that use the claim, and start them again when it has grown"],
  },
  {
    id: "resize-failed",
    component: resizer,
    rule: "controller.go resizeVolume",
    reasons: ["VolumeResizeFailed"],
    texts: ['resize volume "{volume}" by resizer "{driver}" failed: {detail}', "{detail}"],
    outlook: "retried",
    cause: "The driver refused to grow the volume.",
    change: [
      "ask for a size that it can give: a larger request that failed may be lowered again, not below status.capacity",
    ],
  },
  {
    id: "resized",
    component: resizer,
    rule: "controller.go markOverallExpansionAsFinished",
    reasons: ["VolumeResizeSuccessful"],
    texts: ["Resize volume succeeded"],
    outlook: "done",
    cause: "The volume has the size that the claim asks for.",
    change: [],
  },
  {
    id: "modifying",
    component: resizer,
    rule: "pkg/modifycontroller",
    reasons: ["VolumeModify", "VolumeModifySuccessful", "VolumeModifyCanceled"],
    texts: [
      "Cancelled modify.",
      "external resizer is modifying volume {claim} with vac {attributesClass}",
      "external resizer modified volume {claim} with vac {attributesClass} successfully",
    ],
    outlook: "done",
    cause: "The volume gets the attributes of another VolumeAttributesClass, or keeps its own.",
    change: [],
  },
  {
    id: "modify-failed",
    component: resizer,
    rule: "pkg/modifycontroller",
    reasons: ["VolumeModifyFailed"],
    texts: [
      'VAC "{attributesClass}" does not exist.',
      "{detail}. Still modifying to VAC {attributesClass}",
      "{detail}",
    ],
    outlook: "retried",
    cause: "The volume does not get the attributes of its VolumeAttributesClass.",
    change: [
      "name a VolumeAttributesClass of the volume's driver that exists, with parameters that it takes",
    ],
  },
];

const snapshots: readonly MessagePattern[] = [
  {
    id: "snapshot-content-failed",
    component: snapshotter,
    rule: "snapshot_controller.go syncUnreadySnapshot",
    reasons: ["SnapshotContentCreationFailed"],
    texts: ["Failed to create snapshot content with error {detail}"],
    outlook: "retried",
    cause: "The snapshot cannot be begun.",
    change: [],
  },
  failure(
    snapshotter,
    "snapshot-input-failed",
    "snapshot_controller.go createSnapshotContent",
    [
      'failed to get input parameters to create snapshot {snapshot}: "{detail}"',
      "failed to get input parameters to create snapshot {snapshot}: {detail}",
    ],
    "What snapshot {snapshot} is to be taken of cannot be used.",
    [],
  ),
  failure(
    snapshotter,
    "snapshot-source-not-bound",
    "snapshot_controller.go getVolumeFromVolumeSnapshot",
    ["the PVC {claim} is not yet bound to a PV, will not attempt to take a snapshot"],
    "Claim {claim} has no volume yet.",
    ["bind the claim first: its own events say what keeps it"],
  ),
  failure(
    snapshotter,
    "snapshot-source-missing",
    "snapshot_controller.go getClaimFromVolumeSnapshot",
    [
      "snapshot controller failed to update {snapshot} on API server: cannot get claim from snapshot",
      "snapshot controller failed to update {snapshot} on API server: cannot add finalizer on claim because it is being deleted",
      "failed to retrieve PVC {claim} from the lister: {why}",
    ],
    "The claim that the snapshot is to be taken of does not exist in its namespace, or is being deleted.",
    ["correct spec.source.persistentVolumeClaimName"],
  ),
  failure(
    snapshotter,
    "snapshot-of-non-csi-volume",
    "snapshot_controller.go",
    [
      "cannot find CSI PersistentVolumeSource for volume {volume}",
      "snapshotting non-CSI volumes is not supported, snapshot:{snapshot}",
    ],
    "Only volumes of CSI drivers can be snapshotted.",
    ["use a claim of a CSI driver's class"],
    "stuck",
  ),
  {
    id: "snapshot-class-failed",
    component: snapshotter,
    rule: "snapshot_controller.go SetDefaultSnapshotClass, GetSnapshotClass",
    reasons: ["SetDefaultSnapshotClassFailed", "GetSnapshotClassFailed"],
    texts: [
      "Failed to set default snapshot class with error {detail}",
      "Failed to get snapshot class with error {detail}",
    ],
    outlook: "retried",
    cause: "The snapshot's class cannot be determined.",
    change: [],
  },
  failure(
    snapshotter,
    "no-default-snapshot-class",
    "snapshot_controller.go SetDefaultSnapshotClass",
    ["cannot find default snapshot class"],
    "The snapshot names no class, and no VolumeSnapshotClass of the volume's driver is the default.",
    [
      "name a class in spec.volumeSnapshotClassName",
      'or mark one with snapshot.storage.kubernetes.io/is-default-class: "true"',
    ],
  ),
  failure(
    snapshotter,
    "many-default-snapshot-classes",
    "snapshot_controller.go SetDefaultSnapshotClass",
    ["{count} default snapshot classes were found"],
    "{count} VolumeSnapshotClasses of the driver are marked as the default; none is taken.",
    ["leave the mark at one of them"],
  ),
  failure(
    snapshotter,
    "snapshot-class-not-found",
    "snapshot_controller.go getSnapshotClass",
    [
      'volumesnapshotclass.snapshot.storage.k8s.io "{snapshotClass}" not found',
      "failed to get snapshot class {snapshotClass} for snapshot content {content}: {why}",
    ],
    "VolumeSnapshotClass {snapshotClass} does not exist.",
    ["make it, or correct the name"],
  ),
  {
    id: "snapshot-content-wrong",
    component: snapshotter,
    rule: "snapshot_controller.go syncReadySnapshot, checkandBindSnapshotContent",
    reasons: [
      "SnapshotContentMissing",
      "SnapshotContentMisbound",
      "SnapshotContentMismatch",
      "SnapshotFinalizerError",
      "SnapshotHandleSet",
      "SnapshotMisbound",
      "SnapshotBindFailed",
      "SnapshotStatusUpdateFailed",
      "CreateSnapshotContentFailed",
      "ErrorPVCFinalizer",
    ],
    texts: [
      "VolumeSnapshotContent is missing",
      "VolumeSnapshotContent [{content}] is bound to a different snapshot",
      "VolumeSnapshotContent is not bound to the VolumeSnapshot correctly",
      "VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one",
      "VolumeSnapshotContent {content} is pre-provisioned while expecting a dynamically provisioned one",
      "Snapshot handle should not be set in content {content} for dynamic provisioning",
      "Failed to check and update snapshot: {detail}",
      "Error creating volume snapshot content object for snapshot {snapshot}: {detail}.",
      "Snapshot failed to bind VolumeSnapshotContent, {detail}",
      "Snapshot status update failed, {detail}",
      "Error check and remove PVC Finalizer for VolumeSnapshot",
    ],
    outlook: "stuck",
    cause:
      "Snapshot and content do not point at each other: volumeSnapshotContentName on one side, volumeSnapshotRef on the other.",
    change: [
      "correct the two names; content and snapshot are made anew, for both fields are fixed",
    ],
  },
  {
    id: "snapshot-used",
    component: snapshotter,
    rule: "snapshot_controller.go checkandRemoveSnapshotFinalizersAndCheckandDeleteContent",
    reasons: ["SnapshotDeletePending"],
    texts: ["Snapshot is being used to restore a PVC"],
    outlook: "waits",
    cause:
      "A claim that restores from the snapshot is still Pending; the snapshot is deleted afterwards.",
    change: ["let the claim be bound, or delete it"],
  },
  {
    id: "snapshot-driver-failed",
    component: "csi-snapshotter",
    rule: "sidecar-controller/snapshot_controller.go createSnapshot",
    reasons: ["SnapshotCreationFailed", "SnapshotContentCheckandUpdateFailed"],
    texts: [
      "Failed to create snapshot: {detail}",
      "Failed to check and update snapshot content: {detail}",
    ],
    outlook: "retried",
    cause: "The driver was asked for a snapshot, and refused.",
    change: [],
  },
  failure(
    "csi-snapshotter",
    "snapshot-call-failed",
    "sidecar-controller/csi_handler.go CreateSnapshot",
    [
      'failed to take snapshot of the volume {handle}: "{detail}"',
      "failed to take snapshot of the volume {handle}: {detail}",
    ],
    "The driver's CreateSnapshot failed.",
    [],
  ),
  {
    id: "snapshot-delete-failed",
    component: "csi-snapshotter",
    rule: "sidecar-controller/snapshot_controller.go deleteCSISnapshotOperation",
    reasons: ["SnapshotDeleteError", "SnapshotContentObjectDeleteError"],
    texts: [
      "Failed to delete snapshot",
      "Failed to get snapshot credentials",
      "Failed to clear content status",
      "Failed to delete snapshot content API object",
    ],
    outlook: "retried",
    cause: "The driver does not delete the snapshot: it is in use, or a secret is missing.",
    change: ["look at the csi-snapshotter's log"],
  },
  {
    id: "snapshot-progress",
    component: snapshotter,
    rule: "snapshot_controller.go",
    reasons: ["CreatingSnapshot", "SnapshotCreated", "SnapshotReady"],
    texts: [
      "Waiting for a snapshot {snapshot} to be created by the CSI driver.",
      "Snapshot {snapshot} was successfully created by the CSI driver.",
      "Snapshot {snapshot} is ready to use.",
    ],
    outlook: "done",
    cause: "The snapshot is on its way: taken first, ready to restore from afterwards.",
    change: [],
  },
  {
    id: "snapshot-invalid",
    component: snapshotter,
    rule: "snapshot_controller.go validation",
    reasons: ["SnapshotValidationError", "ContentValidationError"],
    texts: [
      "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified",
      "Exactly one of VolumeHandle and SnapshotHandle should be specified",
    ],
    outlook: "stuck",
    cause: "A snapshot has one source: a claim, or a content that exists.",
    change: ["make it anew with one of the two fields"],
  },
];

const codes: Readonly<Record<string, readonly [cause: string, change: string]>> = {
  InvalidArgument: [
    "the driver cannot read or do what it was asked: parameters, access mode, volume mode",
    "correct the class's parameters or the claim's modes",
  ],
  OutOfRange: [
    "the size is out of what the driver can give",
    "ask for a size between the driver's limits",
  ],
  ResourceExhausted: [
    "the pool, the quota or the node's slots are used up",
    "free storage, raise the quota, or use another pool or node",
  ],
  NotFound: [
    "the volume, snapshot or node is not in the storage system",
    "check volumeHandle, and that the object has not been deleted there",
  ],
  AlreadyExists: [
    "a volume of that name exists with other properties",
    "delete it in the storage system, or use the same properties",
  ],
  PermissionDenied: [
    "the driver's account may not do that",
    "give its role or secret the permission",
  ],
  Unauthenticated: ["the driver's credentials are refused", "correct its secret"],
  FailedPrecondition: [
    "the volume's state does not allow it: in use elsewhere, not attached, busy",
    "end what uses it, then it is tried again",
  ],
  Aborted: [
    "an operation on the same volume is still going on",
    "wait; if it never ends, look at the driver's log",
  ],
  DeadlineExceeded: [
    "the driver or the storage system did not answer in time; the operation may still be going on",
    "wait; look at the driver's log",
  ],
  Unavailable: [
    "the driver or the storage system cannot be reached",
    "check the driver's pods and the network",
  ],
  Internal: [
    "the driver failed for a reason of its own",
    "the text behind desc is the driver's; look at its log",
  ],
  Unimplemented: ["the driver cannot do this at all", "use a driver that can"],
};

/** A driver's own answer. Upstream: the CSI specification's error scheme. */
const answers: readonly MessagePattern[] = Object.entries(codes).map(([code, [cause, change]]) => ({
  id: `csi-${code.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}`,
  component: "CSI driver",
  rule: `CSI specification, gRPC code ${code}`,
  texts: [`rpc error: code = ${code} desc = {desc}`],
  outlook: code === "InvalidArgument" || code === "Unimplemented" ? "stuck" : "retried",
  cause: `The driver answers ${code}: ${cause}. It says: {desc}`,
  change: [change],
}));

/** Whatever else a provisioner says when it fails; the rest of the message is the cause. */
const anyFailure: MessagePattern = {
  id: "provisioner-failed",
  component: provisioner,
  rule: "sig-storage-lib controller.go provisionClaimOperation",
  reasons: ["ProvisioningFailed"],
  texts: ["{detail}"],
  outlook: "retried",
  cause: "The provisioner was asked for a volume, and could not make it.",
  change: [],
};

export const driverMessages: readonly MessagePattern[] = [
  ...answers,
  ...provisioning,
  anyFailure,
  ...resizing,
  ...snapshots,
];
