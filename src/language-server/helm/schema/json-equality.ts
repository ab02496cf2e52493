/** Equality of JSON values. Upstream: santhosh-tekuri/jsonschema v6 util.go equals, duplicates. */
import { exactNumber, numberText } from "./exact-number.ts";
import { isJsonList, isJsonMap, type JsonValue } from "./json-text.ts";

/** Equal values have the same text, whatever the order of keys and the spelling of numbers. */
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

/** Divides both by their greatest common divisor. */
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

/** Indices of the first two items that are equal; undefined if there are none. */
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

/** Number of values in it, including itself; long texts count more. */
export function sizeOf(value: JsonValue): number {
  let size = 1;
  if (isJsonList(value)) for (const item of value) size += sizeOf(item);
  else if (isJsonMap(value)) for (const item of value.values()) size += sizeOf(item);
  else if (typeof value === "string") size += value.length / 100;
  return size;
}
