/**
 * Messages of storage systems and clouds inside a driver's answer. Upstream: none; their own words, as drivers pass them on.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { foreignMessagesOf, messagesOf } from "./messages-of.ts";

const said = foreignMessagesOf("storage system", "its own answer");
const secretsStore = messagesOf("Secrets Store CSI driver");
const keyVault = messagesOf("Azure Key Vault provider", "secrets-store-csi-driver-provider-azure ");
const publish = "secrets-store-csi-driver pkg/secrets-store/nodeserver.go NodePublishVolume";

export const storageSystemMessages: readonly MessagePattern[] = [
  said({
    id: "attached-elsewhere",
    texts: [
      "VolumeInUse",
      "RESOURCE_IN_USE_BY_ANOTHER_RESOURCE",
      "is already being used by",
      "is currently attached to",
      "already attached to node",
      "is already attached to an instance",
      "is already attached to a server",
      "already attached to the node",
      "since it is already attached to",
      "already attached to another",
      "status must be 'available'. Currently in 'in-use'",
      "current status is in-use",
      "already attached on node",
      "already attached to VM",
      'Code="ConflictingUserInput"',
    ],
    cause:
      "The storage system has the volume attached to another machine, and attaches it to one only.",
    change: [
      "look for the VolumeAttachment and the pods of the other node; wait until it is detached",
      "if that node is gone for good: delete its VolumeAttachment, or detach the volume in the storage system",
    ],
  }),
  said({
    id: "disk-not-available",
    texts: ["isn't in available state", "status must be available or downloading"],
    cause:
      "The storage system attaches only disks that are available, and this one is not: in use, being detached, or in error.",
    change: [
      "look at the disk's state in the storage system (openstack volume show)",
      "if it is in use: look for the VolumeAttachment and the pods of the other node",
    ],
  }),
  said({
    id: "grows-only-detached",
    texts: [
      "only offline volume expansion is supported",
      "can only be expanded offline",
      "volume is currently published on a node",
      "volume is not in an availble state for OFFLINE expansion",
    ],
    cause: "The driver grows volumes only while they are attached to no node, and this one is.",
    change: [
      "scale the workload to zero; when the volume is detached it grows, then scale it up again",
    ],
  }),
  said({
    id: "size-over-limit",
    texts: ["VolumeSizeExceedsLimit"],
    cause: "The storage system makes no disk as large as that.",
    change: ["ask for less"],
  }),
  said({
    id: "size-under-least",
    texts: [
      "Disk size cannot be smaller than",
      "volumes must be at least {size} GiB in size",
      "requested size {size} is less than minimum {least}",
      "XFS filesystems with size {bytes}, smaller than {least}, are not supported",
      "Filesystem must be larger than 300MB",
    ],
    cause: "The volume would be smaller than the storage system or mkfs makes any of its type.",
    change: ["ask for more", "use a class of another type or file system"],
  }),
  said({
    id: "size-not-made",
    texts: [
      'The specified parameter "Size" is not valid',
      "Invalid size ({size}) - Must be between",
      "invalid input in field 'size'",
    ],
    cause:
      "The storage system makes no disk of that size: it is smaller or larger than it makes any of its type.",
    change: [
      "look up the sizes of the class's type of disk, and ask for one of them; most often it is to be more",
    ],
  }),
  said({
    id: "operations-missing",
    texts: [
      "The parameter iops must be specified",
      "InvalidPerUnitStorageThroughput",
      "specify either IOPS or IOPSPerGb, not both",
      "the resulting IOPS {count} is too low for AWS",
    ],
    cause:
      "The class's type of storage is made with a number of operations or a throughput that the class names, once, and this one does not.",
    change: [
      "set it among the class's parameters: iops or iopsPerGB of EBS, perUnitStorageThroughput of FSx (recreate the class)",
    ],
  }),
  said({
    id: "still-attached",
    texts: [
      "is still attached to",
      "The resource 'volume' is in use",
      "ResourceInUse",
      "has watchers",
    ],
    cause:
      "The storage system does not delete the volume, which is attached to a machine or in use.",
    change: ["end what uses it; look for a VolumeAttachment that was left over"],
  }),
  said({
    id: "attachment-count-exceeded",
    texts: [
      "AttachmentLimitExceeded",
      "maximum allowed number of disk devices",
      "max number of volumes",
      "maximum number of volumes already attached",
      "Too many attachments",
      "maximum number of data disks",
    ],
    cause: "The machine has as many volumes as it may have.",
    change: [
      "spread the pods, or use larger machines",
      "let the driver report its limit (volumeAttachLimit), so that the scheduler counts",
    ],
  }),
  said({
    id: "other-zone",
    texts: [
      "ZoneMismatch",
      "is not in the same availability zone",
      "should be in the same zone",
      "cannot be attached to the VM because it is not in zone",
    ],
    cause:
      "The disk is in another zone than the machine, and cannot be attached there. A volume that says its zone in nodeAffinity keeps its pods there.",
    change: [
      "let the pod run in the disk's zone; give a volume that was made by hand a nodeAffinity with its zone",
      "use a class with volumeBindingMode: WaitForFirstConsumer",
    ],
  }),
  said({
    id: "disk-gone",
    texts: [
      "InvalidVolume.NotFound",
      "persistent disk not found",
      "no volume with the given ID",
      "volume {handle} does not exist in the storage system",
    ],
    cause:
      "The disk that the volume names is not in the storage system, or in another zone or account.",
    change: [
      "correct volumeHandle",
      "if the disk was deleted: restore it, and recreate volume and claim",
    ],
  }),
  said({
    id: "azure-resource-gone",
    texts: ["The Resource '{id}' under resource group '{group}' was not found"],
    cause: "Azure has no {id} in resource group {group}.",
    change: ["if it was deleted there: delete what still names it, or restore it"],
  }),
  said({
    id: "account-limit-reached",
    texts: [
      "quotaExceeded",
      "QuotaExceeded",
      "' exceeded. Limit: ",
      "VolumeLimitExceeded",
      "volume limit ({count}) has been reached",
      "(resource_limit_exceeded)",
      "MaxIOPSLimitExceeded",
      "/volumes], but got 413 instead",
    ],
    cause: "The account has used up its quota of volumes or of space at the provider.",
    change: ["ask the provider for more, or delete volumes that are not needed"],
  }),
  said({
    id: "not-authorized",
    texts: [
      "UnauthorizedOperation",
      "is not authorized to perform",
      "You are not authorized",
      "AuthorizationFailed",
      "NotAuthorizedOrNotFound",
      'fault "NoPermission"',
      "Required 'compute.",
      "AccessDenied",
      "RESPONSE 403",
    ],
    cause: "The driver's account at the provider may not do that.",
    change: [
      "give the role or service account of the driver's controller the permission that is named",
    ],
  }),
  said({
    id: "no-credentials",
    texts: [
      "no EC2 IMDS role found",
      "failed to refresh cached credentials",
      "NoCredentialProviders",
      "InvalidIdentityToken",
      "ExpiredToken",
      "could not find default credentials",
    ],
    cause: "The driver's controller has no credentials for the provider.",
    change: [
      "give its service account a role (IRSA, workload identity), or make the secret that it reads",
    ],
  }),
  said({
    id: "changed-too-soon",
    texts: ["VolumeModificationRateExceeded", "maximum modification rate per volume limit"],
    cause:
      "The provider lets a volume be changed once in several hours only, and this one was changed before.",
    change: ["wait: the next try after that time succeeds"],
  }),
  said({
    id: "system-too-small",
    texts: [
      "not enough free space",
      "no vg available to serve volume request",
      "insufficient storage",
      "no space available",
      "insufficient free space",
    ],
    cause: "The pool, or the volume group on the node, has not as much room left as is asked for.",
    change: ["ask for less, add room to the pool, or use another node or pool"],
  }),
  said({
    id: "too-few-nodes-for-copies",
    texts: ["Not enough available nodes"],
    cause:
      "LINSTOR finds fewer nodes than the class wants copies on. A node counts that is online, has the class's storagePool with as much room, and stands where replicasOnSame, replicasOnDifferent and the chosen node let a copy be.",
    change: [
      "compare what the answer lists with linstor node list and linstor storage-pool list",
      "lower placementCount, or loosen replicasOnSame, replicasOnDifferent or allowRemoteVolumeAccess (recreate the class)",
    ],
  }),
  said({
    id: "disk-type-wants-zone",
    texts: ["can be used only with Virtual Machines in an Availability Zone"],
    cause:
      "Azure attaches disks of the class's type to machines in an availability zone only, and the pod's node is in none.",
    change: [
      "let the pod run on nodes of a pool with zones",
      "use a class with another skuName, as Premium_LRS (recreate the claim)",
    ],
  }),
  said({
    id: "disk-type-not-offered",
    texts: ['"message": "{type} disk is not supported."'],
    cause:
      "Azure makes no disks of type {type} there: its region or zone has none, or the driver is too old for them.",
    change: [
      "look up in which regions and zones Azure has them, and whether the driver is a version that knows them",
      "use a class with another skuName (recreate the claim)",
    ],
  }),
  said({
    id: "disk-type-not-for-machine",
    texts: [
      "features are not compatible for creating instance",
      "disk type cannot be used by {machine} machine type",
    ],
    cause:
      "Google attaches no disks of the class's type to machines of the node's type: those of newer series, as C4, N4 and A4X, take Hyperdisk only.",
    change: [
      "use a class with type: hyperdisk-balanced (recreate the claim)",
      "let the pod run on machines that take such disks: nodeSelector or affinity",
    ],
    outlook: "stuck",
  }),
  said({
    id: "shared-hyperdisk-asked-the-old-way",
    texts: ["Cannot specify the multi writer field for '{type}' disks, please use access mode"],
    cause:
      "This version of the driver asks for a shared disk in a way that Google takes for older types only; {type} is shared by an access mode, which newer versions set.",
    change: ["use a newer version of the driver: on GKE, of the cluster"],
  }),
  said({
    id: "disk-caching-refused",
    texts: ["Storage Account type {type} is not supported with caching type {mode}."],
    cause: "Azure attaches disks of type {type} without host caching only.",
    change: [
      "set cachingMode: None among the class's parameters (recreate class and claim)",
      "of a volume that was made by hand: set it in volumeAttributes (recreate the volume)",
    ],
  }),
  said({
    id: "network-missing",
    texts: ["network '{network}' does not exist"],
    cause: "The class has volumes made in network {network}, which the project does not have.",
    change: ["name the cluster's network in the class's parameter network (recreate the class)"],
  }),
  said({
    id: "operation-under-way",
    texts: [
      "an operation with the given Volume ID {id} already exists",
      "operation with the given volume",
      "share not yet available",
      "AttachDiskWhileBeingDetached",
      "is currently being detached",
      "expected device to be attached but was",
      "is already in progress",
      'since volume is in "creating" state',
    ],
    cause:
      "The driver still works on the same volume; an earlier call hangs, or the storage system is not well.",
    change: ["look at the health of the storage system, then at the driver's log"],
  }),
  said({
    id: "several-writers-refused",
    texts: [
      "MULTI_NODE_MULTI_WRITER",
      "Only support ReadWriteOnce access mode",
      "specified multi writer with mount access type",
      "Only SINGLE_NODE_WRITER is supported",
    ],
    cause: "ReadWriteMany is asked for, and the driver makes such volumes for one node only.",
    change: [
      "use ReadWriteOnce, or a class of a file storage driver (NFS, EFS, CephFS)",
      "for programs that share a raw device: volumeMode: Block, where the driver shares those",
    ],
    outlook: "stuck",
    field: "spec.accessModes",
  }),
  said({
    id: "empty-volume-only-read",
    texts: ["VolumeContentSource must be provided when AccessMode is set to read only"],
    cause: "The volume would be empty, and with ReadOnlyMany nothing can fill it.",
    change: [
      "fill it from a snapshot or claim that spec.dataSource names",
      "ask for ReadWriteOnce where a pod is to fill it",
    ],
    outlook: "stuck",
    field: "spec.accessModes",
  }),
  said({
    id: "disk-never-read-only",
    texts: ["disk cannot be attached with READ_ONLY mode"],
    cause:
      "Google attaches no disk of this type read-only, such as hyperdisk-balanced-high-availability, and ReadOnlyMany or readOnly: true ask for that.",
    change: [
      "use ReadWriteOnce and no readOnly in the volume's source; a container's mount may still be readOnly",
      "for many readers: a disk of a type that is attached read-only (hyperdisk-ml, pd-balanced)",
    ],
    outlook: "stuck",
    field: "spec.accessModes",
  }),
  said({
    id: "capability-not-supported",
    texts: ["Volume capability not supported", "Volume capabilities not supported"],
    cause: "The driver makes no volumes with these access modes or this volume mode.",
    change: ["ask for access modes and a volumeMode that the driver has"],
    outlook: "stuck",
  }),
  said({
    id: "class-parameter-unknown",
    texts: ['invalid parameter "{parameter}" in storage class'],
    cause: "The class has parameter {parameter}, which the driver does not know.",
    change: ["correct or remove the parameter (recreate the class)"],
    outlook: "stuck",
  }),
  said({
    id: "driver-socket-closed",
    texts: [
      "csi.sock: connect: connection refused",
      "csi.sock: connect: no such file or directory",
      "transport is closing",
      "error reading from server: EOF",
    ],
    cause: "The driver's plugin on the node does not run, or has just ended.",
    change: ["look at the driver's node pod on that node: its restarts and its log"],
  }),
  secretsStore({
    id: "secret-provider-class-missing",
    rule: publish,
    texts: ["failed to get secretproviderclass {class}, error: {why}"],
    cause: "SecretProviderClass {class}, which the volume names, is not in the pod's namespace.",
    change: ["make it in the pod's namespace, or correct volumeAttributes.secretProviderClass"],
  }),
  secretsStore({
    id: "secrets-provider-missing",
    rule: publish,
    texts: [
      'error connecting to provider "{provider}": provider not found: {why}',
      "failed to find provider binary {provider}, err: {why}",
      "stat /etc/kubernetes/secrets-store-csi-providers/{provider}/{program}: no such file or directory",
    ],
    cause: "The plugin for {provider}, which fetches the secrets, does not run on the pod's node.",
    change: ["install the provider beside the driver, and let its DaemonSet run on the node"],
  }),
  secretsStore({
    id: "secrets-not-fetched",
    rule: publish,
    texts: ["failed to mount secrets store objects for pod {pod}, err: {detail}"],
    cause: "The provider could not fetch the secrets; what follows is its answer.",
    change: [
      "check the identity of the pod's service account, what it may read, and the names in the SecretProviderClass",
    ],
  }),
  keyVault({
    id: "key-vault-failed",
    rule: "pkg/server/server.go Mount",
    texts: ["failed to mount objects, error: {detail}"],
    cause: "The provider for Azure Key Vault could not fetch the objects.",
    change: [],
  }),
  keyVault({
    id: "key-vault-no-token",
    rule: "pkg/provider/provider.go GetSecretsStoreObjectContent",
    texts: ["failed to get keyvault client: {why}"],
    cause: "The provider got no token for the vault: {why}",
    change: [
      "check the identity that the SecretProviderClass names (clientID, userAssignedIdentityID), and that the pod or its node has it",
    ],
  }),
  keyVault({
    id: "key-vault-object-failed",
    rule: "pkg/provider/provider.go GetSecretsStoreObjectContent",
    texts: ["failed to get objectType:{type}, objectName:{object}, objectVersion:{version}: {why}"],
    cause: "The vault did not give {object}, asked for as {type}: {why}",
    change: ["correct objectName and objectType (secret, key or cert)", "let the identity read it"],
  }),
];
