/**
 * What of a refusal is a cause of its own. The server checks each field by itself, and says of one slip also what does not fit
 * it elsewhere.
 */
import type { Cause } from "../../../engine/api/meta.ts";
import { claimTemplateNames, podVolumesOf } from "../../workspace/manifest-fields.ts";
import { manifestPath, parseFieldPath } from "../../yaml/field-path.ts";
import { type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { unknownMounts, unknownVolume } from "./meant-value.ts";

export interface Refusal {
  /** As the server has it. */
  readonly path: Path;
  readonly message: string;
}

/** Each once. What is missing of a mapping that is missing itself is one, with a line for each field. */
export function ownCauses(causes: readonly Cause[], object: ManifestObject): readonly Refusal[] {
  const own = new Map<string, Refusal>();
  for (const cause of causes) {
    if (!isOwn(cause, causes, object)) continue;
    const { field, message } = cause;
    const path = parseFieldPath(field);
    const inManifest = manifestPath(path, object.value);
    const missing = missingMapping(inManifest, object);
    const named = field === "" || field === "<nil>" ? message : `${field}: ${message}`;
    const key = JSON.stringify(missing ?? [inManifest, message]);
    const before = own.get(key);
    if (before === undefined) own.set(key, { path, message: named });
    else if (missing !== undefined && !before.message.split("\n").includes(named))
      own.set(key, { path: missing, message: `${before.message}\n${named}` });
  }
  return [...own.values()];
}

/** What the server says of a template whose labels its workload does not select. */
export const labelMismatch = "`selector` does not match template `labels`";

const claimField = ".persistentVolumeClaim.claimName";

function isOwn({ field, message }: Cause, all: readonly Cause[], object: ManifestObject): boolean {
  const isMissing = (other: string): boolean =>
    all.some((cause) => cause.field === other && cause.message.startsWith("Required value"));
  if (message.startsWith("some validation rules were not checked")) return all.length === 1;
  if (!message.startsWith("Required value") && isMissing(field)) return false;
  if (isOfLimitsBefore(field, message, all, object)) return false;
  // Of what is no qualified name either, the server says both.
  if (message.endsWith(notOfContainers))
    return !all.some((cause) => cause.field === field && cause.message.endsWith(notStandard));
  // What is wrong in it is told by itself.
  if (message.endsWith(": invalid label selector"))
    return !all.some((cause) => cause.field.startsWith(`${field}.`));
  if (message.endsWith(labelMismatch)) return !isMissing("spec.selector");
  const volume = unknownVolume(`${field}: ${message}`);
  if (volume !== undefined) return !isRefusedVolume(volume, all, object);
  if (field.endsWith(claimField) && isMissing(field))
    return !isMissing(field.replace(claimField, ".name")) || !lacksTemplateName(object);
  return true;
}

const notStandard = ": must be a standard resource type or fully qualified";
const notOfContainers = ": must be a standard resource for containers";

/** Of a resource's name in a container's limits or requests. */
export function isOfResourceName(message: string): boolean {
  return message.endsWith(notStandard) || message.endsWith(notOfContainers);
}

/** Limits are requests too, where those do not say otherwise. */
function isOfLimitsBefore(
  field: string,
  message: string,
  all: readonly Cause[],
  { value }: ManifestObject,
): boolean {
  const limit = field.replace(/(\bresources\.)requests(\[[^\]]*\])$/, "$1limits$2");
  if (limit === field || valueAt(value, parseFieldPath(field)) !== undefined) return false;
  return all.some((cause) => cause.field === limit && cause.message === message);
}

/** A volume that is refused is none to the mounts of it; where its name is, the mounts say what it is meant to be. */
function isRefusedVolume(name: string, all: readonly Cause[], object: ManifestObject): boolean {
  if (lacksTemplateName(object)) return true;
  if (podVolumesOf(object).some(({ fields }) => fields["name"] === name)) return true;
  const nameless = new Set(
    all.map(({ field }) => field).filter((field) => /\bvolumes\[\d+\]\.name$/.test(field)),
  );
  return unknownMounts(object).length <= nameless.size;
}

function lacksTemplateName({ value }: ManifestObject): boolean {
  return claimTemplateNames(value).has(undefined);
}

/** The outermost mapping on the way to a field that the object does not have, or has empty; undefined where the field alone is missing. */
function missingMapping(path: Path, { value }: ManifestObject): Path | undefined {
  for (let length = 1; length <= path.length; length++) {
    const start = path.slice(0, length);
    if ((valueAt(value, start) ?? undefined) !== undefined) continue;
    return length < path.length || path.length === 1 ? start : undefined;
  }
  return undefined;
}
