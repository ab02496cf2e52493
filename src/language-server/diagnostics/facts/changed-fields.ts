/** Where a manifest says otherwise than what is stored. What it does not say is filled in by the API server, and no change. */
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

/** The fields of a mapping that differ, in the order in which they are written. */
export function writtenChanges(
  before: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(written).filter((key) => differs(before[key], written[key]));
}

/** The way to the deepest value that holds all that differs. */
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

function differs(before: unknown, written: unknown): boolean {
  if (Array.isArray(written)) {
    if (!Array.isArray(before) || before.length !== written.length) return true;
    return written.some((item, i) => differs(before[i], item));
  }
  if (!isRecord(written)) return before !== written;
  return !isRecord(before) || writtenChanges(before, written).length > 0;
}
