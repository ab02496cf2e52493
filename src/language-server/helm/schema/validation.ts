/** The validation of one value against one schema, as seen by the code for single types. */
import type { CompiledSchema } from "./compiled-schema.ts";
import type { JsonValue } from "./json-text.ts";
import type { SchemaError } from "./schema-error.ts";
import type { Unevaluated } from "./unevaluated.ts";

export interface Validation {
  readonly schema: CompiledSchema;
  readonly unevaluated: Unevaluated;
  /** True if further mistakes do not matter. */
  readonly isDecided: boolean;
  /** True if the budget is spent. */
  readonly isSpent: boolean;
  spend(steps: number): void;
  add(error: SchemaError | undefined): void;
  mistake(
    keyword: string,
    message: string,
    more?: Partial<Omit<SchemaError, "path" | "message">>,
  ): SchemaError;
  /** Validates the same value against another schema. */
  same(schema: CompiledSchema, isSilent?: boolean): SchemaError | undefined;
  /** Validates a part of the value. */
  part(schema: CompiledSchema, value: JsonValue, segment: string): SchemaError | undefined;
  /** Validates something without a path of its own: the name of a property. */
  apart(schema: CompiledSchema, value: JsonValue): readonly SchemaError[];
}
