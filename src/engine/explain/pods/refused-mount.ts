/** Which field of a volume, its class or a Secret makes a driver refuse to attach or mount, recognized by the driver's text. */
import { type KubeObject, refOf } from "../../api/meta.ts";
import { effectiveClassName } from "../../api/storage-class-name.ts";
import type { CSIPersistentVolumeSource } from "../../api/types.ts";
import { knownDriver } from "../../csi/catalogue/catalogue.ts";
import { sidecarPrefix } from "../../csi/catalogue/sidecar-parameters.ts";
import type { MountRefusal } from "../../csi/mount-refusal.ts";
import type { ParameterValues } from "../../csi/volume-condition.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { translatedInlineVolume, translatedVolume } from "../../volume/csi-translation.ts";
import { wordsOf } from "../driver-words.ts";
import type { RunFacts } from "../run-facts.ts";
import { needIn, secretWithoutKey } from "../secret-without-key.ts";
import type { Fix, Link, Place } from "../verdict.ts";

type Pod = KubeObject<"Pod">;
type Volume = KubeObject<"PersistentVolume">;
type StorageClass = KubeObject<"StorageClass">;

export interface RefusedMount {
  readonly root: Place;
  readonly fixes: readonly Fix[];
  /** The link from the volume to the root, if they differ. */
  readonly link?: Link;
}

/** `name` is the PersistentVolume's, or that of a volume in the pod's spec. Undefined if no known text is in the message. */
export function refusedMount(
  facts: RunFacts,
  pod: Pod,
  name: string,
  message: string,
): RefusedMount | undefined {
  const ofSecret = withoutKey(facts, pod, name, message);
  if (ofSecret !== undefined) return ofSecret;
  const volume = facts.get("PersistentVolume", undefined, name);
  const index = (pod.spec.volumes ?? []).findIndex((v) => v.name === name && v.csi !== undefined);
  const driver = volume?.spec.csi?.driver ?? pod.spec.volumes?.[index]?.csi?.driver ?? "";
  const {
    attachRefusals = [],
    stageRefusals = [],
    mountRefusals = [],
    publishRefusal,
  } = knownDriver(driver)?.traits ?? {};
  const publishRefusals: readonly MountRefusal[] =
    publishRefusal === undefined ? [] : [{ modes: [], text: publishRefusal }];
  for (const refusal of [
    ...attachRefusals,
    ...publishRefusals,
    ...stageRefusals,
    ...mountRefusals,
  ]) {
    const words = wordsOf(refusal.text).exec(message);
    if (words === null || isPutRight(refusal, volume)) continue;
    const named = words.groups?.["key"];
    if (volume !== undefined) return blameVolume(facts, volume, refusal, named);
    return index < 0 ? undefined : blameInlineVolume(pod, index, refusal, named);
  }
  return undefined;
}

/** True if the cause is corrected by now: a key is no longer missing (see `withoutKey`), or the volume names a secret. */
function isPutRight(
  { secretNeed, lacksSecrets }: MountRefusal,
  volume: Volume | undefined,
): boolean {
  const isNamed = volume?.spec.csi?.nodeStageSecretRef !== undefined;
  return secretNeed !== undefined || (lacksSecrets === true && isNamed);
}

/** Blames the secret for staging or for publishing if it lacks a key that the driver needs. */
function withoutKey(
  facts: RunFacts,
  pod: Pod,
  name: string,
  message: string,
): RefusedMount | undefined {
  const source = sourceOf(facts, pod, name);
  if (source === undefined) return undefined;
  const { stageRefusals, mountRefusals } = knownDriver(source.driver)?.traits ?? {};
  const ofStage = needIn(stageRefusals, message);
  const need = ofStage ?? needIn(mountRefusals, message);
  if (need === undefined) return undefined;
  const secret = ofStage === undefined ? source.nodePublishSecretRef : source.nodeStageSecretRef;
  return secretWithoutKey(facts, secret, need);
}

/** The CSI source of a PersistentVolume, or of an in-tree volume in the pod's spec that is migrated to CSI. */
function sourceOf(facts: RunFacts, pod: Pod, name: string): CSIPersistentVolumeSource | undefined {
  const volume = facts.get("PersistentVolume", undefined, name);
  if (volume !== undefined) return translatedVolume(volume).spec.csi;
  for (const own of pod.spec.volumes ?? []) {
    const translated = translatedInlineVolume(pod, own);
    if (translated?.metadata.name === name) return translated.spec.csi;
  }
  return undefined;
}

function blameVolume(
  facts: RunFacts,
  volume: Volume,
  refusal: MountRefusal,
  named: string | undefined,
): RefusedMount {
  if (refusal.lacksSecrets === true) return blameMissingSecret(facts, volume);
  const storageClass = classOf(facts, volume);
  if (refusal.valueOtherThan !== undefined && storageClass !== undefined)
    return blameClass(storageClass, refusal.valueOtherThan);
  const { field, text } = blamedField(refusal, named, volume.spec.csi?.volumeAttributes);
  const root = { ref: refOf(volume), field: `spec.${field}` };
  return { root, fixes: [{ text: `${text} (recreate the volume)`, at: root }] };
}

function blameInlineVolume(
  pod: Pod,
  index: number,
  refusal: MountRefusal,
  named: string | undefined,
): RefusedMount {
  const start = `spec.volumes[${index}]`;
  if (refusal.isWritable === true) {
    const root = { ref: refOf(pod), field: `${start}.csi.readOnly` };
    return { root, fixes: [{ text: "set readOnly: true", at: root, value: true }] };
  }
  const { csi } = pod.spec.volumes?.[index] ?? {};
  const { field, text } = blamedField(refusal, named, csi?.volumeAttributes);
  const root = { ref: refOf(pod), field: `${start}.${field}` };
  return { root, fixes: [{ text, at: root }] };
}

/** Blames the volume that names no secret, or the class it was made from. */
function blameMissingSecret(facts: RunFacts, volume: Volume): RefusedMount {
  const storageClass = classOf(facts, volume);
  if (storageClass === undefined) {
    const root = { ref: refOf(volume), field: "spec.csi" };
    return {
      root,
      fixes: [
        { text: "name the driver's secret in nodeStageSecretRef (recreate the volume)", at: root },
      ],
    };
  }
  const root = { ref: refOf(storageClass), field: "parameters" };
  const keys = ["name", "namespace"].map((half) => `${sidecarPrefix}node-stage-secret-${half}`);
  const text = `name the driver's secret in ${keys.join(" and ")} (recreate class and claim)`;
  return { root, fixes: [{ text, at: root }] };
}

/** The class that the volume was made from, whose parameters became the volume's attributes; undefined if it is gone. */
function classOf(facts: RunFacts, volume: Volume): StorageClass | undefined {
  if (!hasAnnotation(volume, annotation.provisionedBy)) return undefined;
  return facts.get("StorageClass", undefined, effectiveClassName(volume));
}

function blameClass(storageClass: StorageClass, values: ParameterValues): RefusedMount {
  const { key, value } = wanted(values);
  const root = {
    ref: refOf(storageClass),
    field: entryOf("parameters", storageClass.parameters, key),
  };
  const text = `set ${key}: ${value} among the class's parameters (recreate class and claim)`;
  return { root, fixes: [{ text, at: root }] };
}

/** The field of a map's entry, ignoring the case of its key; the map itself if there is no such entry. */
function entryOf(
  field: string,
  entries: Readonly<Record<string, string>> | undefined,
  key: string,
): string {
  const given = Object.keys(entries ?? {}).find((name) => name.toLowerCase() === key.toLowerCase());
  return given === undefined ? field : `${field}[${given}]`;
}

/** The first of the values that the driver accepts. */
function wanted({ key, values }: ParameterValues): {
  readonly key: string;
  readonly value: string;
} {
  return { key, value: values[0] ?? "" };
}

/** The blamed field, relative to a volume's spec, and what to do with it. */
function blamedField(
  refusal: MountRefusal,
  named: string | undefined,
  given: Readonly<Record<string, string>> | undefined,
): { readonly field: string; readonly text: string } {
  const { lacks, unreadable, valueUnlike, empty, handleUnlike, mountOption } = refusal;
  const { volumeMode, modes } = refusal;
  const attributes = "csi.volumeAttributes";
  if (refusal.valueOtherThan !== undefined) {
    const { key, value } = wanted(refusal.valueOtherThan);
    const field = entryOf(attributes, given, key);
    return { field, text: `set ${key}: ${value} in volumeAttributes` };
  }
  if (lacks !== undefined) return { field: attributes, text: `set ${lacks} in volumeAttributes` };
  const key = unreadable?.key ?? valueUnlike?.key ?? empty?.[0] ?? named;
  if (key !== undefined) {
    const doing = refusal.keyOtherThan === undefined ? "correct" : "remove";
    return { field: `${attributes}[${key}]`, text: `${doing} ${key} in volumeAttributes` };
  }
  if (handleUnlike !== undefined) return { field: "csi.volumeHandle", text: "correct the handle" };
  if (mountOption !== undefined)
    return { field: "mountOptions", text: `leave out the mount option ${mountOption}` };
  if (modes !== undefined)
    return { field: "accessModes", text: "ask for an access mode that the driver has" };
  if (volumeMode !== undefined) return { field: "volumeMode", text: "set volumeMode: Filesystem" };
  return { field: attributes, text: "give the volume its volumeAttributes" };
}
