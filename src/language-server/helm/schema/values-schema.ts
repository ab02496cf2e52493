/**
 * Validates a chart's values against its `values.schema.json`. Upstream: Helm v4 pkg/chart/common/util/jsonschema.go
 * ValidateAgainstSingleSchema.
 */
import type { ChartFile } from "../chart/chart.ts";
import type { GoMap } from "../go-template/values.ts";
import { SchemaCompiler, tooLarge } from "./compile-schema.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { type JsonMap, readJson, UnreadJson } from "./json-text.ts";
import { checkedByDraft, metaschemaAt } from "./metaschemas.ts";
import type { SchemaError } from "./schema-error.ts";
import { SchemaFailure } from "./schema-root.ts";
import { StepBudget, validate } from "./validator.ts";

/** The mistakes in the values, or why they cannot be validated. */
export function valuesErrors(
  file: ChartFile,
  values: GoMap,
): readonly SchemaError[] | SchemaFailure {
  const schema = schemaOf(file);
  if (schema instanceof SchemaFailure) return schema;
  const budget = new StepBudget(valuesStepsMax);
  // The values were not made by functions, so they are plain data.
  const errors = validate(schema, values as unknown as JsonMap, { budget });
  return budget.isSpent ? new SchemaFailure(tooLarge, "", "limit") : errors;
}

/** Takes less than a second, which somebody typing values waits for. */
const valuesStepsMax = 200_000;
/** Takes less than two seconds, whenever the schema changes. */
const schemaStepsMax = 500_000;

/** Helm's URL for the file. */
const url = "file:///values.schema.json";

function schemaOf(file: ChartFile): CompiledSchema | SchemaFailure {
  const known = schemas.get(file) ?? readSchema(file);
  schemas.set(file, known);
  return known;
}

// An edit changes one file, and values change more often than their schema.
const schemas = new WeakMap<ChartFile, CompiledSchema | SchemaFailure>();

function readSchema({ text }: ChartFile): CompiledSchema | SchemaFailure {
  const document = readJson(text);
  if (document instanceof UnreadJson)
    return document.isLimit
      ? new SchemaFailure(tooLarge, "", "limit")
      : new SchemaFailure(document.message, "");
  const budget = new StepBudget(schemaStepsMax);
  const compiler = new SchemaCompiler({
    findDocument: metaschemaAt,
    check: (value, root, pointer) => checkedByDraft(value, root, pointer, budget),
    assertsFormats: false,
  });
  return compiler.compile(url, document);
}
