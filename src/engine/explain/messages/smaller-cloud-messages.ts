/** Messages of smaller clouds' CSI drivers about volumes that they encrypt on the node. */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const linode = messagesOf("Linode CSI driver", "linode-blockstorage-csi-driver internal/driver/");
const scaleway = messagesOf("Scaleway CSI driver", "scaleway-csi pkg/driver/");

export const smallerCloudMessages: readonly MessagePattern[] = [
  linode({
    id: "linode-no-luks-key",
    rule: "nodeserver_helpers.go formatLUKSVolume",
    texts: ['Failed to luks format validation ("{device}"): no encryption key provided'],
    cause: "The volume is encrypted on the node, which is given no key for it.",
    change: [
      "name the secret in the class's csi.storage.k8s.io/node-stage-secret-name and -namespace (recreate class and claim)",
      "give the secret luksKey",
    ],
    isOfSecret: true,
    outlook: "stuck",
  }),
  linode({
    id: "linode-luks-incomplete",
    rule: "nodeserver_helpers.go formatLUKSVolume",
    texts: ['Failed to luks format validation ("{device}"): {what}'],
    cause: "The volume is encrypted on the node, and its class does not say how.",
    change: [
      "set linodebs.csi.linode.com/luks-cipher (aes-xts-plain64) and /luks-key-size (512) among the class's parameters (recreate class and claim)",
    ],
    outlook: "stuck",
  }),
  scaleway({
    id: "scaleway-no-passphrase",
    rule: "node.go NodeStageVolume",
    texts: ["missing passphrase secret for key {key}"],
    cause: "The volume is encrypted on the node, which is given no {key} for it.",
    change: [
      "name the secret in the class's csi.storage.k8s.io/node-stage-secret-name and -namespace, and node-expand alike (recreate class and claim)",
      "give the secret {key}",
    ],
    isOfSecret: true,
    outlook: "stuck",
  }),
  scaleway({
    id: "scaleway-grows-without-passphrase",
    rule: "node.go NodeExpandVolume",
    texts: ["device {device} is LUKS encrypted, but no passphrase was provided"],
    cause:
      "The volume has grown, and the node, which is given no passphrase to enlarge {device}, leaves the file system as small as it was.",
    change: [
      "recreate the volume with a class that names the secret in csi.storage.k8s.io/node-expand-secret-name and -namespace (the fields of a volume cannot be changed)",
      "give the secret encryptionPassphrase",
    ],
    isOfSecret: true,
    outlook: "stuck",
  }),
];
