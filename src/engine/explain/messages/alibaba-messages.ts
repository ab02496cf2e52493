/** Messages of Alibaba Cloud's OSS and NAS drivers about volumes that they do not make or mount. */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const oss = messagesOf("Alibaba Cloud OSS CSI driver", "alibaba-cloud-csi-driver pkg/");
const nas = messagesOf("Alibaba Cloud NAS CSI driver", "alibaba-cloud-csi-driver pkg/nas/");
const again = "(recreate the volume)";

export const alibabaMessages: readonly MessagePattern[] = [
  nas({
    id: "nas-root-mode",
    rule: "nodeserver.go NodePublishVolume",
    texts: ["NAS: root directory cannot set mode: {mode}"],
    cause:
      "The volume is a file system's uppermost directory, of which the driver changes no mode.",
    change: [`leave out mode, or set path to a directory below / ${again}`],
    outlook: "stuck",
  }),
  nas({
    id: "nas-no-server",
    rule: "subpath_controller.go CreateVolume",
    texts: ["invalid nas server"],
    cause: "The class names no mount target of a file system to make directories on.",
    change: [
      "set server to a mount target and its directory, as in 0cd8b4a576-uih75.cn-hangzhou.nas.aliyuncs.com:/k8s/ (recreate the class)",
    ],
  }),
  oss({
    id: "oss-bucket-domain",
    rule: "oss/utils.go validateEndpoint",
    texts: [
      "OSS url error: url is invalid, {url} is a bucket domain name, please use endpoint instead",
    ],
    cause:
      "{url} has the bucket's name in front of the endpoint's, where the endpoint alone is meant.",
    change: [`leave the bucket's name and the point behind it out of url ${again}`],
    outlook: "stuck",
  }),
  oss({
    id: "oss-no-bucket",
    rule: "oss/utils.go checkOssOptions",
    texts: ["OSS parameters error: Url/Bucket empty"],
    cause: "The volume's attributes name no bucket, or no endpoint.",
    change: [`set bucket and url in volumeAttributes, or in the class's parameters ${again}`],
    outlook: "stuck",
  }),
  oss({
    id: "oss-path",
    rule: "oss/utils.go checkOssOptions",
    texts: ["OSS path error: start with {path}, should start with /"],
    cause:
      "The path within the bucket is {path}, and ossfs takes none that does not begin with a slash.",
    change: [`write path as /{path} ${again}`],
    outlook: "stuck",
  }),
  oss({
    id: "oss-options",
    rule: "oss/utils.go parseOtherOpts",
    texts: ["invalid otherOpts: {options}"],
    cause: "Each option in otherOpts stands behind a -o, and in {options} one does not.",
    change: [`write otherOpts as "-o allow_other -o umask=022" ${again}`],
    outlook: "stuck",
  }),
  oss({
    id: "oss-fuse-type",
    rule: "oss/utils.go checkOssOptions",
    texts: ["OSS parameters error: Unsupported fuseType {type}"],
    cause:
      "The driver mounts buckets by ossfs and ossfs2, and not by {type}, which fuseType or the volume's fsType asks for.",
    change: [`set fuseType to ossfs or ossfs2 ${again}`],
    outlook: "stuck",
  }),
  oss({
    id: "oss-no-access-key",
    rule: "mounter/fuse_pod_manager/oss/ossfs/manager.go PrecheckAuthConfig",
    texts: ["OSS authorization error: {program}: missing access key in node publish secret"],
    cause:
      "The node is given no key for the bucket: no secret is named for it, or it has not both halves of a key.",
    change: [
      `name the secret in nodePublishSecretRef, or in the class's csi.storage.k8s.io/node-publish-secret-name and -namespace ${again}`,
      "give the secret akId and akSecret",
      "let a role do instead: authType: RRSA and roleName",
    ],
    isOfSecret: true,
  }),
  oss({
    id: "oss-no-pod",
    rule: "oss/controllerserver.go ControllerPublishVolume",
    texts: ["failed to create ossfs pod: {why}", "failed to create ossfs2 pod: {why}"],
    cause:
      "The pod that is to mount the bucket on the node did not come up in namespace ack-csi-fuse.",
    change: [
      "kubectl -n ack-csi-fuse get pods -o wide: look at the one on the pod's node, and at its events",
    ],
  }),
];
