/**
 * Why a value does not match a schema, in upstream's words. Upstream: santhosh-tekuri/jsonschema v6 output.go, kind/kind.go.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import { pointerTo } from "./drafts.ts";
import { isJsonList, isJsonMap, JsonNumber, type JsonValue } from "./json-text.ts";

export interface SchemaError {
  /** Path of the value, from the outermost. */
  readonly path: readonly string[];
  /** Set where upstream omits the path. */
  readonly hidesPath?: true;
  /** The message; several mistakes of one value are causes of an error that only groups them. */
  readonly message: string;
  readonly causes: readonly SchemaError[];
  /** Where the schema requires it: pointer of the keyword in the document. */
  readonly keyword: string;
  /** Whether it is a mistake or only groups its causes. */
  readonly kind: "mistake" | "group" | "all" | "reference";
  /** Properties that the value should not have. */
  readonly properties?: readonly string[];
  /** Set if a value is missing or empty, so that it may still be given. */
  readonly isMissing?: true;
}

/** As Helm prints it, without the first line. */
export function shownError(error: SchemaError, depth: number = 0): string {
  const isSkipped = error.kind === "reference" && error.causes.length === 1;
  const path = error.hidesPath === true ? "" : pointerTo("", ...error.path);
  const own = `${"  ".repeat(depth)}- at ${quoted(path)}: ${error.message}`;
  const below = isSkipped ? depth : depth + 1;
  const causes = error.causes.map((cause) => shownError(cause, below));
  return [...(isSkipped ? [] : [own]), ...causes].join("\n");
}

/** In single quotes. A backslash at the end is shown once. */
export function quoted(text: string): string {
  const inside = goQuote(text).replaceAll('\\"', '"').replaceAll("'", "\\'").slice(1, -1);
  return `'${inside}'`;
}

export function quotedList(texts: readonly string[]): string {
  return texts.map(quoted).join(", ");
}

/** A value as messages show it; only "value" for a list or map. */
export function shownValue(value: JsonValue): string {
  if (typeof value === "string") return quoted(value);
  if (value === null) return "<nil>";
  if (isJsonList(value) || isJsonMap(value)) return "value";
  return value instanceof JsonNumber ? value.text : String(value);
}
