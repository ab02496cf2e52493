/** From an object of the simulated cluster to the line that brought it about: its own document, or its owner's template. */
import {
  type AnyObject,
  controllerOf,
  type Kind,
  makeRef,
  type Ref,
} from "../../engine/api/meta.ts";
import type { WorkspaceObject } from "../workspace/workspace.ts";
import { manifestPath, parseFieldPath } from "../yaml/field-path.ts";
import type { Path } from "../yaml/locate.ts";
import { isRecord } from "../yaml/manifest.ts";
import type { Prediction } from "./predictor.ts";

export interface Source {
  readonly entry: WorkspaceObject;
  /** From the root of the entry's object. */
  readonly path: Path;
}

const ownerDepthMax = 5;

/** Undefined for objects of the assumed cluster and for what no user's object has brought about. */
export function sourceOf(prediction: Prediction, ref: Ref, field = ""): Source | undefined {
  const own = prediction.environment.byRef.get(ref)?.at(-1);
  const path = parseFieldPath(field);
  if (own !== undefined) return { entry: own, path: manifestPath(path, own.object.value) };
  const object = prediction.facts.objects.get(ref) ?? lastSeen(prediction, ref);
  return object === undefined
    ? undefined
    : (claimTemplate(prediction, object, path) ?? ofOwner(prediction, object, path, 0));
}

/** An object that is gone by the end. */
function lastSeen({ trace }: Prediction, ref: Ref): AnyObject | undefined {
  const entry = trace.entries.findLast((e) => e.type === "write" && e.ref === ref);
  return entry?.type === "write" ? (entry.after ?? entry.before) : undefined;
}

/** A claim that a StatefulSet has made of one of its templates. */
function claimTemplate(prediction: Prediction, object: AnyObject, path: Path): Source | undefined {
  if (object.kind !== "PersistentVolumeClaim") return undefined;
  const { name = "", namespace = "" } = object.metadata;
  for (const entry of prediction.environment.objects) {
    if (entry.object.kind !== "StatefulSet" || entry.object.namespace !== namespace) continue;
    const spec = isRecord(entry.object.value["spec"]) ? entry.object.value["spec"] : {};
    const templates: readonly unknown[] = Array.isArray(spec["volumeClaimTemplates"])
      ? spec["volumeClaimTemplates"]
      : [];
    for (const [index, template] of templates.entries()) {
      const metadata =
        isRecord(template) && isRecord(template["metadata"]) ? template["metadata"] : {};
      const prefix = `${String(metadata["name"])}-${entry.object.name}-`;
      if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) continue;
      const at: Path = ["spec", "volumeClaimTemplates", index];
      return { entry, path: [...at, ...manifestPath(path, template)] };
    }
  }
  return undefined;
}

function ofOwner(
  prediction: Prediction,
  object: AnyObject,
  path: Path,
  depth: number,
): Source | undefined {
  const owner = controllerOf(object) ?? object.metadata.ownerReferences?.[0];
  if (owner === undefined || depth >= ownerDepthMax) return undefined;
  const ref = makeRef(owner.kind as Kind, object.metadata.namespace, owner.name);
  const own = prediction.environment.byRef.get(ref)?.at(-1);
  const inOwner = pathInOwner(object, owner.kind, path, own);
  if (own !== undefined) return { entry: own, path: manifestPath(inOwner, own.object.value) };
  const above = prediction.facts.objects.get(ref) ?? lastSeen(prediction, ref);
  return above === undefined ? undefined : ofOwner(prediction, above, inOwner, depth + 1);
}

/** A pod's spec is its workload's template, a workload's is a CronJob's, an ephemeral claim's is its pod's volume. */
function pathInOwner(
  object: AnyObject,
  ownerKind: string,
  path: Path,
  owner: WorkspaceObject | undefined,
): Path {
  if (object.kind === "Pod") return ["spec", "template", ...path];
  if (object.kind === "Job" && ownerKind === "CronJob") return ["spec", "jobTemplate", ...path];
  if (object.kind === "ReplicaSet") return path;
  if (object.kind !== "PersistentVolumeClaim" || ownerKind !== "Pod") return [];
  const volume = (object.metadata.name ?? "").slice((owner?.object.name.length ?? -1) + 1);
  const spec =
    owner !== undefined && isRecord(owner.object.value["spec"]) ? owner.object.value["spec"] : {};
  const volumes: readonly unknown[] = Array.isArray(spec["volumes"]) ? spec["volumes"] : [];
  const index = volumes.findIndex(
    (candidate) => isRecord(candidate) && candidate["name"] === volume,
  );
  if (index < 0) return ["spec", "volumes"];
  return ["spec", "volumes", index, "ephemeral", "volumeClaimTemplate", ...path];
}
