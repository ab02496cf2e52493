/** Converts the table of a file's shape to JSON Schema, draft 7, for editors without Claimcheck. */
import {
  type MappingShape,
  type Shape,
  strangersTo,
} from "../../src/language-server/shapes/shape.ts";

export function schemaOf(shape: Shape): Readonly<Record<string, unknown>> {
  switch (shape.type) {
    case "text":
      if (shape.pattern !== undefined)
        return { type: "string", pattern: shape.pattern.expression.source };
      return shape.oneOf === undefined
        ? { type: ["string", "number"] }
        : { type: "string", enum: [...shape.oneOf, ...(shape.alsoOneOf ?? [])] };
    case "whole number":
      return { type: "integer", minimum: 0 };
    case "boolean":
      return { type: "boolean" };
    case "duration":
      return { type: ["string", "number"], minimum: 0, pattern: "^(\\d+(\\.\\d+)?(ms|s|m|h))+$" };
    case "anything":
      return {};
    case "list or text":
      return { type: ["array", "string"], items: schemaOf(shape.of) };
    case "list":
      return { type: "array", items: schemaOf(shape.of) };
    case "mapping":
      return mappingSchema(shape);
  }
}

function mappingSchema({
  fields,
  hasOneKey,
  oneKeyOf,
  someKeyOf,
}: MappingShape): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.isRequired === true).map(([key]) => key);
  return {
    type: "object",
    additionalProperties: false,
    ...(hasOneKey === true && { minProperties: 1, maxProperties: 1 }),
    ...(required.length > 0 && { required }),
    ...(someKeyOf !== undefined && { anyOf: someKeyOf.map((key) => ({ required: [key] })) }),
    ...(oneKeyOf !== undefined && { oneOf: company(oneKeyOf) }),
    properties: Object.fromEntries(
      entries.map(([key, { shape, about }]) => [key, { description: about, ...schemaOf(shape) }]),
    ),
  };
}

/** One entry for each key: the keys it needs, and the keys it excludes. */
function company(oneKeyOf: NonNullable<MappingShape["oneKeyOf"]>): readonly object[] {
  return Object.keys(oneKeyOf).map((key) => {
    const strange = strangersTo(key, oneKeyOf);
    return {
      required: [key, ...(oneKeyOf[key]?.needs ?? [])],
      ...(strange.length > 0 && {
        properties: Object.fromEntries(strange.map((other) => [other, false])),
      }),
    };
  });
}
