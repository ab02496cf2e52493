/** Reads the keywords of a schema. Upstream: santhosh-tekuri/jsonschema v6 objcompiler.go. */
import { type CompiledSchema, type JsonType, jsonTypes } from "./compiled-schema.ts";
import { pointerTo, splitUrl } from "./drafts.ts";
import { type ExactNumber, exactNumber, wholeNumber } from "./exact-number.ts";
import { formatNamed } from "./formats.ts";
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from "./json-text.ts";
import { Pattern } from "./pattern.ts";

/** Finds the schemas that another one refers to. */
export interface Schemas {
  readonly assertsFormats: boolean;
  schemaAt(url: string, pointer: string): CompiledSchema;
  referred(schema: CompiledSchema, object: JsonMap, keyword: string): CompiledSchema | undefined;
}

export function fillSchema(schema: CompiledSchema, object: JsonMap, schemas: Schemas): void {
  const reader = new KeywordReader(schema, object, schemas);
  const { version } = schema;
  reader.set("ref", schemas.referred(schema, object, "$ref"));
  // In older drafts, `$ref` disables the keywords of the first drafts beside it.
  if (version >= 2019 || schema.ref === undefined) fillFirst(reader);
  if (version >= 6) {
    reader.set("contains", reader.one("contains"));
    reader.set("propertyNames", reader.one("propertyNames"));
    const value = object.get("const");
    if (value !== undefined) schema.const = { value };
  }
  if (version >= 7 && object.has("if")) fillCondition(reader);
  if (version >= 2019) fillNewer(reader);
  if (version >= 2020) fillDynamic(reader);
}

/** Keywords that exist since the first draft. */
function fillFirst(reader: KeywordReader): void {
  const { schema, object, schemas } = reader;
  fillApplicators(reader);
  fillItems(reader);
  fillAssertions(reader);
  if (schema.version >= 2019 && !schemas.assertsFormats) return;
  const name = object.get("format");
  if (typeof name === "string") reader.set("format", formatNamed(name));
}

class KeywordReader {
  readonly schema: CompiledSchema;
  readonly object: JsonMap;
  readonly schemas: Schemas;

  constructor(schema: CompiledSchema, object: JsonMap, schemas: Schemas) {
    this.schema = schema;
    this.object = object;
    this.schemas = schemas;
  }

  set<Key extends keyof CompiledSchema>(key: Key, value: CompiledSchema[Key] | undefined): void {
    if (value !== undefined) this.schema[key] = value;
  }

  one(keyword: string): CompiledSchema | undefined {
    return this.object.has(keyword) ? this.#at(keyword) : undefined;
  }

  many(keyword: string): readonly CompiledSchema[] | undefined {
    const value = this.object.get(keyword);
    return isJsonList(value)
      ? value.map((_, index) => this.#at(keyword, String(index)))
      : undefined;
  }

  named(keyword: string): ReadonlyMap<string, CompiledSchema> | undefined {
    const value = this.object.get(keyword);
    if (!isJsonMap(value)) return undefined;
    return new Map([...value.keys()].map((name) => [name, this.#at(keyword, name)]));
  }

  either(keyword: string): boolean | CompiledSchema | undefined {
    const value = this.object.get(keyword);
    return typeof value === "boolean" ? value : this.one(keyword);
  }

  /** By property name: the properties or the schema that it requires. */
  dependencies(
    keyword: string,
  ): ReadonlyMap<string, readonly string[] | CompiledSchema> | undefined {
    const value = this.object.get(keyword);
    if (!isJsonMap(value)) return undefined;
    const read = ([name, item]: readonly [string, JsonValue]) =>
      [name, isJsonList(item) ? textsOf(item) : this.#at(keyword, name)] as const;
    return new Map([...value].map(read));
  }

  number(keyword: string): ExactNumber | undefined {
    return exactNumber(this.object.get(keyword));
  }

  whole(keyword: string): number | undefined {
    return wholeNumber(this.object.get(keyword));
  }

  is(keyword: string): boolean {
    return this.object.get(keyword) === true;
  }

  #at(...segments: readonly string[]): CompiledSchema {
    return this.schemas.schemaAt(this.schema.url, pointerTo(this.schema.pointer, ...segments));
  }
}

function fillApplicators(reader: KeywordReader): void {
  reader.set("allOf", reader.many("allOf"));
  reader.set("anyOf", reader.many("anyOf"));
  reader.set("oneOf", reader.many("oneOf"));
  reader.set("not", reader.one("not"));
  reader.set("properties", reader.named("properties"));
  const byPattern = reader.named("patternProperties");
  if (byPattern !== undefined)
    reader.set(
      "patternProperties",
      [...byPattern].map(([pattern, schema]) => [new Pattern(pattern), schema]),
    );
  reader.set("additionalProperties", reader.either("additionalProperties"));
  reader.set("dependencies", reader.dependencies("dependencies"));
}

function fillItems(reader: KeywordReader): void {
  const { schema, object } = reader;
  if (schema.version >= 2020) {
    reader.set("firstItems", reader.many("prefixItems"));
    reader.set("items", reader.one("items"));
  } else if (isJsonList(object.get("items"))) {
    reader.set("firstItems", reader.many("items"));
    reader.set("additionalItems", reader.either("additionalItems"));
  } else reader.set("items", reader.one("items"));
}

function fillAssertions(reader: KeywordReader): void {
  const { object, schema } = reader;
  reader.set("types", typesOf(object.get("type")));
  const values = object.get("enum");
  if (isJsonList(values)) schema.enum = values;
  reader.set("multipleOf", reader.number("multipleOf"));
  const [minimum, maximum] = [reader.number("minimum"), reader.number("maximum")];
  const [isAbove, isBelow] = [reader.is("exclusiveMinimum"), reader.is("exclusiveMaximum")];
  reader.set("minimum", isAbove ? undefined : minimum);
  reader.set("exclusiveMinimum", isAbove ? minimum : reader.number("exclusiveMinimum"));
  reader.set("maximum", isBelow ? undefined : maximum);
  reader.set("exclusiveMaximum", isBelow ? maximum : reader.number("exclusiveMaximum"));
  reader.set("minLength", reader.whole("minLength"));
  reader.set("maxLength", reader.whole("maxLength"));
  const text = object.get("pattern");
  if (typeof text === "string") schema.pattern = new Pattern(text);
  reader.set("minItems", reader.whole("minItems"));
  reader.set("maxItems", reader.whole("maxItems"));
  if (reader.is("uniqueItems")) schema.uniqueItems = true;
  reader.set("minProperties", reader.whole("minProperties"));
  reader.set("maxProperties", reader.whole("maxProperties"));
  const required = object.get("required");
  if (isJsonList(required)) schema.required = textsOf(required);
}

function typesOf(value: JsonValue | undefined): readonly JsonType[] | undefined {
  const named = isJsonList(value) ? value : [value];
  const types = jsonTypes.filter((type) => named.includes(type));
  return types.length === 0 ? undefined : types;
}

function textsOf(list: readonly JsonValue[]): readonly string[] {
  return list.filter((item) => typeof item === "string");
}

function fillCondition(reader: KeywordReader): void {
  const condition = reader.object.get("if");
  reader.set("condition", reader.one("if"));
  if (condition !== false) reader.set("whenMet", reader.one("then"));
  if (condition !== true) reader.set("otherwise", reader.one("else"));
}

function fillNewer(reader: KeywordReader): void {
  const { schema, object, schemas } = reader;
  reader.set("recursiveRef", schemas.referred(schema, object, "$recursiveRef"));
  schema.isRecursiveAnchor = reader.is("$recursiveAnchor");
  reader.set("minContains", reader.whole("minContains"));
  reader.set("maxContains", reader.whole("maxContains"));
  const required = object.get("dependentRequired");
  if (isJsonMap(required))
    schema.dependentRequired = new Map(
      [...required].map(([name, value]) => [name, isJsonList(value) ? textsOf(value) : []]),
    );
  reader.set("dependentSchemas", reader.named("dependentSchemas"));
  reader.set("unevaluatedItems", reader.one("unevaluatedItems"));
  reader.set("unevaluatedProperties", reader.one("unevaluatedProperties"));
}

function fillDynamic({ schema, object, schemas }: KeywordReader): void {
  const reference = object.get("$dynamicRef");
  const found = schemas.referred(schema, object, "$dynamicRef");
  if (found !== undefined && typeof reference === "string") {
    const [, fragment] = splitUrl(reference);
    schema.dynamicRef = found;
    schema.dynamicRefAnchor = fragment.startsWith("/") ? "" : fragment;
  }
  const anchor = object.get("$dynamicAnchor");
  if (typeof anchor === "string") schema.dynamicAnchor = anchor;
}
