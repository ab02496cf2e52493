/**
 * Changes to an object between defaulting and validation of an update: what clients may not change is reset.
 * Upstream: registry/rest/update.go BeforeUpdate and the PrepareForUpdate of pkg/registry/*\/*\/strategy.go, v1.36.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import type { Kind, KubeObject } from "../meta.ts";
import { dropField, type Mutable, type MutableObject } from "../mutable.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { DaemonSet, ObjectMeta } from "../types.ts";
import { dropAttributesClass } from "./attributes-class.ts";
import { dropDriverFields } from "./csi-driver.ts";
import { prepareDataSources } from "./data-sources.ts";
import { dropConfigSource } from "./node.ts";
import { dropDisabledPodFields, podSpecOf } from "./pod-fields.ts";
import { prepareServiceUpdate } from "./service.ts";
import { keepSecretNames } from "./service-account.ts";
import { dropMaxUnavailable } from "./stateful-set.ts";

export type Prepare<K extends Kind = Kind> = (
  object: MutableObject<K>,
  current: KubeObject<K>,
  version: KubernetesVersion,
) => void;

const preparations: { readonly [K in Kind]?: Prepare<K> } = {
  CSIDriver: (driver, current, version) => dropDriverFields(driver, current.spec, version),
  DaemonSet: keepTemplateGeneration,
  Namespace: (namespace, { spec }) => Object.assign(namespace, { spec }),
  Node: dropConfigSource,
  PersistentVolume: ({ spec }, current, version) =>
    dropAttributesClass(spec, current.spec, version),
  PersistentVolumeClaim: ({ spec }, current, version) => {
    dropAttributesClass(spec, current.spec, version);
    prepareDataSources(spec, current.spec);
  },
  Service: prepareServiceUpdate,
  ServiceAccount: keepSecretNames,
  StatefulSet: dropMaxUnavailable,
};

export function prepareForUpdate(
  object: MutableObject,
  current: KubeObject,
  version: KubernetesVersion,
): void {
  keepSystemMetadata(object.metadata, current.metadata);
  const spec = podSpecOf(object);
  if (spec !== undefined) dropDisabledPodFields(spec, podSpecOf(current), version);
  keepStatus(object, current);
  // A patch may have changed the kind.
  if (object.kind !== current.kind) return;
  const prepare = preparations[object.kind] as Prepare | undefined;
  prepare?.(object, current, version);
}

function keepStatus(object: MutableObject, current: KubeObject): void {
  const next = object as { status?: unknown };
  if ("status" in current) next.status = current.status;
  else dropField(next, "status");
}

export function keepSystemMetadata(metadata: Mutable<ObjectMeta>, before: ObjectMeta): void {
  metadata.name ??= "";
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

const templateGeneration = "deprecated.daemonset.template.generation";

/** A former field that lives on as an annotation. Upstream: daemonset strategy PrepareForUpdate. */
function keepTemplateGeneration(set: Mutable<DaemonSet>, current: DaemonSet): void {
  const before = Number(current.metadata.annotations?.[templateGeneration] ?? "0");
  const changed = !semanticEqual(set.spec?.template, current.spec?.template);
  set.metadata.annotations = {
    ...set.metadata.annotations,
    [templateGeneration]: String(changed ? before + 1 : before),
  };
}
