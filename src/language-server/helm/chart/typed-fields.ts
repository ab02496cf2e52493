/**
 * Reads fields of a file that Go decodes into a struct, as sigs.k8s.io/yaml does: numbers and booleans become texts where those
 * are expected, and field names ignore case. Upstream: sigs.k8s.io/yaml convertToJSONableObject.
 */
import { isRecord, type Json } from "../../../engine/api/json.ts";

export type JsonRecord = { readonly [key: string]: Json };

/** Undefined if the field is missing or null. */
export function fieldOf(record: JsonRecord, name: string): Json | undefined {
  if (Object.hasOwn(record, name)) return record[name] ?? undefined;
  const wanted = name.toLowerCase();
  const key = Object.keys(record).findLast((each) => each.toLowerCase() === wanted);
  return key === undefined ? undefined : (record[key] ?? undefined);
}

/** Undefined for a list or map, which cannot become a text. */
export function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return shortest(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
}

/** Go's %g as in strconv.FormatFloat; whole numbers were ints before. */
function shortest(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Leaves out items that cannot become texts. */
export function textsOf(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item) => textOf(item) ?? []);
}

export function textMapOf(value: Json | undefined): ReadonlyMap<string, string> {
  if (!isRecord(value)) return new Map();
  return new Map(
    Object.entries(value as JsonRecord).flatMap(([key, item]) => {
      const text = textOf(item);
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
}
