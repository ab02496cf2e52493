/**
 * How a strategic merge patch treats the fields of the API's types. Upstream: the patchStrategy, patchMergeKey and listMapKey tags
 * of k8s.io/api v0.36.
 */
import { customKinds } from "../decoding/custom-resource.ts";
import { kindSchema } from "../meta.ts";
import { modelSchemas } from "../schema.ts";

/** The field that identifies the elements of a list, by model and field. Upstream: the patchMergeKey tags. */
const mergeKeys: Readonly<Record<string, string>> = {
  "Container.env": "name",
  "Container.ports": "containerPort",
  "Container.volumeDevices": "devicePath",
  "Container.volumeMounts": "mountPath",
  "EphemeralContainer.env": "name",
  "EphemeralContainer.ports": "containerPort",
  "EphemeralContainer.volumeDevices": "devicePath",
  "EphemeralContainer.volumeMounts": "mountPath",
  "ObjectMeta.ownerReferences": "uid",
  "PodSpec.containers": "name",
  "PodSpec.ephemeralContainers": "name",
  "PodSpec.hostAliases": "ip",
  "PodSpec.imagePullSecrets": "name",
  "PodSpec.initContainers": "name",
  "PodSpec.resourceClaims": "name",
  "PodSpec.schedulingGates": "name",
  "PodSpec.topologySpreadConstraints": "topologyKey",
  "PodSpec.volumes": "name",
  "CSINodeSpec.drivers": "name",
  "ServiceAccount.secrets": "name",
  "ServiceSpec.ports": "port",
  "ContainerStatus.allocatedResourcesStatus": "name",
  "ContainerStatus.volumeMounts": "mountPath",
  "DaemonSetStatus.conditions": "type",
  "DeploymentStatus.conditions": "type",
  "JobStatus.conditions": "type",
  "NamespaceStatus.conditions": "type",
  "NodeStatus.addresses": "type",
  "NodeStatus.conditions": "type",
  "PersistentVolumeClaimStatus.conditions": "type",
  "PodDisruptionBudgetStatus.conditions": "type",
  "PodStatus.conditions": "type",
  "PodStatus.hostIPs": "ip",
  "PodStatus.podIPs": "ip",
  "PodStatus.resourceClaimStatuses": "name",
  "ReplicaSetStatus.conditions": "type",
  "ReplicationControllerStatus.conditions": "type",
  "ServiceStatus.conditions": "type",
  "StatefulSetStatus.conditions": "type",
};

/** A second field that identifies the elements, where the first is not enough. Upstream: the listMapKey tags. */
const otherKeys: Readonly<Record<string, string>> = {
  "Container.ports": "protocol",
  "PodSpec.topologySpreadConstraints": "whenUnsatisfiable",
  "ServiceSpec.ports": "protocol",
};

/** Lists of texts that are sets. */
const sets: ReadonlySet<string> = new Set(["ObjectMeta.finalizers", "NodeSpec.podCIDRs"]);

/** Structs that keep nothing but what the manifest says. Upstream: the patch strategy retainKeys. */
const retained: ReadonlySet<string> = new Set([
  "DeploymentSpec.strategy",
  "PodSpec.resourceClaims",
  "PodSpec.volumes",
  "PodStatus.resourceClaimStatuses",
]);

/** Structs that are replaced as a whole. Upstream: the patch strategy replace. */
const replaced: ReadonlySet<string> = new Set(["PodDisruptionBudgetSpec.selector"]);

/** How a strategic merge patch treats a field. */
export interface FieldMerge {
  /** The model of the field, or of a list's elements; "" if they have none. */
  readonly model: string;
  /** The fields that identify a list's elements, the main one first; none if the list is replaced as a whole. */
  readonly keys: readonly string[];
  readonly isSet: boolean;
  /** True for a struct that keeps nothing but what the manifest says. */
  readonly retainsKeys: boolean;
  readonly isReplaced: boolean;
}

export function fieldMerge(model: string, field: string): FieldMerge {
  const place = `${model}.${field}`;
  const type = modelSchemas[model]?.[field]?.[0] ?? "";
  const keys = [mergeKeys[place], otherKeys[place]].filter((key) => key !== undefined);
  const own = type.startsWith("map[]") ? "" : type.replace("[]", "");
  return {
    model: own,
    keys,
    isSet: sets.has(place),
    retainsKeys: retained.has(place),
    isReplaced: replaced.has(place),
  };
}

/** The model for objects of a kind; "" if the API server can merge them only field by field. */
export function mergeModelOf(kind: string): string {
  const schema = kindSchema(kind);
  return schema === undefined || customKinds.has(schema.kind) ? "" : schema.model;
}
