/**
 * Fields of a file that a Go struct is made of, as sigs.k8s.io/yaml reads them: numbers and booleans where a text is wanted
 * become that text, names of fields are compared without their case. Upstream: sigs.k8s.io/yaml convertToJSONableObject.
 */
import { isRecord, type Json } from "../../../engine/api/json.ts";

export type JsonRecord = { readonly [key: string]: Json };

/** Undefined where the field is missing or null. */
export function fieldOf(record: JsonRecord, name: string): Json | undefined {
  if (Object.hasOwn(record, name)) return record[name] ?? undefined;
  const wanted = name.toLowerCase();
  const key = Object.keys(record).findLast((each) => each.toLowerCase() === wanted);
  return key === undefined ? undefined : (record[key] ?? undefined);
}

/** Undefined for what is no text and becomes none: a list, a map. */
export function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return shortest(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
}

/** The verb %g as strconv.FormatFloat has it; a whole number was an int before. */
function shortest(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** What is no text is left out. */
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
