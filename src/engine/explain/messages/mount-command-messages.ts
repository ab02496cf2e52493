/**
 * What a mount command on a node says when it fails, as kubelets and drivers pass it on. Upstream: k8s.io/mount-utils v0.36
 * mount_linux.go doMount, formatAndMountSensitive; nfs-utils, cifs-utils, util-linux.
 */
import { foreignMessagesOf, partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const said = foreignMessagesOf("mount command", "what the program prints, behind Output");
const system = partsOf("operating system");

export const mountCommandMessages: readonly MessagePattern[] = [
  said(
    "holds-other-file-system",
    ['failed to mount the volume as "{wanted}", it already contains {found}. Mount error'],
    "The volume's fsType is {wanted}, and its disk already holds {found}. It is not formatted anew, so that no data is lost.",
    ["set fsType to what the disk holds (make the volume object anew), or use an empty disk"],
  ),
  {
    ...said(
      "mount-command-failed",
      [
        "mount failed: exit status {exitCode} {command}Output: {detail}",
        "mount failed: exit status {exitCode}",
      ],
      "The node's mount command failed (exit status {exitCode}); what it printed stands behind Output.",
      ["read what stands behind Output, and run the same mount command on the node"],
    ),
    rule: "mount_linux.go doMount",
  },
  said(
    "nfs-access-denied",
    ["access denied by server while mounting"],
    "The NFS server does not let this node in, or does not export that path.",
    [
      "export the path to every node's address in the server's /etc/exports, and run exportfs -ra",
      "look at the path: with NFSv4 it begins at the server's root export",
      "choose the version in the volume's mountOptions: nfsvers=4.1 or nfsvers=3",
    ],
  ),
  said(
    "nfs-path-missing",
    ["reason given by server: No such file or directory"],
    "The NFS server runs and has no such path.",
    ["make the directory on the server, or correct the volume's path"],
  ),
  said(
    "nfs-lock-daemon",
    ["rpc.statd is not running but is required for remote locking"],
    "NFS version 3 needs rpc.statd on the node for its locks, and it does not run there.",
    [
      "install and start rpcbind and rpc-statd on the node",
      "use nfsvers=4.1, or nolock, in mountOptions",
    ],
  ),
  said(
    "server-name-unknown",
    [
      "Failed to resolve server {server}",
      'Failed to resolve "',
      "Name or service not known",
      "could not resolve address for",
    ],
    "The node cannot resolve the server's name. It asks its own name servers, not the cluster's, so that names of Services mean nothing to it.",
    ["name the server by an address, or by a name that the nodes can resolve"],
  ),
  said(
    "server-not-reached",
    [
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
    "The node does not reach the file server, or the server does not speak the protocol's version.",
    [
      "check from the node: address, port 2049 (NFS) or 445 (SMB), firewalls, and that the server runs",
      "choose the version in mountOptions",
    ],
  ),
  said(
    "protocol-not-supported",
    ["mount.nfs: Protocol not supported", "Protocol not supported", "unknown filesystem type"],
    "The server, or the node's kernel, does not know this version or type of file system.",
    [
      "choose another version in mountOptions (nfsvers=4.1, vers=3.0)",
      "install the file system's kernel module and tools on the node",
    ],
  ),
  said(
    "mount-helper-missing",
    [
      "you might need a /sbin/mount.<type> helper program",
      "you might need a /sbin/mount",
      "executable file not found in $PATH",
    ],
    "A program that this type of volume needs is missing: on the node, or in the driver's container where it is the driver that says so.",
    [
      "install it on every node: nfs-common or nfs-utils, cifs-utils, open-iscsi, ceph-common",
      "use the type's CSI driver, which brings its own programs",
    ],
  ),
  said(
    "smb-login-refused",
    ["mount error(13): Permission denied"],
    "The SMB server refuses the user, the password or the share.",
    ["correct the secret (username, password, domain), and the share's permissions"],
  ),
  said(
    "smb-share-missing",
    ["mount error(2): No such file or directory"],
    "The SMB server has no such share or folder.",
    ["correct the share's name in the volume or the class's source"],
  ),
  said(
    "file-system-damaged",
    [
      "'fsck' found errors on device",
      "contains a file system with errors",
      "UNEXPECTED INCONSISTENCY",
      "Structure needs cleaning",
      "There are errors in the filesystem",
      "Filesystem issues has been detected",
    ],
    "The file system on the volume is damaged, and is not repaired by itself.",
    [
      "end all pods that use the volume, then run fsck or xfs_repair on its device",
      "restore a snapshot or a backup",
    ],
  ),
  said(
    "device-does-not-answer",
    ["can't read superblock", "Input/output error"],
    "The device is there and does not answer: its connection to the storage system is broken, or the file system's beginning is damaged.",
    [
      "look at the health of the volume in the storage system, and at dmesg on the node",
      "end the pod, so that the volume is detached and attached again",
    ],
  ),
  said(
    "resize-not-permitted",
    ["Permission denied to resize filesystem"],
    "The node's kernel does not grow the mounted file system: it has errors, or the driver's container lacks the right to do it.",
    [
      "end the pods that use the volume, run e2fsck -f on its device, and start them again",
      "look at dmesg on the node; let the driver's node container be privileged",
    ],
  ),
  said(
    "xfs-duplicate-id",
    ["Filesystem has duplicate UUID"],
    "A clone or a restored snapshot carries the XFS identity of its source, which is mounted on the same node.",
    ["add nouuid to the class's or volume's mountOptions"],
  ),
  said(
    "other-file-system",
    ["wrong fs type, bad option, bad superblock"],
    "The device holds no file system of that type, an option is not known, or the mount program is missing.",
    [
      "compare fsType with what blkid tells of the device",
      "correct mountOptions, or install the file system's programs on the node",
    ],
  ),
  said(
    "mount-point-busy",
    [
      "already mounted or mount point busy",
      "already mounted or {place} busy",
      "device is busy",
      "target is busy",
      "device or resource busy",
      "because the device is in use",
    ],
    "The device is mounted elsewhere on the node, or something still uses the directory: multipath, LVM or a pod that did not end cleanly.",
    [
      "find out with findmnt and lsof on the node what holds it",
      "blacklist the driver's devices in multipath.conf",
    ],
  ),
  said(
    "iscsi-portal-not-reached",
    [
      "failed to get any path for iscsi disk",
      "iscsiadm: No portals found",
      "iscsiadm: Could not login to",
      "iscsiadm: cannot make connection to",
      "Failed to log in to any iSCSI targets",
      "Could not attach disk: Timeout",
    ],
    "The node finds no path to the iSCSI target: portal, name, login, or its initiator is not allowed.",
    [
      "check targetPortal, iqn and lun, the login secret, and that the target admits the node's initiator name",
      "run iscsid on the node",
    ],
  ),
  said(
    "device-missing",
    [
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
    "The volume's device is not on the node: it is attached elsewhere, or its connection has broken.",
    ["look at the VolumeAttachment and the driver's node log", "restart the pod on another node"],
  ),
  said(
    "no-space-on-node",
    ["no space left on device", "disk quota exceeded"],
    "A disk is full: the node's own, where the path is below /var/lib/kubelet, or the volume.",
    ["free space on the node (images, logs, emptyDir) or in the volume"],
  ),
  said(
    "read-only-file-system",
    ["read-only file system"],
    "The file system is read-only: mounted so, or turned so by the kernel after errors.",
    ["look at readOnly in the volume and the mount, and at dmesg on the node"],
  ),
  said(
    "mount-point-missing",
    ["mount point does not exist"],
    "The directory to mount on is not there, where the mount command runs: most often in the driver's container.",
    [
      "let the driver's node container have the kubelet's directory at the path that the kubelet has (--root-dir), with mountPropagation: Bidirectional",
    ],
  ),
  said(
    "mount-point-not-empty",
    ["remove {path}: directory not empty"],
    "Nothing is mounted at that path any more, but there are files in it, so that it is not removed.",
    [
      "make sure on the node that nothing is mounted there (findmnt), save the files, then remove them: the next try succeeds",
    ],
  ),
  said(
    "stale-staging-path",
    [
      "globalmount: file exists",
      "/mount: file exists",
      "transport endpoint is not connected",
      "stale NFS file handle",
    ],
    "The mount point on the node is left over from a connection that has broken.",
    [
      "unmount the path on the node, then the next try succeeds; restart the driver's node pod if it stays",
    ],
  ),
  said(
    "group-not-settable",
    ["lchown {path}: operation not permitted", "chown {path}: operation not permitted"],
    "The pod has an fsGroup, and the volume does not let its files be given to that group: NFS with root_squash, SMB, FUSE.",
    [
      "leave fsGroup out, and let the server give the files to the container's user",
      "let the driver declare fsGroupPolicy: None",
    ],
  ),
  said(
    "device-map-failed",
    ["rbd: map failed", "rbd: sysfs write failed"],
    "The node's kernel could not map the RBD image: features that it does not know, keys, or monitors that it does not reach.",
    ["read dmesg on the node", "use imageFeatures: layering, or mounter: rbd-nbd"],
  ),
];

/** What a call of the operating system answers, whoever made it. */
export const systemMessages: readonly MessagePattern[] = [
  system(
    "serving-process-gone",
    "Linux fs/fuse/dev.c: ENOTCONN, ECONNABORTED, ECONNREFUSED",
    [
      "stat {path}: connection refused",
      "stat {path}: software caused connection abort",
      "stat {path}: transport endpoint is not connected",
    ],
    "A process serves the file system at {path} (FUSE), and has ended or does not answer.",
    [
      "look at the driver's node log, or its mount pod's, for what that process printed: address, bucket, keys",
    ],
  ),
  {
    ...system(
      "name-not-resolved",
      "Go net DNSError",
      ["dial tcp: lookup {host}: no such host", "no such host"],
      "The name of a server could not be resolved by whoever asked.",
      ["correct the server's name, or look at the DNS that the component which says it asks"],
    ),
    isAnywhere: true,
  },
  {
    ...system(
      "address-not-reached",
      "Go net OpError; crypto/tls",
      ["connect: connection refused", ": i/o timeout", "TLS handshake timeout"],
      "Nobody answers at the address that was asked.",
      ["look whether what is asked runs, and at network policies and firewalls on the way"],
    ),
    isAnywhere: true,
  },
  system(
    "path-denied",
    "EACCES of stat, lstat, open, mkdir",
    ["stat", "lstat", "open", "mkdir"].map((call) => `${call} {path}: permission denied`),
    "Who asked for {path} may not have it, by the rights of its directory or of a mount below it.",
    [
      "on NFS: give the exported directory to the user that asks, or export it with no_root_squash",
      "elsewhere: look whether what is mounted there still answers",
    ],
  ),
  system(
    "path-not-found",
    "ENOENT of stat, lstat, open, mkdir",
    ["stat", "lstat", "open", "mkdir"].map((call) => `${call} {path}: no such file or directory`),
    "{path} does not exist, where it was looked for.",
    [
      "find out who should have made it: the driver, the device's attachment, or you for a path of your own",
    ],
  ),
];
