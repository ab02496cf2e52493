/**
 * JSON that keeps numbers as written, because messages about schemas show them. Upstream: Go's encoding/json Decoder with
 * UseNumber, santhosh-tekuri/jsonschema v6 loader.go UnmarshalJSON.
 */
import { goSyntaxError } from "../../../engine/api/go/json-syntax.ts";
import { bytesOf, wellFormed } from "../functions/bytes.ts";

export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value from a schema, or from a chart's values, whose numbers are those of templates. */
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | JsonNumber
  | readonly JsonValue[]
  | JsonMap;
export type JsonMap = ReadonlyMap<string, JsonValue>;

export function isJsonMap(value: JsonValue | undefined): value is JsonMap {
  return value instanceof Map;
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Why a text is not valid JSON, or exceeds a limit here. */
export class UnreadJson {
  readonly message: string;
  readonly isLimit: boolean;

  constructor(message: string, isLimit: boolean = false) {
    this.message = message;
    this.isLimit = isLimit;
  }
}

/** Upstream allows 10,000 levels. */
const depthMax = 200;

export function readJson(text: string): JsonValue | UnreadJson {
  try {
    JSON.parse(text);
  } catch {
    return new UnreadJson(complaintOf(text));
  }
  const reader = new Reader(text);
  const value = reader.value(0);
  return reader.isTooDeep ? new UnreadJson("exceeded max depth", true) : value;
}

/** A mistake beyond this is reported as if the text ended there. */
const errorLengthMax = 100_000;

function complaintOf(text: string): string {
  if (text.trim() === "") return "EOF";
  const complaint = goSyntaxError([...bytesOf(text.slice(0, errorLengthMax))]);
  if (complaint === undefined || complaint.startsWith("unexpected end")) return "unexpected EOF";
  return complaint.endsWith(afterTopLevel) ? `invalid character ${afterTopLevel}` : complaint;
}

const afterTopLevel = "after top-level value";

/** Reads a text that is known to be valid JSON. */
class Reader {
  isTooDeep = false;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): JsonValue {
    this.#skipSpace();
    if (depth > depthMax) this.isTooDeep = true;
    if (this.isTooDeep) return null;
    const sign = this.#text[this.#at];
    if (sign === "{") return this.#map(depth);
    if (sign === "[") return this.#list(depth);
    return sign === '"' ? this.#string() : this.#word();
  }

  #map(depth: number): JsonMap {
    const map = new Map<string, JsonValue>();
    while (this.#hasNext("}")) {
      const key = this.#string();
      this.#skipSpace();
      this.#at++;
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #list(depth: number): readonly JsonValue[] {
    const list: JsonValue[] = [];
    while (this.#hasNext("]")) list.push(this.value(depth + 1));
    return list;
  }

  /** Skips the bracket or comma before the next item; at the closing bracket skips that and returns false. */
  #hasNext(end: string): boolean {
    this.#skipSpace();
    if (this.isTooDeep) return false;
    const isEnd = this.#text[this.#at] === end;
    this.#at++;
    this.#skipSpace();
    if (isEnd || this.#text[this.#at] !== end) return !isEnd;
    this.#at++;
    return false;
  }

  #string(): string {
    const start = this.#at;
    let end = start + 1;
    while (this.#text[end] !== '"') end += this.#text[end] === "\\" ? 2 : 1;
    this.#at = end + 1;
    return wellFormed(JSON.parse(this.#text.slice(start, this.#at)));
  }

  #word(): JsonValue {
    word.lastIndex = this.#at;
    const [found = ""] = word.exec(this.#text) ?? [];
    this.#at += found.length;
    if (found === "true" || found === "false") return found === "true";
    return found === "null" ? null : new JsonNumber(found);
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) this.#at++;
  }
}

const word = /[\w.+-]*/y;
