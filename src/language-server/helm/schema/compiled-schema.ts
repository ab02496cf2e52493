/** A schema in the form used for validation. Upstream: santhosh-tekuri/jsonschema v6 schema.go. */
import type { ExactNumber } from "./exact-number.ts";
import type { Format } from "./formats.ts";
import type { JsonValue } from "./json-text.ts";
import type { Pattern } from "./pattern.ts";

/** Fields that are undefined impose nothing. */
export interface CompiledSchema {
  /** URL of its document, and the pointer in it. */
  readonly url: string;
  readonly pointer: string;
  version: number;
  /** The named schema that it is a part of, possibly itself. */
  resource: CompiledSchema;
  dynamicAnchors: Map<string, CompiledSchema>;
  /** Set for `true`, `false`, and schemas without keywords. */
  always?: boolean;

  ref?: CompiledSchema;
  recursiveRef?: CompiledSchema;
  isRecursiveAnchor?: boolean;
  dynamicRef?: CompiledSchema;
  /** "" if the reference has no anchor. */
  dynamicRefAnchor?: string;
  dynamicAnchor?: string;

  types?: readonly JsonType[];
  enum?: readonly JsonValue[];
  const?: { readonly value: JsonValue };
  format?: Format;
  allOf?: readonly CompiledSchema[];
  anyOf?: readonly CompiledSchema[];
  oneOf?: readonly CompiledSchema[];
  not?: CompiledSchema;
  /** `if`, `then` and `else`. */
  condition?: CompiledSchema;
  whenMet?: CompiledSchema;
  otherwise?: CompiledSchema;

  minProperties?: number;
  maxProperties?: number;
  required?: readonly string[];
  properties?: ReadonlyMap<string, CompiledSchema>;
  patternProperties?: readonly (readonly [Pattern, CompiledSchema])[];
  additionalProperties?: boolean | CompiledSchema;
  propertyNames?: CompiledSchema;
  dependencies?: ReadonlyMap<string, readonly string[] | CompiledSchema>;
  dependentRequired?: ReadonlyMap<string, readonly string[]>;
  dependentSchemas?: ReadonlyMap<string, CompiledSchema>;
  unevaluatedProperties?: CompiledSchema;

  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: CompiledSchema;
  /** Schemas of the first items: `prefixItems`, or a list of `items` in older drafts. */
  firstItems?: readonly CompiledSchema[];
  additionalItems?: boolean | CompiledSchema;
  contains?: CompiledSchema;
  minContains?: number;
  maxContains?: number;
  unevaluatedItems?: CompiledSchema;

  minLength?: number;
  maxLength?: number;
  pattern?: Pattern;

  minimum?: ExactNumber;
  maximum?: ExactNumber;
  exclusiveMinimum?: ExactNumber;
  exclusiveMaximum?: ExactNumber;
  multipleOf?: ExactNumber;
}

/** In upstream's order. */
export const jsonTypes = [
  "null",
  "boolean",
  "number",
  "integer",
  "string",
  "array",
  "object",
] as const;

export type JsonType = (typeof jsonTypes)[number];
