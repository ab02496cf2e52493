/** The visible state of a cluster at rest, as expectations of a scenario file. */
import { instantiateAnnotation } from "../../engine/api/job-from-cron-job.ts";
import {
  controllerOf,
  isNamespaced,
  type Kind,
  type KubeObject,
  makeRef,
  type Ref,
  refOf,
} from "../../engine/api/meta.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import { isGood } from "../../engine/explain/verdict.ts";
import { verdicts } from "../../engine/explain/verdicts.ts";
import type { Simulation } from "../../engine/simulation.ts";
import { isReady } from "./expectation.ts";
import { printObjectText } from "./object-text.ts";
import type { Fields } from "./step-yaml.ts";

/** Expectations at one rest, by their subject, so that the next rest need only mention what has changed. */
export type RestExpectations = ReadonlyMap<string, Fields>;

/** Names that files determine. Generated names may change with any edit, so nothing is expected of them. */
export interface WrittenNames {
  has(ref: Ref): boolean;
}

/** Looks at trace entries from `fromSeq` on for what the API server has refused since the last rest. */
export function restExpectations(
  { trace }: Simulation,
  written: WrittenNames,
  fromSeq: number,
): RestExpectations {
  const facts = new RunFacts(trace);
  const found = new Map<string, Fields>();
  for (const entry of trace.entries.slice(fromSeq))
    if (entry.type === "request" && entry.status >= 400 && entry.verb !== "evict")
      found.set(`refused ${entry.ref}`, { refused: printObjectText(entry.ref) });
  for (const kind of kinds)
    for (const object of facts.list(kind)) {
      const status = statusOf(object as KubeObject, written);
      if (status !== undefined) found.set(refOf(object as KubeObject), status);
    }
  const attachmentCount = facts.list("VolumeAttachment").length;
  if (attachmentCount > 0)
    found.set("VolumeAttachment", { kind: "VolumeAttachment", count: attachmentCount });
  for (const verdict of verdicts(trace)) {
    const { ref, reason } = verdict;
    if (isGood(verdict) || reason === undefined || !found.has(ref)) continue;
    if (facts.events(ref).some((event) => event.reason === reason))
      found.set(`event ${ref} ${reason}`, { event: reason, about: printObjectText(ref) });
  }
  return found;
}

const kinds: readonly Kind[] = [
  "PersistentVolumeClaim",
  "PersistentVolume",
  "Deployment",
  "StatefulSet",
  "ReplicaSet",
  "ReplicationController",
  "Job",
  "Pod",
];

function statusOf(object: KubeObject, written: WrittenNames): Fields | undefined {
  const name = nameOf(object);
  switch (object.kind) {
    case "PersistentVolumeClaim":
      return {
        ...name,
        phase: object.status?.phase,
        ...volumeOf(object, written),
        ...dying(object),
      };
    case "PersistentVolume":
      return written.has(refOf(object))
        ? { ...name, phase: object.status?.phase, ...dying(object) }
        : undefined;
    case "Pod":
      return hasOwnName(object, written)
        ? {
            ...name,
            phase: object.status?.phase,
            ready: isReady(object),
            ...placeOf(object),
            ...dying(object),
          }
        : undefined;
    case "Deployment":
    case "StatefulSet":
    case "ReplicaSet":
    case "ReplicationController":
      return controllerOf(object) === undefined
        ? { ...name, readyReplicas: object.status?.readyReplicas ?? 0, ...dying(object) }
        : undefined;
    case "Job":
      return isNamedByUser(object)
        ? { ...name, readyReplicas: object.status?.ready ?? 0, ...ended(object), ...dying(object) }
        : undefined;
    default:
      return undefined;
  }
}

/** A scheduled Job is named after its minute, which an earlier step may change. */
function isNamedByUser(job: KubeObject<"Job">): boolean {
  const { annotations = {} } = job.metadata;
  return controllerOf(job) === undefined || instantiateAnnotation in annotations;
}

function ended({ status }: KubeObject<"Job">): Fields {
  const { succeeded = 0 } = status ?? {};
  return succeeded > 0 ? { succeeded } : {};
}

function nameOf({ kind, metadata }: KubeObject): Fields {
  const { namespace = "", name } = metadata;
  const isElsewhere = isNamespaced(kind) && namespace !== "" && namespace !== "default";
  return { kind, ...(isElsewhere && { namespace }), name };
}

/** Leaves out generated volume names. */
function volumeOf(
  { spec: { volumeName } }: KubeObject<"PersistentVolumeClaim">,
  written: WrittenNames,
): Fields {
  if (volumeName === undefined) return {};
  if (!written.has(makeRef("PersistentVolume", undefined, volumeName))) return {};
  return { volume: volumeName };
}

function dying({ metadata }: KubeObject): Fields {
  return metadata.deletionTimestamp === undefined ? {} : { deleting: true };
}

/** Named in files, or made by a StatefulSet. */
function hasOwnName(pod: KubeObject<"Pod">, written: WrittenNames): boolean {
  return controllerOf(pod)?.kind === "StatefulSet" || written.has(refOf(pod));
}

function placeOf({ spec: { nodeName } }: KubeObject<"Pod">): Fields {
  return nodeName === undefined || nodeName === "" ? {} : { node: nodeName };
}

/** The first node of a pod does not matter, but a move to another one does. */
function withoutSameNode(before: Fields | undefined, { node, ...now }: Fields): Fields {
  const nodeBefore = before?.["node"];
  const hasMoved = node !== undefined && nodeBefore !== undefined && nodeBefore !== node;
  return hasMoved ? { ...now, node } : now;
}

/** What differs from the last rest, or is gone. */
export function changedSince(before: RestExpectations, now: RestExpectations): readonly Fields[] {
  const changed: Fields[] = [];
  for (const [about, fields] of now)
    if (
      about.startsWith("refused ") ||
      JSON.stringify(before.get(about)) !== JSON.stringify(fields)
    )
      changed.push(withoutSameNode(before.get(about), fields));
  for (const [about, { kind, namespace, name, count }] of before) {
    if (now.has(about)) continue;
    if (count !== undefined) changed.push({ kind, count: 0 });
    else if (kind !== undefined)
      changed.push({ kind, ...(namespace !== undefined && { namespace }), name, absent: true });
  }
  return changed;
}
