/**
 * Error messages of CSI drivers that tell more than their gRPC code. Upstream: each driver's own sources; each message has its
 * file and function.
 */

import { alibabaMessages } from "./alibaba-messages.ts";
import { cephMessages } from "./ceph-messages.ts";
import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";
import { smallerCloudMessages } from "./smaller-cloud-messages.ts";

const efs = messagesOf("AWS EFS CSI driver", "aws-efs-csi-driver pkg/driver/");
const s3 = messagesOf("Mountpoint for S3 CSI driver", "mountpoint-s3-csi-driver pkg/driver/node/");
const azure = messagesOf("Azure CSI driver");
const computeEngine = messagesOf(
  "Compute Engine CSI driver",
  "gcp-compute-persistent-disk-csi-driver pkg/gce-pd-csi-driver/",
);
const gcsFuse = messagesOf("Cloud Storage FUSE CSI driver", "gcs-fuse-csi-driver pkg/csi_driver/");
const juicefs = messagesOf("JuiceFS CSI driver", "juicefs-csi-driver pkg/");
const linstor = messagesOf("LINSTOR CSI driver", "linstor-csi pkg/client/linstor.go ");
const longhorn = messagesOf("Longhorn CSI driver", "longhorn-manager ");
const manila = messagesOf("Manila CSI driver", "cloud-provider-openstack pkg/csi/manila/");
const nfs = messagesOf("NFS CSI driver", "csi-driver-nfs pkg/nfs/");
const secretsStore = messagesOf(
  "Secrets Store CSI driver",
  "secrets-store-csi-driver pkg/secrets-store/nodeserver.go ",
);
const smb = messagesOf("SMB CSI driver", "csi-driver-smb pkg/smb/");
const vSphere = messagesOf("vSphere CSI driver", "vsphere-csi-driver pkg/csi/service/");

const awsMessages: readonly MessagePattern[] = [
  efs({
    id: "efs-parameter-missing",
    rule: "controller.go CreateVolume",
    texts: ["Missing provisioningMode parameter", "Missing fileSystemId parameter"],
    cause: "The class lacks a parameter without which the driver makes no access point.",
    change: ["give the class provisioningMode: efs-ap and fileSystemId (recreate the class)"],
    outlook: "stuck",
  }),
  s3({
    id: "s3-bucket-missing",
    rule: "node.go NodePublishVolume",
    texts: ["Bucket name not provided"],
    cause: "The volume does not say which bucket it is: the driver reads that from its attributes.",
    change: ["give the volume bucketName in spec.csi.volumeAttributes (recreate the volume)"],
    outlook: "stuck",
  }),
  s3({
    id: "s3-not-let-in",
    rule: "node.go NodePublishVolume, where mount-s3 prints it",
    texts: ["Forbidden: Access Denied"],
    cause: "S3 does not let the mount see the bucket: by its role, or the bucket's policy.",
    change: [
      "give the role that mounts s3:ListBucket on the bucket, and s3:GetObject, PutObject and DeleteObject on what is in it",
      "look which role that is: the driver's, or with authenticationSource: pod the pod's service account",
    ],
    isAnywhere: true,
  }),
  efs({
    id: "efs-attribute-unknown",
    rule: "node.go NodePublishVolume",
    texts: [
      "Volume context property {key} not supported.",
      "Volume context property {key} not supported",
    ],
    cause: "The volume's attributes hold {key}, which the driver's version does not know.",
    change: [
      "remove it from the volume's volumeAttributes",
      "update the driver on the nodes, if its controller has written it",
    ],
    outlook: "stuck",
  }),
  efs({
    id: "efs-handle-wrong",
    rule: "node.go parseVolumeId",
    texts: [
      "volume ID '{handle}' is invalid: Expected a file system ID of the form 'fs-...'",
      "volume ID '{handle}' is invalid: Expected at most three fields separated by ':'",
      "volume ID '{handle}' has an invalid access point ID '{accessPoint}': Expected it to be of the form 'fsap-...'",
    ],
    cause:
      "The volume's handle {handle} is none that the driver can read: it is a file system's id, then a path and an access point's id, with colons between them.",
    change: ["write fs-… , fs-…:/path or fs-…::fsap-… as volumeHandle (recreate the volume)"],
    outlook: "stuck",
  }),
  efs({
    id: "efs-attribute-wrong",
    rule: "node.go NodePublishVolume",
    texts: [
      'Volume context property "{key}" must be a boolean value: {why}',
      'Volume context property "{key}" must be an absolute path',
    ],
    cause: "The volume's attribute {key} is not written as the driver reads it.",
    change: ["correct it in the volume's volumeAttributes (recreate the volume)"],
    outlook: "stuck",
  }),
  efs({
    id: "efs-access-point-failed",
    rule: "controller.go CreateVolume",
    texts: ["Failed to create Access point in File System {fileSystem} : {detail}"],
    cause: "EFS made no access point in file system {fileSystem}; its answer stands behind.",
    change: [
      "read EFS's answer: the class's parameters, the rights of the driver's role, the number of access points",
    ],
  }),
];

/** amazon-efs-utils mounts through tunnels that begin on the node, so that the mounted server is 127.0.0.1. */
const tunnels = messagesOf("amazon-efs-utils");
const efsUtils: readonly MessagePattern[] = [
  tunnels({
    id: "efs-not-let-in",
    rule: "src/mount_efs/__init__.py mount_nfs",
    texts: ["access denied by server while mounting 127.0.0.1:"],
    cause:
      "EFS does not let this mount in: by the file system's policy, by the role that it is mounted with, or because the access point is none of this file system.",
    change: [
      "look at the file system policy: whom it lets mount, and whether only with tls, iam or an access point",
      "compare the access point in volumeHandle (fs-…::fsap-…) with the file system's",
      "with mount option iam: give the driver's node role elasticfilesystem:ClientMount and ClientWrite",
    ],
    isAnywhere: true,
  }),
  tunnels({
    id: "efs-path-missing",
    rule: "src/mount_efs/__init__.py mount_nfs",
    texts: ["mounting 127.0.0.1:{path} failed, reason given by server: No such file or directory"],
    cause:
      "The file system has no such directory: that of the volume's handle, or the root of its access point, which EFS makes only where the access point says as whose.",
    change: [
      "make the directory in the file system",
      "recreate the access point with an owner and permissions for its root directory (CreationInfo)",
    ],
    isAnywhere: true,
  }),
  tunnels({
    id: "efs-name-unknown",
    rule: "src/mount_efs/__init__.py get_dns_name_and_fallback_mount_target_ip_address",
    texts: ['Failed to resolve "fs-'],
    cause:
      "The node's network knows no such file system: the id is of another region or account, or it has no mount target in the node's zone.",
    change: [
      "correct the file system's id in volumeHandle or the class",
      "make a mount target in each zone that has nodes, and switch on DNS resolution and hostnames of the VPC",
      "across VPCs or accounts: name the mount target's address (mounttargetip in volumeAttributes)",
    ],
    isAnywhere: true,
  }),
  tunnels({
    id: "efs-no-port-left",
    rule: "src/mount_efs/__init__.py choose_tls_port, which the AWS EFS CSI driver runs",
    texts: ["Failed to locate an available port in the range [{range}]"],
    cause:
      "The node has no local port left for one more encrypted mount of EFS: each has a tunnel of its own.",
    change: [
      "restart the driver's node pod on that node: tunnels may be left over",
      "mount fewer EFS volumes on a node",
    ],
    isAnywhere: true,
  }),
];

const azureMessages: readonly MessagePattern[] = [
  azure({
    id: "azure-machine-unknown",
    rule: "azuredisk-csi-driver pkg/azuredisk/controllerserver.go ControllerPublishVolume",
    texts: [
      'failed to get azure instance id for node "{node}" ({why})',
      'failed to get azure instance id for node "{node}": {why}',
      'failed to get azure instance id for node "{node}"',
    ],
    cause: "The driver finds no machine of Azure for node {node}.",
    change: [
      "compare the node's name with the machine's",
      "correct resourceGroup, subscriptionId and vmType in the driver's cloud configuration",
    ],
  }),
  azure({
    id: "azure-account-not-in-secret",
    rule: "azurefile-csi-driver azurefile.go getStorageAccount, blob-csi-driver blob.go",
    texts: [
      "GetAccountInfo({handle}) failed with error: could not find account{half} or {key} field in secrets",
      "could not find account{half} or {key} field in secrets",
      "could not find account{half} or {key} field {more}",
    ],
    cause: "The secret that the driver was given lacks {key}.",
    change: [
      "add {key} to it; the driver wants azurestorageaccountname and azurestorageaccountkey",
    ],
    isOfSecret: true,
  }),
  azure({
    id: "azure-account-unknown",
    rule: "azurefile-csi-driver pkg/azurefile/nodeserver.go NodeStageVolume",
    texts: ["failed to get account name from {handle}"],
    cause:
      "The driver knows no storage account: {handle} names none, and it was given no Secret that holds azurestorageaccountname, or found none of the name in the namespace where it looks.",
    change: [
      "name the Secret: secretName in the volumeAttributes, of a volume of the pod's own one in the pod's namespace, else nodeStageSecretRef with its namespace",
      "let the Secret hold azurestorageaccountname and azurestorageaccountkey",
    ],
  }),
  azure({
    id: "azure-volume-id-wrong",
    rule: "azurefile-csi-driver azurefile.go GetFileShareInfo, blob-csi-driver blob.go GetContainerInfo",
    texts: ['error parsing volume id: "{handle}", should at least contain two #'],
    cause:
      "volumeHandle {handle} is not of the form that the driver gives its own volumes: resource group#account#share or container.",
    change: [
      "write volumeHandle so (recreate the volume)",
      "name the account and the share or container in volumeAttributes",
    ],
  }),
];

const otherClouds: readonly MessagePattern[] = [
  computeEngine({
    id: "compute-engine-handle",
    rule: "controller.go validateControllerPublishVolumeRequest, pkg/common/utils.go VolumeIDToKey",
    texts: [
      "ControllerPublishVolume volume ID is invalid: failed to get id components. Expected projects/{form}. Got: {handle}",
    ],
    cause:
      "The volume was written by hand, and its handle {handle} does not say in which project and zone the disk is.",
    change: [
      "set volumeHandle to projects/<project>/zones/<zone>/disks/<name>, or …/regions/<region>/… for a regional disk (recreate the volume)",
    ],
    outlook: "stuck",
    isAnywhere: true,
  }),
  computeEngine({
    id: "compute-engine-backs-off",
    rule: "controller.go ControllerPublishVolume, ControllerUnpublishVolume",
    texts: [
      'ControllerPublish not permitted on node "{machine}" due to backoff condition',
      'ControllerUnpublish not permitted on node "{machine}" due to backoff condition',
    ],
    cause:
      "It has failed for machine {machine} before, and the driver lets some time pass before it asks again. The cause is in an earlier event.",
    change: [
      "look for the pod's earlier FailedAttachVolume event, or at the driver's controller log",
    ],
    isAnywhere: true,
  }),
  vSphere({
    id: "vsphere-datastore-not-shared",
    rule: "common/vsphereutil.go CreateBlockVolumeUtil, vanilla/controller.go",
    texts: [
      "Datastore: {datastore} specified in the storage class is not accessible to all nodes{rest}",
      "DatastoreURL: {datastore} specified in the storage class is not accessible in the topology:{rest}",
      "datastore URL: {datastore} specified in the storage class is not accessible in the topology:{rest}",
    ],
    cause:
      "The class names datastore {datastore}, which not all of the nodes' hosts reach, as vCenter tells.",
    change: [
      "name a datastore or a storage policy that all hosts of the nodes reach (recreate the class)",
      "restrict the class by allowedTopologies to where the datastore is",
    ],
  }),
  vSphere({
    id: "vsphere-no-datastore",
    rule: "vanilla/controller.go createBlockVolume",
    texts: ["No compatible datastores found for accessibility requirements {rest}"],
    cause: "No datastore is reached by all hosts of the places where the volume may be made.",
    change: [
      "give the hosts of a zone a datastore in common, or widen the class's allowedTopologies",
    ],
  }),
  vSphere({
    id: "vsphere-policy-without-datastore",
    rule: "common/vsphereutil.go CreateBlockVolumeUtil, where CNS answers so",
    texts: ["No compatible datastore found for storagePolicy"],
    cause:
      "No datastore is both of the class's storage policy and reached by all hosts that the nodes may be on, those in maintenance too.",
    change: [
      "let all hosts reach a datastore of the policy (local ones do not count), or name another policy in storagepolicyname (recreate the class)",
      "restrict the class by allowedTopologies to where the datastore is",
    ],
    isAnywhere: true,
  }),
  vSphere({
    id: "vsphere-no-file-service",
    rule: "vanilla/controller.go createFileVolume",
    texts: ["no datastores found to create file volume, vSAN file service may be disabled"],
    cause:
      "A claim for many nodes gets a share of vSAN's file services, and no vSAN cluster that the driver may use has them enabled.",
    change: [
      "ask for ReadWriteOnce, or use a class of NFS or another share for the claim",
      "enable file services on a vSAN cluster",
    ],
  }),
  vSphere({
    id: "vsphere-snapshots-keep-size",
    rule: "vanilla/controller.go ControllerExpandVolume",
    texts: [
      "volume: {handle} with existing snapshots {snapshots} cannot be expanded. Please delete snapshots before expanding the volume",
    ],
    cause: "vSphere grows no disk of which there are snapshots.",
    change: ["delete the claim's VolumeSnapshots first, or copy it to a larger claim"],
  }),
  vSphere({
    id: "vsphere-attach-failed",
    rule: "vanilla/controller.go ControllerPublishVolume",
    texts: ['failed to attach disk: "{handle}" with node: "{machine}" err {detail}'],
    cause: "vCenter did not attach the disk to {machine}; its answer stands behind.",
    change: ["look at the machine's recent tasks in vCenter"],
  }),
];

const longhornMessages: readonly MessagePattern[] = [
  longhorn({
    id: "longhorn-not-ready",
    rule: "csi/node_server.go NodeStageVolume, csi/controller_server.go ControllerPublishVolume",
    texts: [
      "volume {volume} is not ready for workloads",
      "volume is not ready for workloads",
      "The volume {volume} is already attached but it is not ready for workloads",
    ],
    cause:
      "Longhorn does not have the volume ready: a replica found no disk, or it is being restored, attached or detached. Which, is not said here.",
    change: [
      "kubectl -n longhorn-system describe volumes.longhorn.io, of the volume's name: its conditions say why",
      "give Longhorn's disks room, or lower numberOfReplicas to the number of nodes",
    ],
  }),
  longhorn({
    id: "longhorn-not-scheduled",
    rule: "manager/volume.go Attach",
    texts: ["volume {volume} not scheduled"],
    cause: "Longhorn has found no disks for the replicas of volume {volume}.",
    change: [
      "give Longhorn's disks room, or lower numberOfReplicas to the number of nodes",
      "look at the disks' conditions: kubectl -n longhorn-system describe nodes.longhorn.io",
    ],
    isAnywhere: true,
  }),
  longhorn({
    id: "longhorn-no-passphrase",
    rule: "csi/node_server.go NodeStageVolume, NodeExpandVolume",
    texts: ["missing passphrase for encrypted volume {volume}"],
    cause: "The volume is encrypted, and the node is given no key for it.",
    change: [
      "name the secret in the class's csi.storage.k8s.io/node-stage-secret-name and -namespace, and node-publish, node-expand and provisioner alike (recreate class and claim)",
      "give the secret CRYPTO_KEY_VALUE, and CRYPTO_KEY_PROVIDER: secret",
    ],
    isOfSecret: true,
    outlook: "stuck",
  }),
  longhorn({
    id: "longhorn-nobody-waits",
    rule: "csi/node_server.go NodePublishVolume",
    texts: ["no Pending workload pods for volume {rest}"],
    cause:
      "Longhorn mounts a volume while a pod that uses it is Pending, and knows of none that is.",
    change: ["wait until the pods that end are gone", "delete the pod once more"],
  }),
  longhorn({
    id: "longhorn-not-attached",
    rule: "csi/node_server.go NodeStageVolume",
    texts: ["volume {volume} hasn't been attached yet"],
    cause: "The node is to mount volume {volume}, and Longhorn does not have it attached there.",
    change: [
      "look at the VolumeAttachment and at the volume in Longhorn",
      "delete the pod once more",
    ],
  }),
];

const gcsFuseMessages: readonly MessagePattern[] = [
  gcsFuse({
    id: "gcs-fuse-no-bucket",
    rule: "utils.go parseRequestArguments",
    texts: ['NodePublishVolume VolumeContext "bucketName" must be provided for ephemeral storage'],
    cause: "The pod's volume does not say which bucket it is.",
    change: ["set bucketName in the volume's volumeAttributes"],
    outlook: "stuck",
  }),
  gcsFuse({
    id: "gcs-fuse-attribute-wrong",
    rule: "utils.go parseVolumeAttributes",
    texts: ["volume attribute {key} only accepts a valid {type} value, got {value}"],
    cause: "The volume's attribute {key} is none that the driver can read.",
    change: ["write a {type} in volumeAttributes"],
    outlook: "stuck",
  }),
  gcsFuse({
    id: "gcs-fuse-not-let-in",
    rule: "node.go NodePublishVolume, where Cloud Storage answers so",
    texts: ["access to the Google Cloud Storage bucket"],
    cause: "The pod's service account may not use the bucket, or there is no such bucket.",
    change: [
      "give the pod's service account (Workload Identity) roles/storage.objectUser on the bucket",
      "correct the bucket's name: volumeHandle, or bucketName of an inline volume",
    ],
    isAnywhere: true,
  }),
  gcsFuse({
    id: "gcs-fuse-no-sidecar",
    rule: "node.go NodePublishVolume",
    texts: ["failed to find the sidecar container in Pod spec"],
    cause:
      "The pod lacks the container that runs Cloud Storage FUSE: it is added to pods that ask for it by an annotation.",
    change: [
      'give the pod, or its template, the annotation gke-gcsfuse/volumes: "true", and recreate the pod',
    ],
    outlook: "stuck",
  }),
  gcsFuse({
    id: "gcs-fuse-not-injected",
    rule: "node.go NodePublishVolume",
    texts: ["the webhook failed to inject the sidecar container into the Pod spec"],
    cause:
      "The pod asks for the container that runs Cloud Storage FUSE, and was made without it: the driver's webhook did not see the pod, or refused it.",
    change: [
      "look at the webhook gcsfuse-sidecar-injector.csi.storage.gke.io, and recreate the pod",
    ],
    outlook: "stuck",
  }),
];

const sharesMessages: readonly MessagePattern[] = [
  nfs({
    id: "nfs-attribute-missing",
    rule: "nodeserver.go NodePublishVolume, controllerserver.go CreateVolume; csi-driver-smb alike",
    texts: [
      "server is a required parameter",
      "share is a required parameter",
      "source is a required parameter",
    ],
    cause: "Neither the class nor the volume says where the share is.",
    change: [
      "set server and share, of SMB source, in the volume's volumeAttributes (recreate the volume)",
      "set them in the class's parameters (recreate the class)",
    ],
    outlook: "stuck",
  }),
  smb({
    id: "smb-source-missing",
    rule: "nodeserver.go NodeStageVolume",
    texts: ["source field is missing, current context: {attributes}"],
    cause: "The volume does not say which share it is: the driver reads that from its attributes.",
    change: ["set source to //server/share in volumeAttributes (recreate the volume)"],
    outlook: "stuck",
  }),
  secretsStore({
    id: "secrets-class-not-named",
    rule: "NodePublishVolume",
    texts: ["secretProviderClass is not set"],
    cause: "The pod's volume does not say which SecretProviderClass it is of.",
    change: ["set secretProviderClass in the volume's volumeAttributes"],
    outlook: "stuck",
  }),
  secretsStore({
    id: "secrets-volume-writable",
    rule: "NodePublishVolume; cert-manager csi-lib driver/nodeserver.go and spiffe-csi pkg/driver/driver.go in words of their own",
    texts: [
      "Readonly is not true in request",
      "pod.spec.volumes[].csi.readOnly must be set to 'true'",
    ],
    cause: "The pod's volume may be written to, which the driver does not take.",
    change: ["set readOnly: true in the pod's csi volume, beside driver"],
    outlook: "stuck",
  }),
  manila({
    id: "manila-no-secrets",
    rule: "util.go validateCreateVolumeRequest",
    texts: ["secrets cannot be nil or empty"],
    cause: "The class names no secret with the credentials for OpenStack.",
    change: [
      "name it in the class's csi.storage.k8s.io/provisioner-secret-name and -namespace, and node-stage and node-publish alike (recreate the class)",
    ],
  }),
  manila({
    id: "manila-secret-incomplete",
    rule: "options/openstackoptions.go NewOpenstackOptions",
    texts: ["invalid OpenStack secrets: missing required parameter '{key}'"],
    cause: "The secret with the credentials for OpenStack lacks {key}.",
    change: ["add {key} to it"],
    isOfSecret: true,
  }),
  manila({
    id: "manila-no-attributes",
    rule: "util.go validateNodeStageVolumeRequest",
    texts: ["volume context cannot be nil or empty"],
    cause: "The volume does not say which share it is: the driver reads that from its attributes.",
    change: ["set shareID and shareAccessID in volumeAttributes (recreate the volume)"],
    outlook: "stuck",
  }),
];

const fileSystemMessages: readonly MessagePattern[] = [
  linstor({
    id: "linstor-device-missing",
    rule: "Mount",
    texts: ["failed to stat source device: {why}"],
    cause: "The volume's device is not on the pod's node.",
    change: [
      "linstor resource list, of the volume: its state on that node",
      "look at the satellite and at DRBD on the node",
    ],
  }),
  linstor({
    id: "linstor-device-stays-read-only",
    rule: "Mount, setDevReadWrite",
    texts: ["failed to set source device readwrite: {why}"],
    cause: "The volume's device cannot be opened for writing on the pod's node.",
    change: ["linstor resource list, of the volume: whether it is in use on another node"],
  }),
  juicefs({
    id: "juicefs-not-mounted",
    rule: "driver/node.go NodePublishVolume",
    texts: ["Could not mount juicefs: {detail}"],
    cause: "JuiceFS could not be mounted on the pod's node.",
    change: [
      "look at the mount pod of the volume in the driver's namespace, and at its log",
      "check the class's secret: name, metaurl or token, the bucket and its keys",
    ],
  }),
  juicefs({
    id: "juicefs-name-missing",
    rule: "config/setting.go ParseSetting",
    texts: ["Empty name"],
    cause: "The secret that the driver was given does not name the file system.",
    change: ["add name to it, and metaurl or token beside"],
    isOfSecret: true,
  }),
  juicefs({
    id: "juicefs-mount-pod-failed",
    rule: "juicefs/mount/pod_mount.go waitUtilMountReady",
    texts: ["mount {source} at {path} failed, mountpod: {mountPod}, failed log: {log}"],
    cause: "Mount pod {mountPod}, which serves the file system on the node, did not come up.",
    change: ["read the log of {mountPod} in the driver's namespace"],
  }),
];

export const driverMessages: readonly MessagePattern[] = [
  ...awsMessages,
  ...efsUtils,
  ...azureMessages,
  ...cephMessages,
  ...alibabaMessages,
  ...smallerCloudMessages,
  ...otherClouds,
  ...longhornMessages,
  ...gcsFuseMessages,
  ...sharesMessages,
  ...fileSystemMessages,
];
