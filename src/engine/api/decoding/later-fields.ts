/** Kinds and fields that not all versions to choose from have. Upstream: OpenAPI of release-1.32 to 1.36, and feature gates. */
import { atLeast, type KubernetesVersion } from "../../scenario.ts";
import {
  fieldsKeptSince,
  fieldsSince,
  hasVolumeAttributesClasses,
} from "../../version-differences.ts";

/** The first version that has the field; undefined where all do. */
export function fieldSince(model: string, field: string): KubernetesVersion | undefined {
  return fieldsSince.get(`${model}.${field}`);
}

/** The first version that does not take away what is written into the field; undefined where none does. */
export function fieldKeptSince(model: string, field: string): KubernetesVersion | undefined {
  return fieldsKeptSince.get(`${model}.${field}`);
}

/** Whether it is of any use to write the field. */
export function keepsField(model: string, field: string, version: KubernetesVersion): boolean {
  const since = fieldKeptSince(model, field) ?? fieldSince(model, field);
  return since === undefined || atLeast(version, since);
}

export function servesKind(kind: string, version: KubernetesVersion): boolean {
  return kind !== "VolumeAttributesClass" || hasVolumeAttributesClasses(version);
}
