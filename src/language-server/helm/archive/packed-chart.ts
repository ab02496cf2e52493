/** A packed chart as one text: whatever takes files for texts, compares and keeps them, needs to know nothing of archives. */
import { isRecord, parsedJson } from "../../../engine/api/json.ts";

/** By their paths in the chart's folder. Of a chart that is packed inside it the text is such a one again. */
export type PackedFiles = readonly (readonly [path: string, text: string])[];

/** Why an archive cannot be read, in Helm's words where it has some. */
export interface Failed {
  readonly failed: string;
}

export function packedText(packed: PackedFiles | Failed): string {
  return JSON.stringify(packed);
}

/** Of a text that is none, because an editor holds it, the failure to read it. */
export function readPackedText(text: string): PackedFiles | Failed {
  const packed = parsedJson(text)?.value;
  if (Array.isArray(packed)) return packed.filter(isNamedText);
  const failed = isRecord(packed) ? packed["failed"] : undefined;
  return { failed: typeof failed === "string" ? failed : "gzip: invalid header" };
}

function isNamedText(value: unknown): value is PackedFiles[number] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}
