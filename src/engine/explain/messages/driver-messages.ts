/**
 * What CSI drivers say when they fail, as far as it tells more than their code. Upstream: each driver's own sources; file and
 * function stand at each message.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const efs = partsOf("AWS EFS CSI driver", "aws-efs-csi-driver pkg/driver/");
const azure = partsOf("Azure CSI driver");
const ceph = partsOf("Ceph CSI driver", "ceph-csi internal/");
const computeEngine = partsOf(
  "Compute Engine CSI driver",
  "gcp-compute-persistent-disk-csi-driver pkg/gce-pd-csi-driver/",
);
const gcsFuse = partsOf("Cloud Storage FUSE CSI driver", "gcs-fuse-csi-driver pkg/csi_driver/");
const juicefs = partsOf("JuiceFS CSI driver", "juicefs-csi-driver pkg/");
const linstor = partsOf("LINSTOR CSI driver", "linstor-csi pkg/client/linstor.go ");
const longhorn = partsOf("Longhorn CSI driver", "longhorn-manager ");
const vSphere = partsOf("vSphere CSI driver", "vsphere-csi-driver pkg/csi/service/");

const awsMessages: readonly MessagePattern[] = [
  efs(
    "efs-parameter-missing",
    "controller.go CreateVolume",
    ["Missing provisioningMode parameter", "Missing fileSystemId parameter"],
    "The class lacks a parameter without which the driver makes no access point.",
    ["give the class provisioningMode: efs-ap and fileSystemId (make the class anew)"],
    "stuck",
  ),
  efs(
    "efs-attribute-unknown",
    "node.go NodePublishVolume",
    ["Volume context property {key} not supported.", "Volume context property {key} not supported"],
    "The volume's attributes hold {key}, which the driver's version does not know.",
    [
      "remove it from the volume's volumeAttributes",
      "update the driver on the nodes, if its controller has written it",
    ],
    "stuck",
  ),
  efs(
    "efs-access-point-failed",
    "controller.go CreateVolume",
    ["Failed to create Access point in File System {fileSystem} : {detail}"],
    "EFS made no access point in file system {fileSystem}; its answer stands behind.",
    [
      "read EFS's answer: the class's parameters, the rights of the driver's role, the number of access points",
    ],
  ),
];

const efsUtils: MessagePattern = {
  ...partsOf("amazon-efs-utils")(
    "efs-no-port-left",
    "src/mount_efs/__init__.py choose_tls_port, which the AWS EFS CSI driver runs",
    ["Failed to locate an available port in the range [{range}]"],
    "The node has no local port left for one more encrypted mount of EFS: each has a tunnel of its own.",
    [
      "restart the driver's node pod on that node: tunnels may be left over",
      "mount fewer EFS volumes on a node",
    ],
  ),
  isAnywhere: true,
};

const azureMessages: readonly MessagePattern[] = [
  azure(
    "azure-machine-unknown",
    "azuredisk-csi-driver pkg/azuredisk/controllerserver.go ControllerPublishVolume",
    [
      'failed to get azure instance id for node "{node}" ({why})',
      'failed to get azure instance id for node "{node}": {why}',
      'failed to get azure instance id for node "{node}"',
    ],
    "The driver finds no machine of Azure for node {node}.",
    [
      "compare the node's name with the machine's",
      "correct resourceGroup, subscriptionId and vmType in the driver's cloud configuration",
    ],
  ),
  azure(
    "azure-volume-id-wrong",
    "azurefile-csi-driver azurefile.go GetFileShareInfo, blob-csi-driver blob.go GetContainerInfo",
    ['error parsing volume id: "{handle}", should at least contain two #'],
    "volumeHandle {handle} is not of the form that the driver gives its own volumes: resource group#account#share or container.",
    [
      "write volumeHandle so (make the volume anew)",
      "name the account and the share or container in volumeAttributes",
    ],
  ),
];

const cephMessages: readonly MessagePattern[] = [
  ceph(
    "ceph-cluster-unknown",
    "util/csiconfig.go readClusterInfo",
    [
      "missing configuration for cluster ID ({cluster})",
      'missing configuration for cluster ID "{cluster}"',
      "missing configuration for cluster ID",
    ],
    "The driver's configuration has no cluster of the clusterID that the class or the volume names.",
    [
      "add the cluster with its monitors to the driver's ConfigMap",
      "correct the class's clusterID (make the class anew)",
    ],
  ),
  ceph(
    "ceph-secret-empty",
    "util/credentials.go newCredentialsFromSecret",
    ["provided secret is empty"],
    "The driver was given no secret, or an empty one, and cannot log in to Ceph.",
    [
      "name the secrets in the class's csi.storage.k8s.io/ parameters (for snapshots in the VolumeSnapshotClass's), and make the object anew",
      "fill in the secret: userID, userKey; adminID, adminKey",
    ],
  ),
  ceph(
    "ceph-secret-incomplete",
    "util/credentials.go newCredentialsFromSecret",
    ["missing ID field '{key}' in secrets", "missing key field '{key}' in secrets"],
    "The secret that the driver was given lacks {key}.",
    ["add {key} to it"],
  ),
  ceph(
    "ceph-program-failed",
    "util/cephcmd.go ExecCommand",
    [
      "an error (exit status {exitCode}) occurred while running {program} args: [{arguments}] stderr: {detail}",
      "an error (exit status {exitCode}) occurred while running {program} args: [{arguments}], rbd error output: {detail}",
    ],
    "The program {program}, which the driver runs, failed (exit status {exitCode}); what it printed stands behind.",
    [],
  ),
  ceph(
    "ceph-image-status-unknown",
    "rbd/rbd_attach.go waitForrbdImage, pkg/volume/rbd",
    [
      "fail to check rbd image status with: ({detail}), rbd output: ({output})",
      "fail to check rbd image status with: ({detail}), rbd output: {output}",
      "fail to check rbd image status: ({detail})",
    ],
    "The node could not ask the Ceph cluster for the state of the RBD image.",
    ["look at what is printed: the monitors' addresses, the user and its key, the program rbd"],
  ),
  {
    ...ceph(
      "ceph-login-refused",
      "cephfs/mounter/kernel.go, where ceph's mount.ceph prints it; go-ceph rados errors",
      ["_ceph-mon._tcp mount error 13 = Permission denied", "rados: ret=-13, Permission denied"],
      "The Ceph cluster refuses the user: its key, or its rights to the path.",
      ["compare the key in the secret with ceph auth get, and the user's caps with the path"],
    ),
    isAnywhere: true,
  },
  {
    ...ceph(
      "ceph-monitors-not-in-dns",
      "cephfs/mounter/kernel.go; ceph src/mon/MonMap.cc init_with_dns_srv prints it",
      ["unable to get monitor info from DNS SRV with service name"],
      "mount.ceph found no monitors in the DNS. That is usual where the volume names them; what else has failed, it does not say here.",
      ["read dmesg on the node: the kernel's Ceph client says there why it did not mount"],
    ),
    isAnywhere: true,
  },
];

const otherClouds: readonly MessagePattern[] = [
  {
    ...computeEngine(
      "compute-engine-backs-off",
      "controller.go ControllerPublishVolume, ControllerUnpublishVolume",
      [
        'ControllerPublish not permitted on node "{machine}" due to backoff condition',
        'ControllerUnpublish not permitted on node "{machine}" due to backoff condition',
      ],
      "It has failed for machine {machine} before, and the driver lets some time pass before it asks again. The cause is in an earlier event.",
      ["look for the pod's earlier FailedAttachVolume event, or at the driver's controller log"],
    ),
    isAnywhere: true,
  },
  vSphere(
    "vsphere-datastore-not-shared",
    "common/vsphereutil.go CreateBlockVolumeUtil, vanilla/controller.go",
    [
      "Datastore: {datastore} specified in the storage class is not accessible to all nodes{rest}",
      "DatastoreURL: {datastore} specified in the storage class is not accessible in the topology:{rest}",
      "datastore URL: {datastore} specified in the storage class is not accessible in the topology:{rest}",
    ],
    "The class names datastore {datastore}, which not all of the nodes' hosts reach, as vCenter tells.",
    [
      "name a datastore or a storage policy that all hosts of the nodes reach (make the class anew)",
      "restrict the class by allowedTopologies to where the datastore is",
    ],
  ),
  vSphere(
    "vsphere-no-datastore",
    "vanilla/controller.go createBlockVolume",
    ["No compatible datastores found for accessibility requirements {rest}"],
    "No datastore is reached by all hosts of the places where the volume may be made.",
    ["give the hosts of a zone a datastore in common, or widen the class's allowedTopologies"],
  ),
  vSphere(
    "vsphere-snapshots-keep-size",
    "vanilla/controller.go ControllerExpandVolume",
    [
      "volume: {handle} with existing snapshots {snapshots} cannot be expanded. Please delete snapshots before expanding the volume",
    ],
    "vSphere grows no disk of which there are snapshots.",
    ["delete the claim's VolumeSnapshots first, or copy it to a larger claim"],
  ),
  vSphere(
    "vsphere-attach-failed",
    "vanilla/controller.go ControllerPublishVolume",
    ['failed to attach disk: "{handle}" with node: "{machine}" err {detail}'],
    "vCenter did not attach the disk to {machine}; its answer stands behind.",
    ["look at the machine's recent tasks in vCenter"],
  ),
];

const longhornMessages: readonly MessagePattern[] = [
  longhorn(
    "longhorn-not-ready",
    "csi/node_server.go NodeStageVolume, csi/controller_server.go ControllerPublishVolume",
    [
      "volume {volume} is not ready for workloads",
      "volume is not ready for workloads",
      "The volume {volume} is already attached but it is not ready for workloads",
    ],
    "Longhorn does not have the volume ready: a replica found no disk, or it is being restored, attached or detached. Which, is not said here.",
    [
      "kubectl -n longhorn-system describe volumes.longhorn.io, of the volume's name: its conditions say why",
      "give Longhorn's disks room, or lower numberOfReplicas to the number of nodes",
    ],
  ),
  {
    ...longhorn(
      "longhorn-not-scheduled",
      "manager/volume.go Attach",
      ["volume {volume} not scheduled"],
      "Longhorn has found no disks for the replicas of volume {volume}.",
      [
        "give Longhorn's disks room, or lower numberOfReplicas to the number of nodes",
        "look at the disks' conditions: kubectl -n longhorn-system describe nodes.longhorn.io",
      ],
    ),
    isAnywhere: true,
  },
  longhorn(
    "longhorn-nobody-waits",
    "csi/node_server.go NodePublishVolume",
    ["no Pending workload pods for volume {rest}"],
    "Longhorn mounts a volume while a pod that uses it is Pending, and knows of none that is.",
    ["wait until the pods that end are gone", "delete the pod once more"],
  ),
  longhorn(
    "longhorn-not-attached",
    "csi/node_server.go NodeStageVolume",
    ["volume {volume} hasn't been attached yet"],
    "The node is to mount volume {volume}, and Longhorn does not have it attached there.",
    ["look at the VolumeAttachment and at the volume in Longhorn", "delete the pod once more"],
  ),
];

const gcsFuseMessages: readonly MessagePattern[] = [
  gcsFuse(
    "gcs-fuse-no-sidecar",
    "node.go NodePublishVolume",
    ["failed to find the sidecar container in Pod spec"],
    "The pod lacks the container that runs Cloud Storage FUSE: it is added to pods that ask for it by an annotation.",
    [
      'give the pod, or its template, the annotation gke-gcsfuse/volumes: "true", and make the pod anew',
    ],
    "stuck",
  ),
  gcsFuse(
    "gcs-fuse-not-injected",
    "node.go NodePublishVolume",
    ["the webhook failed to inject the sidecar container into the Pod spec"],
    "The pod asks for the container that runs Cloud Storage FUSE, and was made without it: the driver's webhook did not see the pod, or refused it.",
    ["look at the webhook gcsfuse-sidecar-injector.csi.storage.gke.io, and make the pod anew"],
    "stuck",
  ),
];

const fileSystemMessages: readonly MessagePattern[] = [
  linstor(
    "linstor-device-missing",
    "Mount",
    ["failed to stat source device: {why}"],
    "The volume's device is not on the pod's node.",
    [
      "linstor resource list, of the volume: its state on that node",
      "look at the satellite and at DRBD on the node",
    ],
  ),
  linstor(
    "linstor-device-stays-read-only",
    "Mount, setDevReadWrite",
    ["failed to set source device readwrite: {why}"],
    "The volume's device cannot be opened for writing on the pod's node.",
    ["linstor resource list, of the volume: whether it is in use on another node"],
  ),
  juicefs(
    "juicefs-not-mounted",
    "driver/node.go NodePublishVolume",
    ["Could not mount juicefs: {detail}"],
    "JuiceFS could not be mounted on the pod's node.",
    [
      "look at the mount pod of the volume in the driver's namespace, and at its log",
      "check the class's secret: name, metaurl or token, the bucket and its keys",
    ],
  ),
  juicefs(
    "juicefs-mount-pod-failed",
    "juicefs/mount/pod_mount.go waitUtilMountReady",
    ["mount {source} at {path} failed, mountpod: {mountPod}, failed log: {log}"],
    "Mount pod {mountPod}, which serves the file system on the node, did not come up.",
    ["read the log of {mountPod} in the driver's namespace"],
  ),
];

export const driverMessages: readonly MessagePattern[] = [
  ...awsMessages,
  efsUtils,
  ...azureMessages,
  ...cephMessages,
  ...otherClouds,
  ...longhornMessages,
  ...gcsFuseMessages,
  ...fileSystemMessages,
];
