/** Why a value does not meet a schema, in upstream's words. Upstream: santhosh-tekuri/jsonschema v6 output.go, kind/kind.go. */
import { goQuote } from "../../../engine/api/go/text.ts";
import { pointerTo } from "./drafts.ts";
import { isJsonList, isJsonMap, JsonNumber, type JsonValue } from "./json-text.ts";

export interface SchemaError {
  /** Of the value, from the outermost. */
  readonly path: readonly string[];
  /** Upstream tells none. */
  readonly hidesPath?: true;
  /** What is told of it; several mistakes of one value stand below one that only gathers them. */
  readonly message: string;
  readonly causes: readonly SchemaError[];
  /** Where the schema asks for it: the pointer of the keyword in the document. */
  readonly keyword: string;
  /** A mistake, or what only gathers those that are below it. */
  readonly kind: "mistake" | "group" | "all" | "reference";
  /** Properties that the value should not have. */
  readonly properties?: readonly string[];
  /** That a value is missing, or says nothing, which somebody may still give. */
  readonly isMissing?: true;
}

/** As Helm prints it, without the line before. */
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

/** Of what is neither a list nor a map. */
export function shownValue(value: JsonValue): string {
  if (typeof value === "string") return quoted(value);
  if (value === null) return "<nil>";
  if (isJsonList(value) || isJsonMap(value)) return "value";
  return value instanceof JsonNumber ? value.text : String(value);
}
