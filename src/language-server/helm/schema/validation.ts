/** One value that is held against one schema, for what looks at a kind of value. */
import type { CompiledSchema } from "./compiled-schema.ts";
import type { JsonValue } from "./json-text.ts";
import type { SchemaError } from "./schema-error.ts";
import type { Unevaluated } from "./unevaluated.ts";

export interface Validation {
  readonly schema: CompiledSchema;
  readonly unevaluated: Unevaluated;
  /** Whether nobody waits for more. */
  readonly isDecided: boolean;
  /** Whether no more may be done. */
  readonly isSpent: boolean;
  spend(steps: number): void;
  add(error: SchemaError | undefined): void;
  mistake(
    keyword: string,
    message: string,
    more?: Partial<Omit<SchemaError, "path" | "message">>,
  ): SchemaError;
  /** The same value against another schema. */
  same(schema: CompiledSchema, isSilent?: boolean): SchemaError | undefined;
  /** A part of the value. */
  part(schema: CompiledSchema, value: JsonValue, segment: string): SchemaError | undefined;
  /** What stands in no place of its own: the name of a property. */
  apart(schema: CompiledSchema, value: JsonValue): readonly SchemaError[];
}
