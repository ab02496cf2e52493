/**
 * Selects the independent causes of a refusal. The server checks each field by itself, so one mistake may also be refused where
 * other fields refer to it.
 */
import type { Cause } from "../../../engine/api/meta.ts";
import { claimTemplateNames, podVolumesOf } from "../../workspace/manifest-fields.ts";
import { manifestPath, parseFieldPath } from "../../yaml/field-path.ts";
import { type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { unknownMounts, unknownVolume } from "./meant-value.ts";

export interface Refusal {
  /** As the server writes it. */
  readonly path: Path;
  readonly message: string;
}

/** Each cause once. Missing fields of the same missing mapping are one cause, with one line per field. */
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

/** The server's message if a workload does not select the labels of its template. */
export const labelMismatch = "`selector` does not match template `labels`";

const claimField = ".persistentVolumeClaim.claimName";

function isOwn({ field, message }: Cause, all: readonly Cause[], object: ManifestObject): boolean {
  const isMissing = (other: string): boolean =>
    all.some((cause) => cause.field === other && cause.message.startsWith("Required value"));
  if (message.startsWith("some validation rules were not checked")) return all.length === 1;
  if (!message.startsWith("Required value") && isMissing(field)) return false;
  if (isOfLimitsBefore(field, message, all, object)) return false;
  // For a name that is not qualified either, the server gives both messages.
  if (message.endsWith(notOfContainers))
    return !all.some((cause) => cause.field === field && cause.message.endsWith(notStandard));
  // The mistake in the selector has a cause of its own.
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

/** True if the message is about a resource name in a container's limits or requests. */
export function isOfResourceName(message: string): boolean {
  return message.endsWith(notStandard) || message.endsWith(notOfContainers);
}

/** True for a request that only repeats its limit: limits are the default of requests. */
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

/**
 * True if the volume that a mount does not find is itself refused, so that the mount's complaint is no cause of its own. A
 * volume without a name is taken to be one that is mounted.
 */
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

/** The outermost mapping on the path that is missing or empty; undefined if only the field itself is missing. */
function missingMapping(path: Path, { value }: ManifestObject): Path | undefined {
  for (let length = 1; length <= path.length; length++) {
    const start = path.slice(0, length);
    if ((valueAt(value, start) ?? undefined) !== undefined) continue;
    return length < path.length || path.length === 1 ? start : undefined;
  }
  return undefined;
}
