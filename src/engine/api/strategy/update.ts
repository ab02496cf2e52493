/**
 * What happens to an object between defaulting and validation of an update: what clients may not change is as it was.
 * Upstream: registry/rest/update.go BeforeUpdate and the PrepareForUpdate of pkg/registry/*\/*\/strategy.go, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { countsTerminatingReplicas } from "../../version-differences.ts";
import { customKinds } from "../decoding/custom-resource.ts";
import {
  type ApiError,
  type Cause,
  conflict,
  type Kind,
  type KubeObject,
  qualifiedResource,
} from "../meta.ts";
import { dropField, type Mutable, type MutableObject } from "../mutable.ts";
import { versionNumber } from "../resource-version.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { DaemonSet, ObjectMeta, Pod } from "../types.ts";
import { dropAttributesClass, dropAttributesReport } from "./attributes-class.ts";
import { dropDriverFields } from "./csi-driver.ts";
import { prepareDataSources } from "./data-sources.ts";
import { dropConfigReport, dropConfigSource } from "./node.ts";
import { dropDisabledPodFields, podSpecOf } from "./pod-fields.ts";
import { prepareServiceUpdate } from "./service.ts";
import { keepSecretNames } from "./service-account.ts";
import { dropMaxUnavailable } from "./stateful-set.ts";
import { dropErrorCodes } from "./volume-attachment.ts";

/** Kinds that only those who say which version they saw may change. */
const versionedKinds: ReadonlySet<Kind> = new Set<Kind>([
  ...customKinds,
  "VolumeAttachment",
  "CSIDriver",
  "CSINode",
  "CSIStorageCapacity",
  "PodDisruptionBudget",
  "RuntimeClass",
]);

const historicalPrefixes: Readonly<Record<string, string>> = {
  nodes: "minions",
  services: "services/specs",
};

/**
 * Somebody else's version, or none where one is needed, or another object of the same name. Of a patch only the version is asked
 * beforehand; a foreign uid is a change of an immutable field (rest.DefaultUpdatedObjectInfo has no preconditions without an object).
 * Upstream: registry/generic/registry/store.go Update.
 */
export function conflictWith(
  current: KubeObject,
  metadata: ObjectMeta,
  isPatch: boolean,
): ApiError | undefined {
  const { kind } = current;
  const { name, uid, resourceVersion } = current.metadata;
  if (!isPatch && metadata.uid !== undefined && metadata.uid !== "" && metadata.uid !== uid) {
    return {
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on ${qualifiedResource(kind)} "${name}": StorageError: invalid object, Code: 4, Key: ${storageKey(current)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${uid}`,
    };
  }
  const version = versionNumber(metadata.resourceVersion);
  if (typeof version === "string") return { code: 500, reason: "", message: version };
  if (version === 0n) return versionedKinds.has(kind) ? withoutVersion(kind, name) : undefined;
  return version === versionNumber(resourceVersion) ? undefined : conflict(kind, name);
}

/** The server calls it by its resource, for want of its kind. */
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

/** Where etcd holds an object. */
function storageKey({ kind, metadata }: KubeObject): string {
  const [resource = "", ...group] = qualifiedResource(kind).split(".");
  const prefix = customKinds.has(kind)
    ? `${group.join(".")}/${resource}`
    : (historicalPrefixes[resource] ?? resource);
  return metadata.namespace === undefined
    ? `/${prefix}/${metadata.name}`
    : `/${prefix}/${metadata.namespace}/${metadata.name}`;
}

export function prepareForUpdate(
  object: MutableObject,
  current: KubeObject,
  subresource: "" | "status",
  version: KubernetesVersion,
): void {
  const next = object as unknown as Record<string, unknown>;
  const before = current as unknown as Record<string, unknown>;
  object.metadata.name ??= "";
  keepSystemMetadata(object.metadata, current.metadata);
  if (subresource === "status") {
    for (const field of Object.keys(next))
      if (field !== "status" && field !== "metadata") next[field] = before[field];
    keepMetadata(object, current);
    prepareReport(object, current, version);
    return;
  }
  const spec = podSpecOf(object);
  if (spec !== undefined) dropDisabledPodFields(spec, podSpecOf(current), version);
  if ("status" in before) next["status"] = before["status"];
  else dropField(next, "status");
  if (object.kind === "Namespace" && current.kind === "Namespace")
    Object.assign(object, { spec: current.spec });
  if (object.kind === "Service" && current.kind === "Service")
    prepareServiceUpdate(object, current);
  if (object.kind === "DaemonSet" && current.kind === "DaemonSet")
    keepTemplateGeneration(object, current);
  if (object.kind === "StatefulSet" && current.kind === "StatefulSet")
    dropMaxUnavailable(object, current);
  if (object.kind === "Node" && current.kind === "Node") dropConfigSource(object, current);
  if (object.kind === "ServiceAccount") keepSecretNames(object);
  if (object.kind === "CSIDriver" && current.kind === "CSIDriver")
    dropDriverFields(object, current.spec, version);
  prepareStorage(object, current, version);
}

function prepareStorage(
  object: MutableObject,
  current: KubeObject,
  version: KubernetesVersion,
): void {
  if (object.kind === "PersistentVolume" && current.kind === "PersistentVolume")
    dropAttributesClass(object.spec, current.spec, version);
  if (object.kind === "PersistentVolumeClaim" && current.kind === "PersistentVolumeClaim") {
    dropAttributesClass(object.spec, current.spec, version);
    prepareDataSources(object.spec, current.spec);
  }
}

function keepSystemMetadata(metadata: Mutable<ObjectMeta>, before: ObjectMeta): void {
  if ((metadata.uid ?? "") === "") Object.assign(metadata, { uid: before.uid });
  for (const field of ["creationTimestamp", "deletionTimestamp"] as const)
    if (before[field] !== undefined) Object.assign(metadata, { [field]: before[field] });
  if (before.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= before.deletionGracePeriodSeconds;
  delete metadata.generation;
  if (before.generation !== undefined) metadata.generation = before.generation;
  delete metadata.selfLink;
  if (before.resourceVersion !== undefined) metadata.resourceVersion = before.resourceVersion;
}

const metadataOfOthers = ["labels", "annotations", "finalizers", "ownerReferences"] as const;
type KeptField = (typeof metadataOfOthers)[number];

/**
 * What a report does not change of the metadata. Upstream: ResetObjectMetaForStatus, statusStrategy of custom resources,
 * deploymentStatusStrategy, podStatusStrategy.
 */
const keptByReports: ReadonlyMap<Kind, readonly KeptField[]> = new Map<Kind, readonly KeptField[]>([
  ...[...customKinds].map((kind) => [kind, metadataOfOthers] as const),
  ["VolumeAttachment", metadataOfOthers],
  ["Deployment", ["labels"]],
  ["Pod", ["ownerReferences"]],
]);

function keepMetadata(object: MutableObject, current: KubeObject): void {
  const metadata = object.metadata as Mutable<ObjectMeta>;
  for (const field of keptByReports.get(object.kind) ?? []) {
    const value = current.metadata[field];
    if (value === undefined) dropField(metadata, field);
    else Object.assign(metadata, { [field]: value });
  }
}

function prepareReport(
  object: MutableObject,
  current: KubeObject,
  version: KubernetesVersion,
): void {
  if (object.kind === "Pod" && current.kind === "Pod") keepPodClass(object, current);
  if (object.kind === "Node" && current.kind === "Node") dropConfigReport(object, current);
  if (object.kind === "PersistentVolumeClaim" && current.kind === "PersistentVolumeClaim")
    dropAttributesReport(object, current, version);
  if (object.kind === "VolumeAttachment" && current.kind === "VolumeAttachment")
    dropErrorCodes(object, current, version);
  if (object.kind === "Deployment" && current.kind === "Deployment")
    dropTerminatingCount(object.status, current.status, version);
  if (object.kind === "ReplicaSet" && current.kind === "ReplicaSet")
    dropTerminatingCount(object.status, current.status, version);
}

interface TerminatingCount {
  terminatingReplicas?: number;
}

/** Upstream: dropDisabledStatusFields of deployments and replica sets; the gate DeploymentReplicaSetTerminatingReplicas. */
function dropTerminatingCount(
  status: TerminatingCount | undefined,
  before: Readonly<TerminatingCount> | undefined,
  version: KubernetesVersion,
): void {
  if (status === undefined || countsTerminatingReplicas(version)) return;
  if (before?.terminatingReplicas === undefined) dropField(status, "terminatingReplicas");
}

/** What it is for the quality of service stays, also where somebody leaves it out. Upstream: podStatusStrategy. */
function keepPodClass(object: Mutable<Pod>, current: Pod): void {
  const qosClass = current.status?.qosClass;
  if (qosClass === undefined || (object.status?.qosClass ?? "") !== "") return;
  object.status = { ...object.status, qosClass };
}

const templateGeneration = "deprecated.daemonset.template.generation";

/** A field of old that lives on in an annotation. Upstream: daemonset strategy PrepareForUpdate. */
function keepTemplateGeneration(set: Mutable<DaemonSet>, current: DaemonSet): void {
  const before = Number(current.metadata.annotations?.[templateGeneration] ?? "0");
  const changed = !semanticEqual(set.spec?.template, current.spec?.template);
  set.metadata.annotations = {
    ...set.metadata.annotations,
    [templateGeneration]: String(changed ? before + 1 : before),
  };
}
