/** What the Scaleway CSI driver says of volumes that it encrypts on the node. */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const scaleway = messagesOf("Scaleway CSI driver", "scaleway-csi pkg/driver/");

export const scalewayMessages: readonly MessagePattern[] = [
  scaleway({
    id: "scaleway-no-passphrase",
    rule: "node.go NodeStageVolume",
    texts: ["missing passphrase secret for key {key}"],
    cause: "The volume is encrypted on the node, which is given no {key} for it.",
    change: [
      "name the secret in the class's csi.storage.k8s.io/node-stage-secret-name and -namespace, and node-expand alike (make class and claim anew)",
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
      "make the volume anew with a class that names the secret in csi.storage.k8s.io/node-expand-secret-name and -namespace (the fields of a volume cannot be changed)",
      "give the secret encryptionPassphrase",
    ],
    isOfSecret: true,
    outlook: "stuck",
  }),
];
