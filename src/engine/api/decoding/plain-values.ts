/** Checks for plain.ts: whether values are written as they are stored. */
import { parseQuantityOrError, shortUnit } from "../quantity.ts";

export type Check = (value: unknown) => boolean;

export function isStruct(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isListOf(value: unknown, isElement: Check): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++) if (!isElement(value[index])) return false;
  return true;
}

/** `isListOf` for most lists; without a callback the loop is faster. */
export function isTextList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++)
    if (typeof value[index] !== "string") return false;
  return true;
}

/**
 * True if a map is not empty, has at most 100 entries (parameters may have more), and is short enough for annotations: each
 * UTF-16 unit takes three bytes at most.
 */
export function isBoundedMap(entryCount: number, letterCount: number): boolean {
  return entryCount > 0 && entryCount <= 100 && letterCount <= 262_144 / 3;
}

export function isInt32(value: unknown): boolean {
  return typeof value === "number" && (value | 0) === value;
}

export function isInt64(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

export function isIntOrText(value: unknown): boolean {
  return typeof value === "string" || isInt32(value);
}

/** True for a quantity in its canonical form. */
export function isPlainQuantity(value: unknown): value is string {
  if (typeof value !== "string") return false;
  if (shortUnit(value) !== undefined) return true;
  const quantity = parseQuantityOrError(value);
  return typeof quantity !== "string" && quantity.text === value;
}
