/** Writes values as JSON. Upstream: Go's encoding/json Marshal, MarshalIndent, Encoder.SetEscapeHTML. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import {
  type GoObject,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
} from "../go-template/values.ts";
import { wellFormed } from "./bytes.ts";
import { isNilList } from "./go-types.ts";

/** An object with its own form in JSON. */
interface Marshaled extends GoObject {
  fields(): GoValue;
}

export interface JsonLayout {
  /** True if <, > and & are escaped for HTML. */
  readonly escapesHtml: boolean;
  /** Indentation for each level; undefined for output on one line. */
  readonly indent?: string;
}

/** The value must have been weighed. Returns an error if JSON has no form for it. */
export function writeJson(value: GoValue, layout: JsonLayout): string | { readonly error: string } {
  const writer = new JsonWriter(layout);
  const text = writer.write(value, "\n");
  return writer.error === undefined ? text : { error: writer.error };
}

class JsonWriter {
  error: string | undefined;
  readonly #layout: JsonLayout;

  constructor(layout: JsonLayout) {
    this.#layout = layout;
  }

  /** Uses loops instead of callbacks, because nested includes leave little stack. */
  write(value: GoValue, lineStart: string): string {
    const { indent } = this.#layout;
    const inner = indent === undefined ? "" : lineStart + indent;
    const parts: string[] = [];
    if (isGoMap(value)) {
      const colon = indent === undefined ? ":" : ": ";
      for (const [key, item] of [...value].sort(byKey))
        parts.push(`${inner}${this.#text(key)}${colon}${this.write(item, inner)}`);
      return this.#enclosed("{", parts, "}", lineStart);
    }
    if (isGoList(value)) {
      if (isNilList(value)) return "null";
      for (const item of value) parts.push(inner + this.write(item, inner));
      return this.#enclosed("[", parts, "]", lineStart);
    }
    if (isGoObject(value)) return this.write(plainValue(value), lineStart);
    if (typeof value === "string") return this.#text(value);
    return typeof value === "number" ? this.#float(value) : String(value);
  }

  #enclosed(open: string, parts: readonly string[], close: string, lineStart: string): string {
    const isSpread = this.#layout.indent !== undefined && parts.length > 0;
    return `${open}${parts.join(",")}${isSpread ? lineStart : ""}${close}`;
  }

  #text(text: string): string {
    const escaped = JSON.stringify(wellFormed(text))
      .replaceAll("\u2028", "\\u2028")
      .replaceAll("\u2029", "\\u2029");
    return this.#layout.escapesHtml ? escaped.replace(/[<>&]/g, unicodeEscape) : escaped;
  }

  #float(value: number): string {
    if (!Number.isFinite(value))
      this.error ??= `json: unsupported value: ${Number.isNaN(value) ? "NaN" : value < 0 ? "-Inf" : "+Inf"}`;
    return Object.is(value, -0) ? "-0" : String(value);
  }
}

function byKey([a]: readonly [string, GoValue], [b]: readonly [string, GoValue]): number {
  return compareText(a, b);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What is written for an object: its data, its fields, or its text. */
export function plainValue(value: GoObject): GoValue {
  if (value.data !== undefined) return value.data;
  return isMarshaled(value) ? value.fields() : value.print();
}

function isMarshaled(value: GoObject): value is Marshaled {
  return "fields" in value && typeof value.fields === "function";
}
