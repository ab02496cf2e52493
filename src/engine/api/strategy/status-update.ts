/**
 * Changes to an object between decoding and validation of a status update: everything else is reset to the stored object, and
 * status fields that this version does not keep are dropped. Upstream: the PrepareForUpdate of the status strategies in
 * pkg/registry/*\/*\/strategy.go, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { countsTerminatingReplicas } from "../../version-differences.ts";
import { customKinds } from "../decoding/custom-resource.ts";
import { untyped } from "../json.ts";
import type { Kind, KubeObject } from "../meta.ts";
import { dropField, type Mutable, type MutableObject, mutableFields } from "../mutable.ts";
import type { ObjectMeta, Pod } from "../types.ts";
import { dropAttributesReport } from "./attributes-class.ts";
import { dropConfigReport } from "./node.ts";
import { keepSystemMetadata, type Prepare } from "./update.ts";
import { dropErrorCodes } from "./volume-attachment.ts";

const preparations: { readonly [K in Kind]?: Prepare<K> } = {
  Deployment: dropTerminatingCount,
  Node: dropConfigReport,
  PersistentVolumeClaim: dropAttributesReport,
  Pod: keepPodClass,
  ReplicaSet: dropTerminatingCount,
  VolumeAttachment: dropErrorCodes,
};

export function prepareForStatusUpdate(
  object: MutableObject,
  current: KubeObject,
  version: KubernetesVersion,
): void {
  keepSystemMetadata(object.metadata, current.metadata);
  keepAllButStatus(object, current);
  keepMetadata(object.metadata, current);
  const prepare = preparations[object.kind] as Prepare | undefined;
  prepare?.(object, current, version);
}

function keepAllButStatus(object: MutableObject, current: KubeObject): void {
  const next = mutableFields(object);
  const before = untyped(current);
  for (const field of Object.keys(next))
    if (field !== "status" && field !== "metadata") next[field] = before[field];
}

const metadataOfOthers = [
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "deletionTimestamp",
] as const;
type KeptField = (typeof metadataOfOthers)[number];

/**
 * Metadata that a status update does not change. Upstream: ResetObjectMetaForStatus, deploymentStatusStrategy,
 * podStatusStrategy.
 */
const keptByReports: ReadonlyMap<Kind, readonly KeptField[]> = new Map<Kind, readonly KeptField[]>([
  ["VolumeAttachment", metadataOfOthers],
  ["Deployment", ["labels"]],
  ["Pod", ["ownerReferences", "deletionTimestamp"]],
]);

function keepMetadata(metadata: Mutable<ObjectMeta>, { kind, metadata: before }: KubeObject): void {
  // Upstream: statusStrategy of custom resources, which takes only the status.
  if (customKinds.has(kind)) {
    for (const field in metadata) dropField(metadata, field as keyof ObjectMeta);
    Object.assign(metadata, before);
  }
  for (const field of keptByReports.get(kind) ?? []) {
    const value = before[field];
    if (value === undefined) dropField(metadata, field);
    else Object.assign(metadata, { [field]: value });
  }
}

interface Counted {
  status?: { terminatingReplicas?: number };
}

/** Upstream: dropDisabledStatusFields of deployments and replica sets; the gate DeploymentReplicaSetTerminatingReplicas. */
function dropTerminatingCount(
  { status }: Counted,
  { status: before }: Readonly<Counted>,
  version: KubernetesVersion,
): void {
  if (status === undefined || countsTerminatingReplicas(version)) return;
  if (before?.terminatingReplicas === undefined) dropField(status, "terminatingReplicas");
}

/** The QoS class stays if the update leaves it out. Upstream: podStatusStrategy. */
function keepPodClass(object: Mutable<Pod>, current: Pod): void {
  const qosClass = current.status?.qosClass;
  if (qosClass === undefined || (object.status?.qosClass ?? "") !== "") return;
  object.status = { ...object.status, qosClass };
}
