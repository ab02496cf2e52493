/** Kinds and fields that some supported versions do not have. Upstream: OpenAPI of release-1.32 to 1.36, and feature gates. */
import { atLeast, type KubernetesVersion } from "../../scenario.ts";
import {
  fieldsKeptSince,
  fieldsSince,
  hasVolumeAttributesClasses,
} from "../../version-differences.ts";

/** The first version with the field; undefined if all have it. */
export function fieldSince(model: string, field: string): KubernetesVersion | undefined {
  return fieldsSince.get(`${model}.${field}`);
}

/** The first version that does not drop what is written into the field; undefined if none drops it. */
export function fieldKeptSince(model: string, field: string): KubernetesVersion | undefined {
  return fieldsKeptSince.get(`${model}.${field}`);
}

/** True if a server of this version has the field and does not drop it. */
export function keepsField(model: string, field: string, version: KubernetesVersion): boolean {
  const since = fieldKeptSince(model, field) ?? fieldSince(model, field);
  return since === undefined || atLeast(version, since);
}

export function servesKind(kind: string, version: KubernetesVersion): boolean {
  return kind !== "VolumeAttributesClass" || hasVolumeAttributesClasses(version);
}
