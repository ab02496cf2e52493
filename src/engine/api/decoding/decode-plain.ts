/**
 * Decoding of plain objects, as most are: written exactly as they are stored, and with nothing that any rule objects to.
 * What later steps do not complete is shared with the client's object, the rest is copied. Decision 11 explains it.
 */
import { modelSchemas } from "../schema.ts";
import { type Decoded, zeroOfModel } from "./decode.ts";
import type { LooseEnd } from "./decode-state.ts";
import { pointerFields, valueStructs } from "./go-types.ts";

type Fields = Record<string, unknown>;

/** How to copy the objects of a model. */
interface Copier {
  readonly isCompleted: boolean;
  /** Texts that are not stored when they are empty. */
  readonly omitted: ReadonlySet<string>;
  /** The fields that may hold something to be copied. */
  readonly parts: ReadonlyMap<string, Part>;
  /** The structs that exist even when nothing was written. */
  readonly structs: readonly Struct[];
}

interface Part {
  readonly isList: boolean;
  readonly copier: Copier;
}

interface Struct {
  readonly field: string;
  readonly model: string;
}

/** Those models of plain objects that defaulting, admission or a strategy writes to. */
const completedModels: ReadonlySet<string> = new Set(
  `
  ConfigMap DaemonSet Deployment Namespace Node PersistentVolume PersistentVolumeClaim Pod ReplicaSet Secret Service
  ServiceAccount StatefulSet StorageClass VolumeSnapshot
  DaemonSetSpec DeploymentSpec NodeSpec NodeStatus PersistentVolumeClaimSpec PersistentVolumeSpec PodSpec PodTemplateSpec
  ReplicaSetSpec ServiceSpec ServicePort StatefulSetSpec
  Container ContainerPort DeploymentStrategy HTTPGetAction ObjectFieldSelector Probe ResourceRequirements
  StatefulSetPersistentVolumeClaimRetentionPolicy
  ConfigMapVolumeSource HostPathVolumeSource SecretVolumeSource
`
    .trim()
    .split(/\s+/),
);

const copiers = new Map<string, Copier>();

/** `decodeModel` for objects that plain.ts accepts. */
export function decodePlain(model: string, value: Fields): Decoded {
  const object = copied(copierOf(model), value);
  // Only the object's own metadata is copied; that of templates is stored as it is.
  object["metadata"] = shallowCopy(value["metadata"] as Fields);
  return { ok: true, value: object, loose: noLooseEnds, unknown: noFields };
}

const noLooseEnds: readonly LooseEnd[] = [];
const noFields: readonly string[] = [];

/** The fastest way found to copy frozen objects of many shapes. */
function shallowCopy(value: Fields): Fields {
  const copy: Fields = {};
  for (const key in value) copy[key] = value[key];
  return copy;
}

function copied(copier: Copier, value: Fields): Fields {
  const { parts, structs, isCompleted, omitted } = copier;
  let copy: Fields | undefined = isCompleted ? {} : undefined;
  for (const key in value) {
    const given = value[key];
    if (given === "" && isCompleted && omitted.has(key)) continue;
    const part = typeof given === "object" ? parts.get(key) : undefined;
    const kept = part === undefined ? given : copiedPart(part, given);
    if (copy === undefined && kept !== given) copy = shallowCopy(value);
    if (copy !== undefined) copy[key] = kept;
  }
  if (copy === undefined) return value;
  for (const { field, model } of structs)
    if (copy[field] === undefined) copy[field] = zeroOfModel(model);
  return copy;
}

function copiedPart({ isList, copier }: Part, value: unknown): unknown {
  if (!isList) return copied(copier, value as Fields);
  const list = value as readonly Fields[];
  // Slicing a frozen list takes V8 longer than building a new one.
  const copy: Fields[] = [];
  let isChanged = false;
  for (let index = 0; index < list.length; index++) {
    const given = list[index] as Fields;
    const kept = copied(copier, given);
    if (kept !== given) isChanged = true;
    copy.push(kept);
  }
  return isChanged ? copy : list;
}

function copierOf(name: string): Copier {
  const known = copiers.get(name);
  if (known !== undefined) return known;
  const parts = new Map<string, Part>();
  const structs: Struct[] = [];
  const omitted = new Set<string>();
  for (const [field, [type, required]] of Object.entries(modelSchemas[name] ?? {})) {
    const isList = type.startsWith("[]");
    const model = isList ? type.slice(2) : type;
    if (valueStructs.has(`${name}.${field}`) || field === "metadata")
      structs.push({ field, model });
    if (type === "string" && required === 0 && pointerFields[name]?.includes(field) !== true)
      omitted.add(field);
    if (modelSchemas[model] === undefined) continue;
    const part = copierOf(model);
    if (part.isCompleted || part.parts.size > 0) parts.set(field, { isList, copier: part });
  }
  const isCompleted = completedModels.has(name) || structs.length > 0;
  const copier: Copier = { isCompleted, omitted, parts, structs };
  copiers.set(name, copier);
  return copier;
}
