/** A packed chart as one text, so that code that reads, compares and keeps texts needs to know nothing about archives. */
import { isRecord, parsedJson } from "../../../engine/api/json.ts";

/** Pairs of path in the chart's folder and text. The text of a chart packed inside is again of this kind. */
export type PackedFiles = readonly (readonly [path: string, text: string])[];

/** Why an archive cannot be read, in Helm's words where it has any. */
export interface Failed {
  readonly failed: string;
}

export function packedText(packed: PackedFiles | Failed): string {
  return JSON.stringify(packed);
}

/** For any other text, which an editor may hold, returns the failure to read it. */
export function readPackedText(text: string): PackedFiles | Failed {
  const packed = parsedJson(text)?.value;
  if (Array.isArray(packed)) return packed.filter(isNamedText);
  const failed = isRecord(packed) ? packed["failed"] : undefined;
  return { failed: typeof failed === "string" ? failed : "gzip: invalid header" };
}

function isNamedText(value: unknown): value is PackedFiles[number] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}
