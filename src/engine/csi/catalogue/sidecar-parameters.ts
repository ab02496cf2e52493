/**
 * The parameters of a StorageClass that sidecars read, for any driver: the file system, and a secret for each use.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go, provisionerSecretParams and the like,
 * removePrefixedParameters, verifyAndGetSecretNameAndNamespaceTemplate.
 */
import type { SecretName } from "../../matching/secret-template.ts";

/** The parameters of a StorageClass or VolumeSnapshotClass. */
export type Parameters = Readonly<Record<string, string>>;

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

export const sidecarPrefix = "csi.storage.k8s.io/";
export const prefixedFsType: string = `${sidecarPrefix}fstype`;

export type SecretUse =
  | "provisioner"
  | "controllerPublish"
  | "nodeStage"
  | "nodePublish"
  | "controllerExpand"
  | "nodeExpand"
  | "controllerModify";

/** Uses that do not matter in a class without volume expansion. */
export const usesOfGrowth: ReadonlySet<SecretUse> = new Set(["controllerExpand", "nodeExpand"]);

/** The keys for one secret. A class may have one key of each list. */
export interface SecretKeys {
  /** Its name in error messages. */
  readonly title: string;
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
}

export const secretKeys: Readonly<Record<SecretUse, SecretKeys>> = {
  provisioner: keysOf("Provisioner", "provisioner-", "csiProvisionerSecret"),
  controllerPublish: keysOf(
    "ControllerPublish",
    "controller-publish-",
    "csiControllerPublishSecret",
  ),
  nodeStage: keysOf("NodeStage", "node-stage-", "csiNodeStageSecret"),
  nodePublish: keysOf("NodePublish", "node-publish-", "csiNodePublishSecret"),
  controllerExpand: keysOf("ControllerExpand", "controller-expand-"),
  nodeExpand: keysOf("NodeExpand", "node-expand-"),
  controllerModify: keysOf("ControllerModify", "controller-modify-"),
};

export type SnapshotSecretUse = "snapshotter" | "snapshotterList" | "groupSnapshotter";

/** The keys in a VolumeSnapshotClass. Upstream: external-snapshotter v8.6 pkg/utils/util.go. */
export const snapshotSecretKeys: Readonly<Record<SnapshotSecretUse, SecretKeys>> = {
  snapshotter: keysOf("Snapshotter", "snapshotter-"),
  snapshotterList: keysOf("SnapshotterList", "snapshotter-list-"),
  groupSnapshotter: keysOf("GroupSnapshotter", "group-snapshotter-"),
};

/** Applies to every use without keys of its own. */
export const defaultSecretKeys: SecretKeys = keysOf("Default", "");

function keysOf(title: string, role: string, deprecated?: string): SecretKeys {
  const keys = (half: string, deprecatedHalf: string): readonly string[] => [
    `${sidecarPrefix}${role}secret-${half}`,
    ...(deprecated === undefined ? [] : [deprecated + deprecatedHalf]),
  ];
  return { title, names: keys("name", "Name"), namespaces: keys("namespace", "Namespace") };
}

export const secretUses: readonly SecretUse[] = [
  "provisioner",
  "controllerPublish",
  "nodeStage",
  "nodePublish",
  "controllerExpand",
  "nodeExpand",
  "controllerModify",
];

/**
 * The allowed keys with the prefix: with any other, no snapshot is taken. Upstream: external-snapshotter
 * RemovePrefixedParameters.
 */
export const snapshotSidecarKeys: ReadonlySet<string> = new Set(
  Object.values(snapshotSecretKeys).flatMap(({ names, namespaces }) => [...names, ...namespaces]),
);

/** The allowed keys with the prefix: with any other, the provisioner makes no volume. */
export const sidecarKeys: ReadonlySet<string> = new Set([
  prefixedFsType,
  ...[defaultSecretKeys, ...Object.values(secretKeys)]
    .flatMap(({ names, namespaces }) => [...names, ...namespaces])
    .filter((key) => key.startsWith(sidecarPrefix)),
]);

/** The templates of a secret's name and namespace; undefined if the class has neither. */
export function secretTemplate(
  { title, names, namespaces }: SecretKeys,
  parameters: Parameters,
): Checked<SecretName | undefined> {
  const given = (keys: readonly string[]): readonly string[] =>
    keys.flatMap((key) => parameters[key] ?? []);
  const [givenNames, givenNamespaces] = [given(names), given(namespaces)];
  const [name, namespace] = [givenNames[0], givenNamespaces[0]];
  if (givenNames.length > 1 || givenNamespaces.length > 1) {
    const error = `${title} secrets specified in parameters with both "csi" and "${sidecarPrefix}" keys`;
    return { ok: false, error };
  }
  if (name === undefined && namespace === undefined) return { ok: true, value: undefined };
  if (name === undefined || namespace === undefined) {
    const error = `either name and namespace for ${title} secrets specified, Both must be specified`;
    return { ok: false, error };
  }
  if (name === "" || namespace === "") {
    const error = `${title} secrets specified in parameters but value of either namespace or name is empty`;
    return { ok: false, error };
  }
  return { ok: true, value: { name, namespace } };
}
