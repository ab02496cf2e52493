/** Maps an object of the simulated cluster to the line that led to it: its own document, or its owner's template. */
import {
  controllerOf,
  type Kind,
  type KubeObject,
  makeRef,
  type Ref,
} from "../../engine/api/meta.ts";
import {
  type ClaimTemplate,
  claimTemplates,
  templateKey,
} from "../workspace/objects/claim-templates.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { manifestPath, parseFieldPath } from "../yaml/field-path.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import type { Prediction } from "./prediction.ts";

export interface Source {
  readonly entry: WorkspaceObject;
  /** From the root of the entry's object. */
  readonly path: Path;
}

const ownerDepthMax = 5;

/** Undefined for objects of the assumed cluster, and for any that no user's object has led to. */
export function sourceOf(prediction: Prediction, ref: Ref, field = ""): Source | undefined {
  const path = parseFieldPath(field);
  const own = definitionWith(path, prediction.environment.byRef.get(ref) ?? []);
  if (own !== undefined) return { entry: own, path: manifestPath(path, own.object.value) };
  const object = prediction.trials.facts.objects.get(ref) ?? lookupOf(prediction).gone.get(ref);
  return object === undefined
    ? undefined
    : (claimTemplate(prediction, object, path) ?? ofOwner(prediction, object, path, 0));
}

/** The last of several definitions that writes the field; if none does, the last definition. */
function definitionWith(
  path: Path,
  entries: readonly WorkspaceObject[],
): WorkspaceObject | undefined {
  const last = entries.at(-1);
  if (entries.length < 2) return last;
  const isWritten = ({ object: { value } }: WorkspaceObject): boolean =>
    valueAt(value, manifestPath(path, value)) !== undefined;
  return entries.findLast(isWritten) ?? last;
}

/** What is looked up in a prediction again and again; computed once. */
interface Lookup {
  /** The last version of each object that is gone by the end. */
  readonly gone: ReadonlyMap<Ref, KubeObject>;
  /** Templates by `NAMESPACE/TEMPLATE-STATEFULSET`. */
  readonly templates: ReadonlyMap<string, ClaimTemplate>;
}

const lookups = new WeakMap<Prediction, Lookup>();

function lookupOf(prediction: Prediction): Lookup {
  const known = lookups.get(prediction);
  if (known !== undefined) return known;
  const gone = new Map<Ref, KubeObject>();
  for (const entry of prediction.trace.entries) {
    if (entry.type !== "write" || entry.after !== undefined || entry.before === undefined) continue;
    gone.set(entry.ref, entry.before);
  }
  const made = { gone, templates: claimTemplates(prediction.environment) };
  lookups.set(prediction, made);
  return made;
}

/** The source of a claim that a StatefulSet has made from one of its templates. */
function claimTemplate(prediction: Prediction, object: KubeObject, path: Path): Source | undefined {
  if (object.kind !== "PersistentVolumeClaim") return undefined;
  const { name = "", namespace = "" } = object.metadata;
  const key = templateKey(namespace, name);
  const template = key === undefined ? undefined : lookupOf(prediction).templates.get(key);
  if (template === undefined) return undefined;
  const { entry, index, value } = template;
  return { entry, path: ["spec", "volumeClaimTemplates", index, ...manifestPath(path, value)] };
}

function ofOwner(
  prediction: Prediction,
  object: KubeObject,
  path: Path,
  depth: number,
): Source | undefined {
  const owner = controllerOf(object) ?? object.metadata.ownerReferences?.[0];
  if (owner === undefined || depth >= ownerDepthMax) return undefined;
  const ref = makeRef(owner.kind as Kind, object.metadata.namespace, owner.name);
  const own = prediction.environment.byRef.get(ref)?.at(-1);
  const above = prediction.trials.facts.objects.get(ref) ?? lookupOf(prediction).gone.get(ref);
  const inOwner = pathInOwner(object, owner.kind, path, above);
  if (own !== undefined) return { entry: own, path: manifestPath(inOwner, own.object.value) };
  return above === undefined ? undefined : ofOwner(prediction, above, inOwner, depth + 1);
}

/** A pod's spec comes from its workload's template, a Job's from its CronJob's, an ephemeral claim's from its pod's volume. */
function pathInOwner(
  object: KubeObject,
  ownerKind: string,
  path: Path,
  owner: KubeObject | undefined,
): Path {
  if (object.kind === "Pod") return ["spec", "template", ...path];
  if (object.kind === "Job" && ownerKind === "CronJob") return ["spec", "jobTemplate", ...path];
  if (object.kind === "ReplicaSet") return path;
  if (object.kind !== "PersistentVolumeClaim" || owner?.kind !== "Pod") return [];
  const { name } = object.metadata;
  const volumes = owner.spec.volumes ?? [];
  const index = volumes.findIndex((volume) => `${owner.metadata.name}-${volume.name}` === name);
  if (index < 0) return [];
  return ["spec", "volumes", index, "ephemeral", "volumeClaimTemplate", ...path];
}
