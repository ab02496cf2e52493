/** Validates a map. Upstream: santhosh-tekuri/jsonschema v6 validator.go objValidate. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { grouped } from "./exact-number.ts";
import type { JsonMap, JsonValue } from "./json-text.ts";
import { quoted, quotedList } from "./schema-error.ts";
import type { Validation } from "./validation.ts";

export function validateMap(validation: Validation, map: JsonMap): void {
  const { schema } = validation;
  const { minProperties, maxProperties, required = [] } = schema;
  validation.spend(map.size);
  const counted = (keyword: string, wanted: number): void =>
    validation.add(
      validation.mistake(keyword, `${keyword}: got ${grouped(map.size)}, want ${grouped(wanted)}`),
    );
  if (minProperties !== undefined && map.size < minProperties)
    counted("minProperties", minProperties);
  if (maxProperties !== undefined && map.size > maxProperties)
    counted("maxProperties", maxProperties);
  const missing = missingIn(map, required);
  if (missing.length > 0) {
    const word = missing.length === 1 ? "property" : "properties";
    const message = `missing ${word} ${quotedList(missing)}`;
    validation.add(validation.mistake("required", message, { isMissing: true }));
  }
  if (validation.isDecided) return;
  for (const [name, wanted] of schema.dependencies ?? []) {
    if (!map.has(name)) continue;
    if ("pointer" in wanted) validation.add(validation.same(wanted));
    else validateDependency(validation, map, { keyword: "dependencies", name, wanted });
  }
  validateProperties(validation, map);
  validateNames(validation, map);
  for (const [name, dependent] of schema.dependentSchemas ?? [])
    if (map.has(name)) validation.add(validation.same(dependent));
  for (const [name, wanted] of schema.dependentRequired ?? [])
    if (map.has(name))
      validateDependency(validation, map, { keyword: "dependentRequired", name, wanted });
}

function missingIn(map: JsonMap, names: readonly string[]): readonly string[] {
  return names.filter((name) => !map.has(name));
}

interface RequiredWith {
  readonly keyword: string;
  readonly name: string;
  readonly wanted: readonly string[];
}

function validateDependency(
  validation: Validation,
  map: JsonMap,
  { keyword, name, wanted }: RequiredWith,
): void {
  const missing = missingIn(map, wanted);
  if (missing.length === 0) return;
  const message = `properties ${quotedList(missing)} required, if ${quoted(name)} exists`;
  validation.add(validation.mistake(keyword, message, { isMissing: true }));
}

function validateProperties(validation: Validation, map: JsonMap): void {
  const { additionalProperties } = validation.schema;
  const refused: string[] = [];
  for (const [name, value] of inOrder(map)) {
    if (validation.isDecided) return;
    if (isDescribed(validation, name, value)) validation.unevaluated.lookedAt(name);
    else if (additionalProperties === false) refused.push(name);
    else if (typeof additionalProperties === "object")
      validation.add(validation.part(additionalProperties, value, name));
  }
  if (refused.length === 0) return;
  const message = `additional properties ${quotedList(refused)} not allowed`;
  validation.add(validation.mistake("additionalProperties", message, { properties: refused }));
}

/** True if the schema describes the property, by its name or by a pattern. */
function isDescribed(validation: Validation, name: string, value: JsonValue): boolean {
  const { properties, patternProperties = [] } = validation.schema;
  const own = properties?.get(name);
  let isFound = own !== undefined;
  if (own !== undefined) validation.add(validation.part(own, value, name));
  for (const [pattern, schema] of patternProperties) {
    validation.spend(pattern.cost(name));
    if (validation.isSpent || !pattern.isFoundIn(name)) continue;
    isFound = true;
    validation.add(validation.part(schema, value, name));
  }
  return isFound;
}

function validateNames(validation: Validation, map: JsonMap): void {
  const { propertyNames } = validation.schema;
  if (propertyNames === undefined) return;
  for (const [name] of inOrder(map)) {
    if (validation.isDecided) return;
    const causes = validation.apart(propertyNames, name);
    if (causes.length === 0) continue;
    const message = `invalid propertyName ${quoted(name)}`;
    const error = validation.mistake("propertyNames", message, {
      ...{ causes, properties: [name], hidesPath: true },
    });
    validation.add(error);
  }
}

function inOrder(map: JsonMap): readonly (readonly [string, JsonValue])[] {
  return [...map].sort(([a], [b]) => compareText(a, b));
}
