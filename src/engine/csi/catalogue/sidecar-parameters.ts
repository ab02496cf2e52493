/**
 * Keys of a StorageClass's parameters that sidecars read, whatever the driver: the file system, and a secret for each use.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go, provisionerSecretParams and the like, removePrefixedParameters.
 */

export const sidecarPrefix = "csi.storage.k8s.io/";
export const prefixedFsType: string = `${sidecarPrefix}fstype`;

export interface SecretKind {
  /** What error messages call it. */
  readonly title: string;
  readonly key: string;
  /** Upstream's deprecated keys. */
  readonly deprecatedName?: string;
  readonly deprecatedNamespace?: string;
}

export type SecretUse =
  | "provisioner"
  | "controllerPublish"
  | "nodeStage"
  | "nodePublish"
  | "controllerExpand"
  | "nodeExpand"
  | "controllerModify";

export const secretKinds: Readonly<Record<SecretUse, SecretKind>> = {
  provisioner: {
    title: "Provisioner",
    key: "provisioner",
    deprecatedName: "csiProvisionerSecretName",
    deprecatedNamespace: "csiProvisionerSecretNamespace",
  },
  controllerPublish: {
    title: "ControllerPublish",
    key: "controller-publish",
    deprecatedName: "csiControllerPublishSecretName",
    deprecatedNamespace: "csiControllerPublishSecretNamespace",
  },
  nodeStage: {
    title: "NodeStage",
    key: "node-stage",
    deprecatedName: "csiNodeStageSecretName",
    deprecatedNamespace: "csiNodeStageSecretNamespace",
  },
  nodePublish: {
    title: "NodePublish",
    key: "node-publish",
    deprecatedName: "csiNodePublishSecretName",
    deprecatedNamespace: "csiNodePublishSecretNamespace",
  },
  controllerExpand: { title: "ControllerExpand", key: "controller-expand" },
  nodeExpand: { title: "NodeExpand", key: "node-expand" },
  controllerModify: { title: "ControllerModify", key: "controller-modify" },
};

export const secretUses: readonly SecretUse[] = [
  "provisioner",
  "controllerPublish",
  "nodeStage",
  "nodePublish",
  "controllerExpand",
  "nodeExpand",
  "controllerModify",
];

/** Those with the prefix; with any other key that has it, the provisioner makes no volume. */
export const sidecarKeys: ReadonlySet<string> = new Set([
  prefixedFsType,
  `${sidecarPrefix}secret-name`,
  `${sidecarPrefix}secret-namespace`,
  ...secretUses.flatMap((use) => [
    `${sidecarPrefix}${secretKinds[use].key}-secret-name`,
    `${sidecarPrefix}${secretKinds[use].key}-secret-namespace`,
  ]),
]);
