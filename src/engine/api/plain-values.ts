/** Whether values are written as they are stored: what plain.ts is made of. */
import { parseQuantityOrError, shortUnit } from "./quantity.ts";

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

export function isTextMap(value: unknown): value is Record<string, string> {
  if (!isStruct(value)) return false;
  for (const key in value) if (typeof value[key] !== "string") return false;
  return true;
}

export function isAmountMap(value: unknown): value is Record<string, string> {
  if (!isStruct(value)) return false;
  for (const key in value) if (!isPlainAmount(value[key])) return false;
  return true;
}

export function isEmpty(map: Record<string, unknown>): boolean {
  for (const _ in map) return false;
  return true;
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

/** Of a resource; nothing that may be finer than a thousandth. */
function isPlainAmount(value: unknown): value is string {
  if (typeof value !== "string") return false;
  return shortUnit(value) !== undefined || (isPlainQuantity(value) && !mayBeFine.test(value));
}

const mayBeFine = /[nueE.]/;
