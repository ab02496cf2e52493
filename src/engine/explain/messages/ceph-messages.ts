/** Error messages of the Ceph CSI driver, and what Ceph's programs and the kernel's client print inside them. */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const ceph = messagesOf("Ceph CSI driver", "ceph-csi internal/");
const client = messagesOf("Ceph client", "ceph ");

export const cephMessages: readonly MessagePattern[] = [
  ceph({
    id: "ceph-cluster-unknown",
    rule: "util/csiconfig.go readClusterInfo",
    texts: [
      "missing configuration for cluster ID ({cluster})",
      'missing configuration for cluster ID "{cluster}"',
      "missing configuration for cluster ID",
    ],
    cause:
      "The driver's configuration has no cluster of the clusterID that the class or the volume names.",
    change: [
      "add the cluster with its monitors to the driver's ConfigMap",
      "correct the class's clusterID (recreate the class)",
    ],
  }),
  ceph({
    id: "ceph-secret-empty",
    rule: "util/credentials.go newCredentialsFromSecret",
    texts: ["provided secret is empty"],
    cause: "The driver was given no secret, or an empty one, and cannot log in to Ceph.",
    change: [
      "name the secrets in the class's csi.storage.k8s.io/ parameters (for snapshots in the VolumeSnapshotClass's), and recreate the object",
      "fill in the secret: userID, userKey; adminID, adminKey",
    ],
  }),
  ceph({
    id: "ceph-stage-secret-missing",
    rule: "util/validate.go ValidateNodeStageVolumeRequest; Manila's driver says it too",
    texts: ["stage secrets cannot be nil or empty"],
    cause: "The volume names no secret for its node, or an empty one.",
    change: [
      "name it in the class's csi.storage.k8s.io/node-stage-secret-name and -namespace (recreate class and claim)",
      "give a volume that was made by hand nodeStageSecretRef (recreate the volume)",
    ],
    outlook: "stuck",
  }),
  ceph({
    id: "ceph-image-for-one-node",
    rule: "rbd/nodeserver.go populateRbdVol",
    texts: ["rbd: RWX access mode request is only valid for volumes with access type block"],
    cause: "The volume is for many writers and has a file system, which RBD does not share.",
    change: [
      "use ReadWriteOnce, or a volume of CephFS",
      "use volumeMode: Block, where the application shares a raw disk itself",
    ],
    outlook: "stuck",
  }),
  ceph({
    id: "ceph-feature-wrong",
    rule: "rbd/rbd_util.go validateImageFeatures",
    texts: [
      "feature {feature} requires {other} to be set",
      "feature {feature} requires rbd-nbd for mounter",
      "invalid feature {feature}",
    ],
    cause: "The class's imageFeatures do not go together, or are none that the driver knows.",
    change: ["correct imageFeatures in the class (recreate the class)"],
  }),
  ceph({
    id: "ceph-secret-incomplete",
    rule: "util/credentials.go newCredentialsFromSecret",
    texts: [
      "missing ID field '{key}' in secrets",
      "missing key field '{key}' in secrets",
      "failed to get {who} credentials from node stage secrets: missing ID field '{key}' in secrets",
      "failed to get {who} credentials from node stage secrets: missing key field '{key}' in secrets",
    ],
    cause: "The secret that the driver was given lacks {key}.",
    change: [
      "add {key} to it",
      "rename adminID and adminKey to userID and userKey: RBD takes no others, and CephFS no others for volumes that were made by hand",
    ],
    isOfSecret: true,
  }),
  ceph({
    id: "ceph-passphrase-missing",
    rule: "kms/secretskms.go newSecretsKMS",
    texts: [
      "invalid encryption kms configuration: missing encryption passphrase in secrets",
      "missing encryption passphrase in secrets",
    ],
    cause:
      "The class asks for encrypted volumes, and the secret that the driver was given has no passphrase.",
    change: [
      "add encryptionPassphrase to it",
      "name in the class's encryptionKMSID where the keys are kept instead (recreate the class)",
    ],
    isOfSecret: true,
  }),
  ceph({
    id: "ceph-program-failed",
    rule: "util/cephcmd.go ExecCommand",
    texts: [
      "an error (exit status {exitCode}) occurred while running {program} args: [{arguments}] stderr: {detail}",
      "an error (exit status {exitCode}) occurred while running {program} args: [{arguments}], rbd error output: {detail}",
    ],
    cause:
      "The program {program}, which the driver runs, failed (exit status {exitCode}); what it printed stands behind.",
    change: [],
  }),
  ceph({
    id: "ceph-image-status-unknown",
    rule: "rbd/rbd_attach.go waitForrbdImage, pkg/volume/rbd",
    texts: [
      "fail to check rbd image status with: ({detail}), rbd output: ({output})",
      "fail to check rbd image status with: ({detail}), rbd output: {output}",
      "fail to check rbd image status: ({detail})",
    ],
    cause: "The node could not ask the Ceph cluster for the state of the RBD image.",
    change: [
      "look at what is printed: the monitors' addresses, the user and its key, the program rbd",
    ],
  }),
  ceph({
    id: "ceph-login-refused",
    rule: "cephfs/mounter/kernel.go, where ceph's mount.ceph prints it; go-ceph rados errors",
    texts: [
      "_ceph-mon._tcp mount error 13 = Permission denied",
      "rados: ret=-13, Permission denied",
    ],
    cause: "The Ceph cluster refuses the user: its key, or its rights to the path.",
    change: ["compare the key in the secret with ceph auth get, and the user's caps with the path"],
    isAnywhere: true,
  }),
  ceph({
    id: "ceph-monitors-not-in-dns",
    rule: "cephfs/mounter/kernel.go; ceph src/mon/MonMap.cc init_with_dns_srv prints it",
    texts: ["unable to get monitor info from DNS SRV with service name"],
    cause:
      "mount.ceph found no monitors in the DNS. That is usual where the volume names them; what else has failed, it does not say here.",
    change: ["read dmesg on the node: the kernel's Ceph client says there why it did not mount"],
    isAnywhere: true,
  }),
  ceph({
    id: "ceph-pool-missing",
    rule: "util/cephcmd.go GetPoolID",
    texts: [
      "pool not found: pool ({pool}) not found in Ceph cluster",
      "pool ({pool}) not found in Ceph cluster",
    ],
    cause: "The Ceph cluster has no pool {pool}, which the class names.",
    change: [
      "make the pool: with Rook a CephBlockPool of that name, which has to become Ready first",
      "correct the class's pool (recreate the class)",
    ],
  }),
  ceph({
    id: "ceph-file-system-missing",
    rule: "cephfs/core/metadata.go GetFscID, GetMetadataPool, GetFsName",
    texts: [
      "fsName ({fileSystem}) not found in Ceph cluster",
      "fscID ({fileSystem}) not found in Ceph cluster",
    ],
    cause: "The Ceph cluster has no file system {fileSystem}.",
    change: [
      "make it: with Rook a CephFilesystem of that name, which has to become Ready first",
      "correct the class's fsName (recreate the class)",
    ],
  }),
  client({
    id: "ceph-no-metadata-server",
    rule: "src/mount/mount.ceph.c",
    texts: ["no mds server is up or the cluster is laggy"],
    cause: "No metadata server of the file system answers: none runs, or Ceph itself is not well.",
    change: [
      "ceph fs status, and ceph health detail: the file system needs an active metadata server",
      "let nodes reach it: the ports 6800 and above",
    ],
    isAnywhere: true,
  }),
  client({
    id: "ceph-no-such-path",
    rule: "src/mount/mount.ceph.c; Linux fs/ceph super.c",
    texts: ["mount error 2 = No such file or directory"],
    cause: "CephFS has no such path, or no file system of that name.",
    change: ["compare rootPath and fsName with ceph fs ls and what is in the file system"],
    isAnywhere: true,
  }),
  client({
    id: "ceph-monitors-not-reached",
    rule: "src/mount/mount.ceph.c; Linux net/ceph",
    texts: ["mount error 110 = Connection timed out", "mount error 5 = Input/output error"],
    cause: "The node's kernel does not reach the monitors, or they do not let it in.",
    change: [
      "check from the node: the monitors' addresses, ports 3300 and 6789, firewalls",
      "read dmesg on the node: libceph says there why",
    ],
    isAnywhere: true,
  }),
  client({
    id: "ceph-image-features-unknown",
    rule: "src/krbd.cc; Linux drivers/block/rbd.c",
    texts: ["RBD image feature set mismatch", "image uses unsupported features"],
    cause: "The node's kernel does not know all features that the RBD image was made with.",
    change: [
      "use imageFeatures: layering (recreate class and claim), or switch them off in the image: rbd feature disable",
      "use mounter: rbd-nbd, or a newer kernel",
    ],
    isAnywhere: true,
  }),
  client({
    id: "ceph-node-blocked",
    rule: "Linux rbd.c, EBLOCKLISTED is ESHUTDOWN",
    texts: ["(108) Cannot send after transport endpoint shutdown"],
    cause:
      "Ceph has the node on its blocklist: it was fenced, or took too long to answer, and is let in no more.",
    change: [
      "ceph osd blocklist ls; once nothing of the node writes to the image any more: ceph osd blocklist rm",
    ],
    isAnywhere: true,
  }),
];
