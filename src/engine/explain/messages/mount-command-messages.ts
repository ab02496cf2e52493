/**
 * Errors of mount commands on a node, as kubelets and drivers pass them on. Upstream: k8s.io/mount-utils v0.36
 * mount_linux.go doMount, formatAndMountSensitive; nfs-utils, cifs-utils, util-linux.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { foreignMessagesOf, messagesOf } from "./messages-of.ts";

const said = foreignMessagesOf("mount command", "what the program prints, behind Output");
const system = messagesOf("operating system");

/** Messages that enclose the ones below, or what drivers' own programs print after "Output". */
export const mountFailureMessages: readonly MessagePattern[] = [
  said({
    id: "holds-other-file-system",
    texts: ['failed to mount the volume as "{wanted}", it already contains {found}. Mount error'],
    cause:
      "The volume's fsType is {wanted}, and its disk already holds {found}. It is not formatted again, so that no data is lost.",
    change: [
      "set fsType to what the disk holds (recreate the volume object), or use an empty disk",
    ],
  }),
  said({
    id: "empty-disk-only-read",
    texts: ["cannot mount unformatted disk", "failed to mount unformatted volume as read only"],
    cause:
      "The volume's disk holds no file system yet, and none is made on a disk that may only be read.",
    change: ["let a pod write to the volume first, without readOnly and with ReadWriteOnce"],
    rule: "mount_linux.go formatAndMountSensitive",
  }),
  said({
    id: "disk-has-partitions",
    texts: ["unknown data, probably partitions"],
    cause:
      "The volume's disk holds a partition table, and a file system is wanted on the whole disk. It is not formatted, so that no data is lost.",
    change: [
      "name the partition in the volume's source (partition), or use an empty disk",
      "wipe the disk, where nothing on it is needed (wipefs -a)",
    ],
    rule: "mount_linux.go GetDiskFormat",
  }),
  said({
    id: "mount-command-failed",
    texts: [
      "mount failed: exit status {exitCode} {command}Output: {detail}",
      "mount failed: exit status {exitCode}",
    ],
    cause:
      "The node's mount command failed (exit status {exitCode}); what it printed stands behind Output.",
    change: ["read what stands behind Output, and run the same mount command on the node"],
    rule: "mount_linux.go doMount",
  }),
];

export const mountCommandMessages: readonly MessagePattern[] = [
  said({
    id: "lustre-name-wrong",
    texts: ["Is '{name}' the correct filesystem name?"],
    cause:
      "The Lustre server knows no file system of the name {name}, or does not take the mount options. A volume of FSx without mountname in volumeAttributes is mounted as fsx, which only old file systems are called.",
    change: [
      "set mountname among the volume's volumeAttributes to the file system's mount name (aws fsx describe-file-systems)",
      "see whether the node's Lustre client is one for the server's version",
    ],
    rule: "lustre utils/mount_lustre.c, EINVAL; aws-fsx-csi-driver pkg/driver/node.go NodePublishVolume",
  }),
  said({
    id: "smb-not-in-kernel",
    texts: ["cifs filesystem not supported by the system"],
    cause: "The node's kernel has no module for SMB (cifs).",
    change: [
      "let the nodes have it: on Ubuntu of the package linux-modules-extra for their kernel, elsewhere of another node image",
      "use NFS",
    ],
    rule: "mount.cifs(8), ENODEV of mount(2)",
  }),
  said({
    id: "windows-formats-otherwise",
    texts: ["Cannot validate argument on parameter 'FileSystem'"],
    cause:
      "A node with Windows formats disks as NTFS, ReFS, exFAT or FAT, and the volume asks for another file system, as Linux has them.",
    change: [
      "set csi.storage.k8s.io/fstype: ntfs among the class's parameters (recreate class and claim)",
      "of a volume that was made by hand: set fsType: ntfs (recreate the volume)",
    ],
    rule: "what Format-Volume prints",
  }),
  said({
    id: "windows-mounts-smb-only",
    texts: ["only cifs mount is supported now"],
    cause:
      "The kubelet itself mounts shares of SMB only on a node with Windows; NFS and other file systems of Linux it does not.",
    change: [
      "use a share of SMB: smb.csi.k8s.io or Azure Files",
      "let the pod run on Linux: nodeSelector kubernetes.io/os: linux",
    ],
    rule: "mount_windows.go MountSensitive",
  }),
  said({
    id: "azure-nfs-access-denied",
    texts: [
      "access denied by server while mounting {account}.file.core.windows.net:",
      "access denied by server while mounting {account}.blob.core.windows.net:",
    ],
    cause:
      "The storage account lets NFS in from networks that it knows only, and from there only without demanding encryption, or it has no such share.",
    change: [
      "let the account in from the nodes' subnet: a service endpoint with a network rule, or a private endpoint",
      "set the account's “secure transfer required” to disabled, or mount with encryption in transit",
      "look at the path: /account/share of Azure Files, /account/container of Blob storage",
    ],
    rule: "what mount.nfs prints, behind Output",
  }),
  said({
    id: "nfs-access-denied",
    texts: ["access denied by server while mounting"],
    cause: "The NFS server does not let this node in, or does not export that path.",
    change: [
      "export the path to every node's address in the server's /etc/exports, and run exportfs -ra",
      "look at the path: with NFSv4 it begins at the server's root export",
      "choose the version in the volume's mountOptions: nfsvers=4.1 or nfsvers=3",
    ],
  }),
  said({
    id: "nfs-mount-not-permitted",
    texts: [
      "mount.nfs: Operation not permitted",
      "mount.nfs4: Operation not permitted",
      "mount(2): Operation not permitted",
    ],
    cause:
      "The NFS server, or the machine that mounts, does not permit the mount. Most often the server wants it to come from a port below 1024, as root's does, and on its way from a virtual machine or a container it gets another one.",
    change: [
      "export the path with the option insecure, and run exportfs -ra",
      "let the driver's pods run privileged and with hostNetwork",
      "choose another version in mountOptions: nfsvers=4.1 or nfsvers=3",
    ],
  }),
  said({
    id: "nfs-path-missing",
    texts: ["reason given by server: No such file or directory"],
    cause: "The NFS server runs and has no such path.",
    change: [
      "make the directory on the server, or correct the volume's path",
      "look at the path: with NFSv4 it begins at the server's root export (fsid=0)",
    ],
  }),
  said({
    id: "nfs-lock-daemon",
    texts: ["rpc.statd is not running but is required for remote locking"],
    cause: "NFS version 3 needs rpc.statd on the node for its locks, and it does not run there.",
    change: [
      "install and start rpcbind and rpc-statd on the node",
      "use nfsvers=4.1, or nolock, in mountOptions",
    ],
  }),
  said({
    id: "server-name-unknown",
    texts: [
      "Failed to resolve server {server}",
      'Failed to resolve "',
      "Name or service not known",
      "could not resolve address for",
    ],
    cause:
      "The node cannot resolve the server's name. It asks its own name servers, not the cluster's, so that names of Services mean nothing to it.",
    change: ["name the server by an address, or by a name that the nodes can resolve"],
  }),
  said({
    id: "server-not-reached",
    texts: [
      "mount.nfs: Connection timed out",
      "Connection timed out",
      "mount.nfs: Connection refused",
      "No route to host",
      "Network is unreachable",
      "mount error(112): Host is down",
      "mount error(115)",
      "mount error(113)",
      "RPC: Program not registered",
      "RPC: Timed out",
      "requested NFS version or transport protocol is not supported",
    ],
    cause:
      "The node does not reach the file server, or the server does not speak the protocol's version.",
    change: [
      "check from the node: address, port 2049 (NFS) or 445 (SMB), firewalls, and that the server runs",
      "choose the version in mountOptions",
    ],
  }),
  said({
    id: "protocol-not-supported",
    texts: [
      "mount.nfs: Protocol not supported",
      "Protocol not supported",
      "unknown filesystem type",
    ],
    cause: "The server, or the node's kernel, does not know this version or type of file system.",
    change: [
      "choose another version in mountOptions (nfsvers=4.1, vers=3.0)",
      "install the file system's kernel module and tools on the node",
    ],
  }),
  said({
    id: "mount-helper-missing",
    texts: [
      "you might need a /sbin/mount.<type> helper program",
      "you might need a /sbin/mount",
      "executable file not found in $PATH",
    ],
    cause:
      "A program that this type of volume needs is missing: on the node, or in the driver's container where it is the driver that says so.",
    change: [
      "install it on every node: nfs-common or nfs-utils, cifs-utils, open-iscsi, ceph-common",
      "use the type's CSI driver, which brings its own programs",
    ],
  }),
  said({
    id: "smb-login-refused",
    texts: [
      "mount error(13): Permission denied",
      "New-SmbGlobalMapping : The user name or password is incorrect",
    ],
    cause: "The SMB server refuses the user, the password or the share.",
    change: ["correct the secret (username, password, domain), and the share's permissions"],
  }),
  said({
    id: "smb-share-missing",
    texts: [
      "mount error(2): No such file or directory",
      "New-SmbGlobalMapping : The network name cannot be found",
    ],
    cause: "The SMB server has no such share or folder.",
    change: ["correct the share's name in the volume or the class's source"],
  }),
  said({
    id: "file-system-damaged",
    texts: [
      "'fsck' found errors on device",
      "contains a file system with errors",
      "UNEXPECTED INCONSISTENCY",
      "Structure needs cleaning",
      "There are errors in the filesystem",
      "Filesystem issues has been detected",
    ],
    cause: "The file system on the volume is damaged, and is not repaired by itself.",
    change: [
      "end all pods that use the volume, then run fsck or xfs_repair on its device",
      "restore a snapshot or a backup",
    ],
  }),
  said({
    id: "device-does-not-answer",
    texts: ["can't read superblock", "Input/output error"],
    cause:
      "The device is there and does not answer: its connection to the storage system is broken, or the file system's beginning is damaged.",
    change: [
      "look at the health of the volume in the storage system, and at dmesg on the node",
      "end the pod, so that the volume is detached and attached again",
    ],
  }),
  said({
    id: "resize-not-permitted",
    texts: ["Permission denied to resize filesystem"],
    cause:
      "The node's kernel does not grow the mounted file system: it has errors, or the driver's container lacks the right to do it.",
    change: [
      "end the pods that use the volume, run e2fsck -f on its device, and start them again",
      "look at dmesg on the node; let the driver's node container be privileged",
    ],
  }),
  said({
    id: "resize-other-file-system",
    texts: ["Bad magic number in super-block while trying to open"],
    cause:
      "resize2fs finds no ext file system on the device: it holds another one, or a table of partitions.",
    change: ["compare the volume's fsType with what blkid tells of the device"],
  }),
  said({
    id: "mount-option-refused",
    texts: ["an incorrect mount option was specified"],
    cause:
      "The mount command does not know one of the volume's mount options, or the node's kernel lacks that version of NFS.",
    change: [
      "correct mountOptions: their names (nfsvers=4.1), and their values",
      "try an older version of NFS",
    ],
  }),
  said({
    id: "fuse-missing",
    texts: ["fuse: device not found", "modprobe fuse", "/dev/fuse: no such file or directory"],
    cause: "The node's kernel has no FUSE, or the driver's container has no /dev/fuse.",
    change: ["load the module fuse on the node, and let the driver's node container be privileged"],
  }),
  said({
    id: "xfs-duplicate-id",
    texts: ["Filesystem has duplicate UUID"],
    cause:
      "A clone or a restored snapshot carries the XFS identity of its source, which is mounted on the same node.",
    change: ["add nouuid to the class's or volume's mountOptions"],
  }),
  said({
    id: "other-file-system",
    texts: ["wrong fs type, bad option, bad superblock"],
    cause:
      "The device holds no file system of that type, an option is not known, or the mount program is missing.",
    change: [
      "compare fsType with what blkid tells of the device",
      "correct mountOptions, or install the file system's programs on the node",
      "of a clone or a restored snapshot with XFS, on the node of its source: add nouuid to mountOptions",
    ],
  }),
  said({
    id: "mount-point-busy",
    texts: [
      "already mounted or mount point busy",
      "already mounted or {place} busy",
      "device is busy",
      "target is busy",
      "device or resource busy",
      "because the device is in use",
      "is apparently in use by the system",
    ],
    cause:
      "The device is mounted elsewhere on the node, or something still uses the directory: multipath, LVM or a pod that did not end cleanly.",
    change: [
      "find out with findmnt and lsof on the node what holds it",
      "blacklist the driver's devices in multipath.conf",
    ],
  }),
  said({
    id: "iscsi-no-path",
    rule: "pkg/volume/iscsi/iscsi_util.go AttachDisk",
    texts: ["failed to get any path for iscsi disk, last err seen: {detail}"],
    cause: "The node finds no path to the iSCSI disk; the last error stands behind.",
    change: [
      "check targetPortal, iqn and lun, the login secret, and that the target admits the node's initiator name",
    ],
  }),
  said({
    id: "iscsi-no-daemon",
    texts: [
      "could not communicate to iscsid",
      "can not connect to iSCSI daemon",
      "iSCSI driver not found. Please make sure it is loaded",
      "daemon died?",
    ],
    cause: "The node's iSCSI initiator does not run, or its kernel module is not loaded.",
    change: [
      "install open-iscsi (iscsi-initiator-utils) on every node, start iscsid there, and load iscsi_tcp",
    ],
  }),
  said({
    id: "iscsi-portal-not-reached",
    texts: [
      "failed to get any path for iscsi disk",
      "iscsiadm: No portals found",
      "iscsiadm: Could not login to",
      "iscsiadm: cannot make connection to",
      "iscsiadm: Connection to Discovery Address",
      "Failed to log in to any iSCSI targets",
      "Could not attach disk: Timeout",
    ],
    cause:
      "The node finds no path to the iSCSI target: portal, name, login, or its initiator is not allowed.",
    change: [
      "check targetPortal, iqn and lun, the login secret, and that the target admits the node's initiator name",
      "run iscsid on the node",
    ],
  }),
  said({
    id: "encryption-key-wrong",
    rule: "cryptsetup(8), exit status 2",
    texts: ["No key available with this passphrase", "No usable keyslot is available"],
    cause: "The key in the secret does not open the encrypted volume: it was made with another.",
    change: [
      "give the secret the key back that the volume was made with: a new one does not open it",
    ],
  }),
  said({
    id: "encryption-device-in-use",
    rule: "cryptsetup(8), exit status 5",
    texts: [
      "cryptsetup args: [luksOpen {arguments}] output: {output} error: exit status 5",
      "cryptsetup args: [luksOpen {arguments}] output: error: exit status 5",
    ],
    cause:
      "The encrypted volume is open on the node already, or its device is in use: it was not closed cleanly.",
    change: ["cryptsetup status on the node, and close it, once no pod on that node uses it"],
  }),
  said({
    id: "device-missing",
    texts: [
      "special device {device} does not exist",
      "device not found",
      "no such device",
      "Failed to find device path",
      "no device path for device",
      "devicePath error, file not found",
      "does not exist and no size was specified",
      "disk: {disk} not attached to node",
      "failed to find disk on lun",
      "WaitForAttach failed within timeout",
      "Failed to find device for the volumeID",
      "disk attached but not found",
    ],
    cause:
      "The volume's device is not on the node: it is attached elsewhere, or its connection has broken.",
    change: [
      "look at the VolumeAttachment and the driver's node log",
      "restart the pod on another node",
    ],
  }),
  said({
    id: "no-space-on-node",
    texts: ["no space left on device", "disk quota exceeded"],
    cause:
      "A disk is full: the node's own, where the path is below /var/lib/kubelet, or the volume.",
    change: ["free space on the node (images, logs, emptyDir) or in the volume"],
  }),
  said({
    id: "read-only-file-system",
    texts: ["read-only file system"],
    cause: "The file system is read-only: mounted so, or turned so by the kernel after errors.",
    change: ["look at readOnly in the volume and the mount, and at dmesg on the node"],
  }),
  said({
    id: "mount-point-missing",
    texts: ["mount point does not exist"],
    cause:
      "The directory to mount on is not there, where the mount command runs: most often in the driver's container.",
    change: [
      "let the driver's node container have the kubelet's directory at the path that the kubelet has (--root-dir), with mountPropagation: Bidirectional",
    ],
  }),
  said({
    id: "mount-point-not-empty",
    texts: ["remove {path}: directory not empty"],
    cause:
      "Nothing is mounted at that path any more, but there are files in it, so that it is not removed.",
    change: [
      "make sure on the node that nothing is mounted there (findmnt), save the files, then remove them: the next try succeeds",
    ],
  }),
  said({
    id: "stale-staging-path",
    texts: [
      "globalmount: file exists",
      "/mount: file exists",
      "transport endpoint is not connected",
      "stale NFS file handle",
      "Stale file handle",
    ],
    cause: "The mount point on the node is left over from a connection that has broken.",
    change: [
      "unmount the path on the node, then the next try succeeds; restart the driver's node pod if it stays",
    ],
  }),
  said({
    id: "group-not-settable",
    texts: ["lchown {path}: operation not permitted", "chown {path}: operation not permitted"],
    cause:
      "The pod has an fsGroup, and the volume does not let its files be given to that group: NFS with root_squash, SMB, FUSE.",
    change: [
      "leave fsGroup out, and let the server give the files to the container's user",
      "let the driver declare fsGroupPolicy: None",
    ],
  }),
  said({
    id: "device-map-failed",
    texts: ["rbd: map failed", "rbd: sysfs write failed"],
    cause:
      "The node's kernel could not map the RBD image: features that it does not know, keys, or monitors that it does not reach.",
    change: ["read dmesg on the node", "use imageFeatures: layering, or mounter: rbd-nbd"],
  }),
];

/** Errors of system calls, whichever program made them. */
export const systemMessages: readonly MessagePattern[] = [
  system({
    id: "serving-process-gone",
    rule: "Linux fs/fuse/dev.c: ENOTCONN, ECONNABORTED, ECONNREFUSED",
    texts: [
      "stat {path}: connection refused",
      "stat {path}: software caused connection abort",
      "stat {path}: transport endpoint is not connected",
    ],
    cause: "A process serves the file system at {path} (FUSE), and has ended or does not answer.",
    change: [
      "look at the driver's node log, or its mount pod's, for what that process printed: address, bucket, keys",
    ],
  }),
  system({
    id: "name-not-resolved",
    rule: "Go net DNSError",
    texts: ["dial tcp: lookup {host}: no such host", "no such host"],
    cause: "The name of a server could not be resolved by whoever asked.",
    change: ["correct the server's name, or look at the DNS that the component which says it asks"],
    isAnywhere: true,
  }),
  system({
    id: "address-not-reached",
    rule: "Go net OpError; crypto/tls",
    texts: ["connect: connection refused", ": i/o timeout", "TLS handshake timeout"],
    cause: "Nobody answers at the address that was asked.",
    change: ["look whether what is asked runs, and at network policies and firewalls on the way"],
    isAnywhere: true,
  }),
  system({
    id: "path-denied",
    rule: "EACCES of stat, lstat, open, mkdir",
    texts: ["stat", "lstat", "open", "mkdir"].map((call) => `${call} {path}: permission denied`),
    cause:
      "Who asked for {path} may not have it, by the rights of its directory or of a mount below it.",
    change: [
      "on NFS: give the exported directory to the user that asks, or export it with no_root_squash",
      "of a program in a container that does not run as root: set fsGroup, where the volume takes it, or let an initContainer that runs as root set the owner",
      "elsewhere: look whether what is mounted there still answers",
    ],
  }),
  system({
    id: "path-not-found",
    rule: "ENOENT of stat, lstat, open, mkdir",
    texts: ["stat", "lstat", "open", "mkdir"].map(
      (call) => `${call} {path}: no such file or directory`,
    ),
    cause: "{path} does not exist, where it was looked for.",
    change: [
      "find out who should have made it: the driver, the device's attachment, or you for a path of your own",
    ],
  }),
];
