/** Whether an update is meant for the stored object. Upstream: registry/generic/registry/store.go Update, v1.36. */
import { customKinds } from "../decoding/custom-resource.ts";
import {
  type ApiError,
  type Cause,
  conflict,
  type Kind,
  type KubeObject,
  qualifiedResource,
} from "../meta.ts";
import { versionNumber } from "../resource-version.ts";
import type { ObjectMeta } from "../types.ts";

/** Kinds whose updates must name the resourceVersion. */
const versionedKinds: ReadonlySet<Kind> = new Set<Kind>([
  ...customKinds,
  "VolumeAttachment",
  "CSIDriver",
  "CSINode",
  "CSIStorageCapacity",
  "PodDisruptionBudget",
  "RuntimeClass",
]);

/** Upstream: pkg/kubeapiserver/default_storage_factory_builder.go SpecialDefaultResourcePrefixes. */
const historicalPrefixes: Readonly<Record<string, string>> = {
  nodes: "minions",
  replicationcontrollers: "controllers",
  services: "services/specs",
};

/** The error if the update is meant for another object of this name, or another version of it. */
export function conflictWith(current: KubeObject, metadata: ObjectMeta): ApiError | undefined {
  const { kind } = current;
  const { name, uid } = current.metadata;
  if (metadata.uid !== undefined && metadata.uid !== "" && metadata.uid !== uid) {
    return {
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on ${qualifiedResource(kind)} "${name}": StorageError: invalid object, Code: 4, Key: ${storageKey(current)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`,
    };
  }
  return versionConflict(current, metadata);
}

/**
 * The error for another version, or for none if one is required. For a patch only this is checked beforehand; another uid is a
 * change of an immutable field (rest.DefaultUpdatedObjectInfo has no preconditions without an object).
 */
export function versionConflict(current: KubeObject, metadata: ObjectMeta): ApiError | undefined {
  const { kind } = current;
  const { name, resourceVersion } = current.metadata;
  if (metadata.resourceVersion === resourceVersion) return undefined;
  const version = versionNumber(metadata.resourceVersion);
  if (typeof version === "string") return { code: 500, reason: "", message: version };
  if (version === 0n) return versionedKinds.has(kind) ? withoutVersion(kind, name) : undefined;
  return version === versionNumber(resourceVersion) ? undefined : conflict(kind, name);
}

/** The server names the resource instead of the kind, which it does not know here. */
function withoutVersion(kind: Kind, name: string): ApiError {
  const message = "Invalid value: 0: must be specified for an update";
  const cause: Cause = { reason: "FieldValueInvalid", field: "metadata.resourceVersion", message };
  return {
    code: 422,
    reason: "Invalid",
    message: `${qualifiedResource(kind)} "${name}" is invalid: ${cause.field}: ${message}`,
    causes: [cause],
  };
}

/** The key of an object in etcd. */
function storageKey({ kind, metadata }: KubeObject): string {
  const [resource = "", ...group] = qualifiedResource(kind).split(".");
  const prefix = customKinds.has(kind)
    ? `${group.join(".")}/${resource}`
    : (historicalPrefixes[resource] ?? resource);
  return metadata.namespace === undefined
    ? `/${prefix}/${metadata.name}`
    : `/${prefix}/${metadata.namespace}/${metadata.name}`;
}
