/** Validates a text or a number. Upstream: santhosh-tekuri/jsonschema v6 validator.go strValidate, numValidate. */
import {
  compareNumbers,
  type ExactNumber,
  exactNumber,
  grouped,
  isMultiple,
  shownNumber,
} from "./exact-number.ts";
import type { JsonValue } from "./json-text.ts";
import { quoted } from "./schema-error.ts";
import type { Validation } from "./validation.ts";

export function validateText(validation: Validation, text: string): void {
  const { minLength, maxLength, pattern } = validation.schema;
  if (minLength !== undefined || maxLength !== undefined) validateLength(validation, text);
  if (pattern === undefined) return;
  validation.spend(pattern.cost(text));
  if (validation.isSpent || pattern.isFoundIn(text)) return;
  const message = `${quoted(text)} does not match pattern ${quoted(pattern.text)}`;
  validation.add(validation.mistake("pattern", message));
}

/** Counts characters. */
function validateLength(validation: Validation, text: string): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = validation.schema;
  validation.spend(text.length / 100);
  const length = [...text].length;
  const counted = (keyword: string, wanted: number): void =>
    validation.add(
      validation.mistake(keyword, `${keyword}: got ${grouped(length)}, want ${grouped(wanted)}`),
    );
  if (length < minLength) counted("minLength", minLength);
  if (length > maxLength) counted("maxLength", maxLength);
}

export function validateNumber(validation: Validation, value: JsonValue): void {
  const number = exactNumber(value);
  if (number === undefined) return;
  const held = (keyword: Limit, isMet: (limit: ExactNumber) => boolean): void => {
    const limit = validation.schema[keyword];
    if (limit === undefined || isMet(limit)) return;
    const message = `${keyword}: got ${shownNumber(number)}, want ${shownNumber(limit)}`;
    validation.add(validation.mistake(keyword, message));
  };
  held("minimum", (limit) => compareNumbers(number, limit) >= 0);
  held("maximum", (limit) => compareNumbers(number, limit) <= 0);
  held("exclusiveMinimum", (limit) => compareNumbers(number, limit) > 0);
  held("exclusiveMaximum", (limit) => compareNumbers(number, limit) < 0);
  held("multipleOf", (limit) => isMultiple(number, limit) !== false);
}

type Limit = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf";
