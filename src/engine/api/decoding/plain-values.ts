/** Whether values are written as they are stored: what plain.ts is made of. */
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

/** `isListOf` for most lists: a loop that always calls the same function is a fast one. */
export function isTextList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index++)
    if (typeof value[index] !== "string") return false;
  return true;
}

/**
 * Neither empty nor of more entries than parameters may have, nor of so many letters that the bytes of annotations could be too
 * many: a letter has three at most.
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

/** In its canonical form. */
export function isPlainQuantity(value: unknown): value is string {
  if (typeof value !== "string") return false;
  if (shortUnit(value) !== undefined) return true;
  const quantity = parseQuantityOrError(value);
  return typeof quantity !== "string" && quantity.text === value;
}
