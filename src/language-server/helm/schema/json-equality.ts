/** Whether JSON is the same. Upstream: santhosh-tekuri/jsonschema v6 util.go equals, duplicates. */
import { exactNumber, numberText } from "./exact-number.ts";
import { isJsonList, isJsonMap, type JsonValue } from "./json-text.ts";

/** The same text for the same value, whatever the order of its keys and however its numbers are written. */
export function canonicalText(value: JsonValue): string {
  if (isJsonList(value)) return `[${value.map(canonicalText).join()}]`;
  if (isJsonMap(value)) {
    const items = [...value].map(([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`);
    return `{${items.sort().join()}}`;
  }
  const written = numberText(value);
  if (written === undefined) return JSON.stringify(value);
  const exact = exactNumber(value);
  if (exact === undefined) return written;
  const { numerator, denominator } = reduced(exact.numerator, exact.denominator);
  return `${numerator}/${denominator}`;
}

/** By the tens and with them the twos and fives that powers of ten have. */
function reduced(
  numerator: bigint,
  denominator: bigint,
): { readonly numerator: bigint; readonly denominator: bigint } {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n
    ? { numerator: 0n, denominator: 1n }
    : { numerator: numerator / a, denominator: denominator / a };
}

/** The first two that are the same. */
export function duplicates(list: readonly JsonValue[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const text = canonicalText(item);
    const before = seen.get(text);
    if (before !== undefined) return [before, index];
    seen.set(text, index);
  }
  return undefined;
}

/** How many values there are in it, itself included. */
export function sizeOf(value: JsonValue): number {
  let size = 1;
  if (isJsonList(value)) for (const item of value) size += sizeOf(item);
  else if (isJsonMap(value)) for (const item of value.values()) size += sizeOf(item);
  else if (typeof value === "string") size += value.length / 100;
  return size;
}
