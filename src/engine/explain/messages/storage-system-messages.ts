/**
 * What storage systems and clouds say inside of a driver's answer. Upstream: none; their own words, as drivers pass them on.
 */
import { foreignMessagesOf, partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const said = foreignMessagesOf("storage system", "its own answer");
const secretsStore = partsOf("Secrets Store CSI driver");
const keyVault = partsOf("Azure Key Vault provider", "secrets-store-csi-driver-provider-azure ");
const publish = "secrets-store-csi-driver pkg/secrets-store/nodeserver.go NodePublishVolume";

export const storageSystemMessages: readonly MessagePattern[] = [
  said(
    "attached-elsewhere",
    [
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
    "The storage system has the volume attached to another machine, and attaches it to one only.",
    [
      "look for the VolumeAttachment and the pods of the other node; wait until it is detached",
      "if that node is gone for good: delete its VolumeAttachment, or detach the volume in the storage system",
    ],
  ),
  said(
    "disk-not-available",
    ["isn't in available state", "status must be available or downloading"],
    "The storage system attaches only disks that are available, and this one is not: in use, being detached, or in error.",
    [
      "look at the disk's state in the storage system (openstack volume show)",
      "if it is in use: look for the VolumeAttachment and the pods of the other node",
    ],
  ),
  said(
    "grows-only-detached",
    [
      "only offline volume expansion is supported",
      "can only be expanded offline",
      "volume is currently published on a node",
    ],
    "The driver grows volumes only while they are attached to no node, and this one is.",
    ["scale the workload to zero; when the volume is detached it grows, then scale it up again"],
  ),
  said(
    "size-over-limit",
    ["VolumeSizeExceedsLimit"],
    "The storage system makes no disk as large as that.",
    ["ask for less"],
  ),
  said(
    "size-under-least",
    [
      "Disk size cannot be smaller than",
      "volumes must be at least {size} GiB in size",
      "requested size {size} is less than minimum {least}",
      "XFS filesystems with size {bytes}, smaller than {least}, are not supported",
      "Filesystem must be larger than 300MB",
    ],
    "The volume would be smaller than the storage system or mkfs makes any of its type.",
    ["ask for more", "or use a class of another type or file system"],
  ),
  said(
    "size-not-made",
    [
      'The specified parameter "Size" is not valid',
      "Invalid size ({size}) - Must be between",
      "invalid input in field 'size'",
    ],
    "The storage system makes no disk of that size: it is smaller or larger than it makes any of its type.",
    [
      "look up the sizes of the class's type of disk, and ask for one of them; most often it is to be more",
    ],
  ),
  said(
    "operations-missing",
    [
      "The parameter iops must be specified",
      "InvalidPerUnitStorageThroughput",
      "specify either IOPS or IOPSPerGb, not both",
    ],
    "The class's type of storage is made with a number of operations or a throughput that the class names, once, and this one does not.",
    [
      "set it among the class's parameters: iops or iopsPerGB of EBS, perUnitStorageThroughput of FSx (make the class anew)",
    ],
  ),
  said(
    "still-attached",
    ["is still attached to", "The resource 'volume' is in use", "ResourceInUse", "has watchers"],
    "The storage system does not delete the volume, which is attached to a machine or in use.",
    ["end what uses it; look for a VolumeAttachment that was left over"],
  ),
  said(
    "attachment-count-exceeded",
    [
      "AttachmentLimitExceeded",
      "maximum allowed number of disk devices",
      "max number of volumes",
      "Too many attachments",
      "maximum number of data disks",
    ],
    "The machine has as many volumes as it may have.",
    [
      "spread the pods, or use larger machines",
      "let the driver report its limit (volumeAttachLimit), so that the scheduler counts",
    ],
  ),
  said(
    "other-zone",
    ["ZoneMismatch", "is not in the same availability zone", "should be in the same zone"],
    "The disk is in another zone than the machine, and cannot be attached there. A volume that says its zone in nodeAffinity keeps its pods there.",
    [
      "let the pod run in the disk's zone; give a volume that was made by hand a nodeAffinity with its zone",
      "use a class with volumeBindingMode: WaitForFirstConsumer",
    ],
  ),
  said(
    "disk-gone",
    [
      "InvalidVolume.NotFound",
      "persistent disk not found",
      "no volume with the given ID",
      "volume {handle} does not exist in the storage system",
    ],
    "The disk that the volume names is not in the storage system, or in another zone or account.",
    ["correct volumeHandle", "if the disk was deleted: restore it, and make volume and claim anew"],
  ),
  said(
    "azure-resource-gone",
    ["The Resource '{id}' under resource group '{group}' was not found"],
    "Azure has no {id} in resource group {group}.",
    ["if it was deleted there: delete what still names it, or restore it"],
  ),
  said(
    "account-limit-reached",
    [
      "quotaExceeded",
      "QuotaExceeded",
      "' exceeded. Limit: ",
      "VolumeLimitExceeded",
      "volume limit ({count}) has been reached",
      "MaxIOPSLimitExceeded",
      "/volumes], but got 413 instead",
    ],
    "The account has used up its quota of volumes or of space at the provider.",
    ["ask the provider for more, or delete volumes that are not needed"],
  ),
  said(
    "not-authorized",
    [
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
    "The driver's account at the provider may not do that.",
    ["give the role or service account of the driver's controller the permission that is named"],
  ),
  said(
    "no-credentials",
    [
      "no EC2 IMDS role found",
      "failed to refresh cached credentials",
      "NoCredentialProviders",
      "InvalidIdentityToken",
      "ExpiredToken",
      "could not find default credentials",
    ],
    "The driver's controller has no credentials for the provider.",
    ["give its service account a role (IRSA, workload identity), or make the secret that it reads"],
  ),
  said(
    "changed-too-soon",
    ["VolumeModificationRateExceeded", "maximum modification rate per volume limit"],
    "The provider lets a volume be changed once in several hours only, and this one was changed before.",
    ["wait: the next try after that time succeeds"],
  ),
  said(
    "system-too-small",
    [
      "not enough free space",
      "no vg available to serve volume request",
      "insufficient storage",
      "Not enough available nodes",
      "no space available",
      "insufficient free space",
    ],
    "The pool, or the volume group on the node, has not as much room left as is asked for.",
    ["ask for less, add room to the pool, or use another node or pool"],
  ),
  said(
    "operation-under-way",
    [
      "an operation with the given Volume ID {id} already exists",
      "operation with the given volume",
      "share not yet available",
      "AttachDiskWhileBeingDetached",
      "is currently being detached",
      "expected device to be attached but was",
      "is already in progress",
      'since volume is in "creating" state',
    ],
    "The driver still works on the same volume; an earlier call hangs, or the storage system is not well.",
    ["look at the health of the storage system, then at the driver's log"],
  ),
  {
    ...said(
      "several-writers-refused",
      ["MULTI_NODE_MULTI_WRITER", "Only support ReadWriteOnce access mode"],
      "ReadWriteMany is asked for, and the driver makes such volumes for one node only.",
      ["use ReadWriteOnce, or a class of a file storage driver (NFS, EFS, CephFS)"],
    ),
    outlook: "stuck",
    field: "spec.accessModes",
  },
  {
    ...said(
      "capability-not-supported",
      ["Volume capability not supported", "Volume capabilities not supported"],
      "The driver makes no volumes with these access modes or this volume mode.",
      ["ask for access modes and a volumeMode that the driver has"],
    ),
    outlook: "stuck",
  },
  {
    ...said(
      "class-parameter-unknown",
      ['invalid parameter "{parameter}" in storage class'],
      "The class has parameter {parameter}, which the driver does not know.",
      ["correct or remove the parameter (make the class anew)"],
    ),
    outlook: "stuck",
  },
  said(
    "driver-socket-closed",
    [
      "csi.sock: connect: connection refused",
      "csi.sock: connect: no such file or directory",
      "transport is closing",
      "error reading from server: EOF",
    ],
    "The driver's plugin on the node does not run, or has just ended.",
    ["look at the driver's node pod on that node: its restarts and its log"],
  ),
  secretsStore(
    "secret-provider-class-missing",
    publish,
    ["failed to get secretproviderclass {class}, error: {why}"],
    "SecretProviderClass {class}, which the volume names, is not in the pod's namespace.",
    ["make it in the pod's namespace, or correct volumeAttributes.secretProviderClass"],
  ),
  secretsStore(
    "secrets-provider-missing",
    publish,
    [
      'error connecting to provider "{provider}": provider not found: {why}',
      "failed to find provider binary {provider}, err: {why}",
      "stat /etc/kubernetes/secrets-store-csi-providers/{provider}/{program}: no such file or directory",
    ],
    "The plugin for {provider}, which fetches the secrets, does not run on the pod's node.",
    ["install the provider beside the driver, and let its DaemonSet run on the node"],
  ),
  secretsStore(
    "secrets-not-fetched",
    publish,
    ["failed to mount secrets store objects for pod {pod}, err: {detail}"],
    "The provider could not fetch the secrets; what follows is its answer.",
    [
      "check the identity of the pod's service account, what it may read, and the names in the SecretProviderClass",
    ],
  ),
  keyVault(
    "key-vault-failed",
    "pkg/server/server.go Mount",
    ["failed to mount objects, error: {detail}"],
    "The provider for Azure Key Vault could not fetch the objects.",
    [],
  ),
  keyVault(
    "key-vault-no-token",
    "pkg/provider/provider.go GetSecretsStoreObjectContent",
    ["failed to get keyvault client: {why}"],
    "The provider got no token for the vault: {why}",
    [
      "check the identity that the SecretProviderClass names (clientID, userAssignedIdentityID), and that the pod or its node has it",
    ],
  ),
  keyVault(
    "key-vault-object-failed",
    "pkg/provider/provider.go GetSecretsStoreObjectContent",
    ["failed to get objectType:{type}, objectName:{object}, objectVersion:{version}: {why}"],
    "The vault did not give {object}, asked for as {type}: {why}",
    ["correct objectName and objectType (secret, key or cert)", "let the identity read it"],
  ),
];
