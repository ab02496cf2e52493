/**
 * Differences between a manifest and the stored object. Fields that the manifest leaves out are no change: the API server fills
 * them in.
 */

import type { KubeObject } from "../../../engine/api/meta.ts";
import { lastApplied } from "../../../engine/api/patch/apply-patch.ts";
import type { Scalar } from "../../yaml/edits.ts";
import { isRecord, type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { ObjectReport } from "../rule.ts";

/** The names of fields that differ, in the order in which they are written. */
export function writtenChanges(
  before: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(written).filter((key) => differs(before[key], written[key]));
}

/** The path of the deepest value that contains all differences. */
export function changedPath(before: unknown, written: unknown): Path {
  if (isRecord(before) && isRecord(written)) {
    const [key, ...more] = writtenChanges(before, written);
    if (key === undefined || more.length > 0) return [];
    return [key, ...changedPath(before[key], written[key])];
  }
  if (Array.isArray(before) && Array.isArray(written) && before.length === written.length) {
    const [index, ...more] = written.flatMap((item, i) => (differs(before[i], item) ? [i] : []));
    if (index === undefined || more.length > 0) return [];
    return [index, ...changedPath(before[index], written[index])];
  }
  return [];
}

/** What was last applied, if the object has an annotation about that; else the object as stored. */
export function writtenBefore(stored: KubeObject): unknown {
  return lastApplied(stored) ?? stored;
}

/**
 * Where to report a refusal at `path`: that may be above the change, or a field that only the API server knows. Returns the
 * deepest place in the manifest that holds all changes since it was last applied.
 */
export function changedPlace(stored: KubeObject, { value }: ManifestObject, path: Path): Path {
  const length =
    path.findLastIndex((_, i) => valueAt(value, path.slice(0, i + 1)) !== undefined) + 1;
  const place = path.slice(0, length);
  const before = writtenBefore(stored);
  return [...place, ...changedPath(valueAt(before, place), valueAt(value, place))];
}

function differs(before: unknown, written: unknown): boolean {
  if (Array.isArray(written)) {
    if (!Array.isArray(before) || before.length !== written.length) return true;
    return written.some((item, i) => differs(before[i], item));
  }
  if (!isRecord(written)) return before !== written;
  return !isRecord(before) || writtenChanges(before, written).length > 0;
}

/** The fix that undoes the change of a single value; nothing if more has changed. */
export function takenBack(
  before: unknown,
  after: ManifestObject,
  path: Path,
): Pick<ObjectReport, "fix"> {
  const value = valueAt(before, path);
  const isChanged = isScalar(value) && isScalar(valueAt(after.value, path));
  return isChanged
    ? { fix: { title: `Change back to ${value}`, path, value, isChoice: true } }
    : {};
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}
