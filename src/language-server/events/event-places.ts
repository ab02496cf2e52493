/** Finds the objects that an event names in the workspace, although the event may leave out their namespaces. */
import {
  isNamespaced,
  type Kind,
  type KubeObject,
  makeRef,
  type Ref,
  refOf as refOfObject,
} from "../../engine/api/meta.ts";
import type { MessageValues } from "../../engine/explain/messages/message-pattern.ts";
import type { Recognition } from "../../engine/explain/messages/recognition.ts";
import { outgrownField } from "../../engine/explain/pods/evicted-pod.ts";
import { probedField, tellsProbe } from "../../engine/explain/pods/probed-field.ts";
import { isTokenVolume } from "../names/derived-names.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { type Source, sourceOf } from "../prediction/source-of.ts";
import { itemsOf, podSpecOf } from "../workspace/manifest-fields.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { parseFieldPath } from "../yaml/field-path.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { namesAmong } from "./message-names.ts";
import type { PastedEvent } from "./pasted-event.ts";
import { kindOfResource } from "./resource-names.ts";

/** An object that an event names. */
export interface EventPlace {
  readonly ref: Ref;
  /** Undefined if no file of the workspace brings the object about. */
  readonly source?: Source;
  /** Its predicted outcome. */
  readonly headline?: string;
}

/** The event's own object first, then those that its message names; each object once. */
export function placesOf(
  { about, message }: PastedEvent,
  parts: readonly Recognition[],
  prediction: Prediction | undefined,
): readonly EventPlace[] {
  const places = new Map<Ref, EventPlace>();
  const add = (place: EventPlace): void => {
    const depth = places.get(place.ref)?.source?.path.length ?? -1;
    const isNew = !places.has(place.ref) || (place.source?.path.length ?? -1) > depth;
    if (isNew) places.set(place.ref, place);
  };
  const own =
    about === undefined ? undefined : refOf(about.kind, about.name, about.namespace, prediction);
  if (own !== undefined) {
    const field = parts.findLast(({ pattern }) => pattern.field !== undefined)?.pattern.field;
    const told = fieldOfPod(own, message, parts, prediction);
    add(placeOfRef(own, prediction, field ?? told));
  }
  const probed = own === undefined ? onlyProbe(message, parts, prediction) : undefined;
  if (probed !== undefined) add(probed);
  const namespace = own?.split("/")[1] ?? "";
  for (const { values } of parts) {
    const refused = refusedRef(values, values["namespace"] ?? namespace, prediction);
    if (refused !== undefined) add(placeOfRef(refused, prediction, fieldIn(parts)));
    for (const { kind, text } of namesAmong(values)) {
      const place = placeOfName(
        refOf(kind, text, values["namespace"] ?? namespace, prediction),
        own,
        prediction,
      );
      if (place !== undefined) add(place);
    }
  }
  if (parts.some(({ pattern }) => pattern.isOfSecret === true))
    for (const { source } of [...places.values()])
      for (const ref of secretsGivenBy(source?.entry)) add(placeOfRef(ref, prediction, "data"));
  return [...places.values()];
}

const readers: ReadonlyMap<string, typeof probedField> = new Map([
  ["empty-dir-over-limit", outgrownField],
  ["probe-failed", probedField],
  ["probe-without-port", probedField],
]);

function readerFor(parts: readonly Recognition[]): typeof probedField | undefined {
  const part = parts.find(({ pattern }) => readers.has(pattern.id));
  return readers.get(part?.pattern.id ?? "");
}

/** The field of the pod that the message is about: the limit for which it was evicted, the probe that failed. */
function fieldOfPod(
  ref: Ref,
  message: string,
  parts: readonly Recognition[],
  prediction: Prediction | undefined,
): string | undefined {
  const read = readerFor(parts);
  if (prediction === undefined || read === undefined || !ref.startsWith("Pod/")) return undefined;
  const entry = (sourceOf(prediction, ref) ?? workloadOf(ref, prediction, undefined))?.entry;
  // Any other pod of the same workload has the same spec.
  const pod = entry && podsByEntry(prediction).get(entry);
  return pod === undefined ? undefined : read(pod.spec, message);
}

/** For a message without a pod: the only probe in all pods that matches it. */
function onlyProbe(
  message: string,
  parts: readonly Recognition[],
  prediction: Prediction | undefined,
): EventPlace | undefined {
  if (prediction === undefined || readerFor(parts) !== probedField || !tellsProbe(message))
    return undefined;
  const [found, ...others] = [...podsByEntry(prediction).values()].flatMap((pod) => {
    const field = probedField(pod.spec, message);
    return field === undefined ? [] : [placeOfRef(refOfObject(pod), prediction, field)];
  });
  return others.length > 0 ? undefined : found;
}

/** For each object in files, one of the pods that it makes. */
function podsByEntry(prediction: Prediction): ReadonlyMap<WorkspaceObject, KubeObject<"Pod">> {
  const pods = new Map<WorkspaceObject, KubeObject<"Pod">>();
  for (const pod of prediction.facts.list("Pod")) {
    const entry = sourceOf(prediction, refOfObject(pod))?.entry;
    if (entry !== undefined && !pods.has(entry)) pods.set(entry, pod);
  }
  return pods;
}

/** The Secrets that a class or volume names for its driver. */
function secretsGivenBy(entry: WorkspaceObject | undefined): readonly Ref[] {
  const giver = entry?.object;
  if (giver?.kind !== "StorageClass" && giver?.kind !== "PersistentVolume") return [];
  return referencesOf(giver)
    .filter(({ kind }) => kind === "Secret")
    .map(({ kind, namespace, name }) => makeRef(kind, namespace, name));
}

/**
 * The object that the API server refuses: `The PersistentVolumeClaim "data" is invalid`, `persistentvolumeclaims "data" is
 * forbidden`.
 */
function refusedRef(
  { kind, resource, name }: MessageValues,
  namespace: string,
  prediction: Prediction | undefined,
): Ref | undefined {
  const known = kindOfResource(kind ?? resource ?? "");
  return known === undefined || name === undefined || name === ""
    ? undefined
    : refOf(known, name, namespace, prediction);
}

/** The field path at the start of a complaint: `spec.resources[storage]: Required value`. */
function fieldIn(parts: readonly Recognition[]): string | undefined {
  const texts = parts.map(({ values }) => values["fieldPath"] ?? values["field"]);
  const text = podFieldOf(texts.findLast((found) => found !== undefined));
  return /^([a-zA-Z]\w*(?:\.\w+|\[[^\]]*\])*)(?=:|$)/.exec(text ?? "")?.[1];
}

/** Translates the fields in messages of OpenShift's policies: `provider restricted-v2: .containers[0].runAsUser`. */
function podFieldOf(text: string | undefined): string | undefined {
  return text
    ?.replace(/^provider "?[\w-]+"?: /, "")
    .replace(/^\.?(fsGroup|supplementalGroups)\b/, "spec.securityContext.$1")
    .replace(
      /^\.?((?:initC|c)ontainers\[\d+\])\.(?=runAs|capabilities|privileged)/,
      "spec.$1.securityContext.",
    )
    .replace(/^\./, "");
}

/**
 * The name may have its namespace in front: `shop/data`. Without any namespace, it is that of the workspace's only object of
 * that name, else `default`.
 */
function refOf(
  kind: Kind,
  name: string,
  namespace: string,
  prediction: Prediction | undefined,
): Ref {
  if (!isNamespaced(kind)) return makeRef(kind, undefined, name);
  const slash = name.indexOf("/");
  const own = slash < 0 ? namespace : name.slice(0, slash);
  const bare = name.slice(slash + 1);
  if (own !== "") return makeRef(kind, own, bare);
  const usual = makeRef(kind, "default", bare);
  if (prediction === undefined || isKnown(usual, prediction)) return usual;
  const others = new Set(
    [...prediction.environment.byRef.keys(), ...prediction.facts.objects.keys()].filter(
      (ref) => ref.startsWith(`${kind}/`) && ref.endsWith(`/${bare}`),
    ),
  );
  const [other] = others;
  return others.size === 1 && other !== undefined ? other : usual;
}

function isKnown(ref: Ref, { environment, facts }: Prediction): boolean {
  return environment.byRef.has(ref) || facts.objects.has(ref);
}

/**
 * A kubelet names a pod's own volume like a PersistentVolume: unless such an object is known, the pod's volume is meant.
 * Undefined for volumes that admission adds to every pod.
 */
function placeOfName(
  ref: Ref,
  own: Ref | undefined,
  prediction: Prediction | undefined,
): EventPlace | undefined {
  const isVolume = ref.startsWith("PersistentVolume//");
  if (!isVolume || prediction === undefined || isKnown(ref, prediction))
    return placeOfRef(ref, prediction);
  const name = ref.slice("PersistentVolume//".length);
  if (isTokenVolume(name)) return undefined;
  const pod = own?.startsWith("Pod/") === true ? own : onlyPodWith(name, prediction);
  const source = pod === undefined ? undefined : volumeOfPod(pod, name, prediction);
  return pod === undefined || source === undefined
    ? placeOfRef(ref, prediction)
    : { ref: pod, source };
}

/** For a message without a pod: the only pod that has such a volume. */
function onlyPodWith(volume: string, { facts }: Prediction): Ref | undefined {
  const [pod, ...more] = facts
    .list("Pod")
    .filter(({ spec }) => volumeIndex(spec.volumes, volume) >= 0);
  return pod === undefined || more.length > 0 ? undefined : refOfObject(pod);
}

function volumeOfPod(ref: Ref, name: string, prediction: Prediction): Source | undefined {
  const pod = prediction.facts.objects.get(ref);
  const index = volumeIndex(pod?.kind === "Pod" ? pod.spec.volumes : undefined, name);
  return index < 0
    ? volumeOfWorkload(ref, name, prediction)
    : sourceOf(prediction, ref, `spec.volumes[${index}]`);
}

function volumeIndex(volumes: unknown, name: string): number {
  return itemsOf(volumes, []).findIndex(({ fields }) => fields["name"] === name);
}

function volumeOfWorkload(pod: Ref, name: string, prediction: Prediction): Source | undefined {
  const workload = workloadOf(pod, prediction, undefined);
  if (workload === undefined) return undefined;
  const { entry } = workload;
  for (const path of templatePaths) {
    const index = volumeIndex(valueAt(entry.object.value, [...path, "volumes"]), name);
    if (index >= 0) return { entry, path: [...path, "volumes", index] };
  }
  return undefined;
}

/** Paths of the pod spec in workloads. */
const templatePaths: readonly (readonly string[])[] = [
  ["spec", "template", "spec"],
  ["spec", "jobTemplate", "spec", "template", "spec"],
];

export function placeOfRef(
  ref: Ref,
  prediction: Prediction | undefined,
  field?: string,
): EventPlace {
  if (prediction === undefined) return { ref };
  const source = sourceOf(prediction, ref, field) ?? workloadOf(ref, prediction, field);
  const headline = prediction.verdictOf.get(ref)?.headline;
  return {
    ref,
    ...(source !== undefined && { source }),
    ...(headline !== undefined && { headline }),
  };
}

const noPath: Path = [];

/**
 * The workload that makes the object. Pods, ReplicaSets and Jobs in another cluster have other suffixes than the predicted
 * ones.
 */
function workloadOf(
  ref: Ref,
  { environment }: Prediction,
  field: string | undefined,
): Source | undefined {
  const [kind = "", namespace = "", name = ""] = ref.split("/");
  // The longest name wins, because one name may begin with another: `redis-init-x2x9z` belongs to redis-init, not to redis.
  const makers = environment.objects
    .filter(({ object }) =>
      kind === "Pod" ? makesPod(object, name) : makesMaker(object, kind, name),
    )
    .sort((a, b) => b.object.name.length - a.object.name.length);
  const entry =
    makers.find(({ object }) => object.namespace === namespace) ??
    (namespace === "default" && makers.length === 1 ? makers[0] : undefined);
  if (entry === undefined) return undefined;
  const template = podSpecOf(entry.object)?.path ?? noPath;
  const [top, ...below] = parseFieldPath(field ?? "");
  return { entry, path: top === "spec" ? [...template, ...below] : noPath };
}

/** Kinds between a workload and its pods, named after the workload with a hash or time as suffix. */
const madeBy: Readonly<Record<string, string>> = { ReplicaSet: "Deployment", Job: "CronJob" };

function makesMaker(object: WorkspaceObject["object"], kind: string, name: string): boolean {
  return (
    object.served &&
    object.kind === madeBy[kind] &&
    name.startsWith(`${object.name}-`) &&
    /^-[a-z0-9]{1,10}$/.test(name.slice(object.name.length))
  );
}

function makesPod(object: WorkspaceObject["object"], pod: string): boolean {
  return (
    object.served &&
    /^(?:Deployment|ReplicaSet|StatefulSet|DaemonSet|Job|CronJob)$/.test(object.kind) &&
    object.name !== "" &&
    pod.startsWith(`${object.name}-`) &&
    // For a refused pod only a name prefix is known: `web-7c5b8d9f4-`.
    /^(?:(?:-[a-z0-9]{1,10}){1,2}|(?:-[a-z0-9]{1,10})?-)$/.test(pod.slice(object.name.length))
  );
}
