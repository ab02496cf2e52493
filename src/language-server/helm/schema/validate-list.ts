/** Validates a list. Upstream: santhosh-tekuri/jsonschema v6 validator.go arrValidate. */
import type { CompiledSchema } from "./compiled-schema.ts";
import { grouped } from "./exact-number.ts";
import { duplicates, sizeOf } from "./json-equality.ts";
import type { JsonValue } from "./json-text.ts";
import type { SchemaError } from "./schema-error.ts";
import type { Validation } from "./validation.ts";

type List = readonly JsonValue[];

export function validateList(validation: Validation, list: List): void {
  const { minItems, maxItems, uniqueItems, contains } = validation.schema;
  const counted = (keyword: string, wanted: number): void =>
    validation.add(
      validation.mistake(
        keyword,
        `${keyword}: got ${grouped(list.length)}, want ${grouped(wanted)}`,
      ),
    );
  if (minItems !== undefined && list.length < minItems) counted("minItems", minItems);
  if (maxItems !== undefined && list.length > maxItems) counted("maxItems", maxItems);
  if (uniqueItems === true) validateUnique(validation, list);
  validateItems(validation, list);
  if (contains !== undefined) validateContained(validation, list, contains);
}

function validateUnique(validation: Validation, list: List): void {
  validation.spend(sizeOf(list));
  if (validation.isSpent) return;
  const found = duplicates(list);
  if (found === undefined) return;
  const message = `items at ${grouped(found[0])} and ${grouped(found[1])} are equal`;
  validation.add(validation.mistake("uniqueItems", message));
}

function validateItems(validation: Validation, list: List): void {
  const { items, firstItems = [], additionalItems } = validation.schema;
  const count = Math.min(firstItems.length, list.length);
  for (const [index, item] of list.entries()) {
    if (validation.isDecided) return;
    const further = typeof additionalItems === "object" ? additionalItems : items;
    const schema = index < count ? firstItems[index] : further;
    if (schema === undefined) break;
    validation.add(validation.part(schema, item, String(index)));
  }
  if (additionalItems !== false || count === list.length) return;
  const message = `last ${grouped(list.length - count)} additionalItem(s) not allowed`;
  validation.add(validation.mistake("additionalItems", message));
}

function validateContained(validation: Validation, list: List, contains: CompiledSchema): void {
  const { minContains, maxContains, version } = validation.schema;
  const causes: SchemaError[] = [];
  const matched: number[] = [];
  for (const [index, item] of list.entries()) {
    if (validation.isSpent) return;
    const error = validation.part(contains, item, String(index));
    if (error !== undefined) {
      causes.push(error);
      continue;
    }
    matched.push(index);
    if (version >= 2020) validation.unevaluated.lookedAt(index);
  }
  const at = `matched ${grouped(matched.length)} items at ${matched.join(" ")}`;
  if (minContains === undefined && matched.length === 0)
    validation.add(validation.mistake("contains", "no items match contains schema", { causes }));
  if (minContains !== undefined && matched.length < minContains) {
    const got = matched.length === 0 ? "none matched" : at;
    const wanted = `min ${grouped(minContains)} items required to match contains schema, but ${got}`;
    validation.add(validation.mistake("minContains", wanted, { causes }));
  }
  if (maxContains !== undefined && matched.length > maxContains) {
    const wanted = `max ${grouped(maxContains)} items required to match contains schema, but ${at}`;
    validation.add(validation.mistake("maxContains", wanted));
  }
}
