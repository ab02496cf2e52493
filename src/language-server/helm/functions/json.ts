/**
 * JSON. Upstream: Helm v4 pkg/engine/funcs.go, which replaces some of sprig's functions; sprig v3 defaults.go has the others.
 */
import { goObjectError } from "../../../engine/api/go/json-syntax.ts";
import {
  type Call,
  Failure,
  type GoList,
  type GoMap,
  type GoValue,
  isGoList,
  isGoMap,
} from "../go-template/values.ts";
import { bytesOf, wellFormed } from "./bytes.ts";
import { kindOf } from "./go-types.ts";
import { type JsonLayout, writeJson } from "./json-writer.ts";
import { define, type Named } from "./signature.ts";
import { weigh } from "./weigh.ts";

const plain: JsonLayout = { escapesHtml: true };
const pretty: JsonLayout = { escapesHtml: true, indent: "  " };
const raw: JsonLayout = { escapesHtml: false };

export const jsonFunctions: readonly Named[] = [
  ...writing("toJson", "mustToJson", plain),
  ...writing("toPrettyJson", "mustToPrettyJson", pretty),
  ...writing("toRawJson", "mustToRawJson", raw),
  define("fromJson", ["string"], ([text], call) => mapOfJson(text, call)),
  define("fromJsonArray", ["string"], ([text], call) => listOfJson(text, call)),
  define("mustFromJson", ["string"], ([text], call) => {
    const read = readJson(text, call);
    return read instanceof JsonError ? new Failure(read.message) : read;
  }),
];

/** If JSON has no form for a value, the first function returns an empty text, the second fails. */
function writing(name: string, mustName: string, layout: JsonLayout): readonly Named[] {
  return [
    define(name, ["any"], ([value], call) => {
      const json = jsonText(value, layout, call);
      return json instanceof JsonError ? "" : json;
    }),
    define(mustName, ["any"], ([value], call) => {
      const json = jsonText(value, layout, call);
      return json instanceof JsonError ? new Failure(json.message) : json;
    }),
  ];
}

class JsonError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

function jsonText(value: GoValue, layout: JsonLayout, call: Call): string | Failure | JsonError {
  const refused = weigh(value, call);
  if (refused === "endless") return new JsonError(endless);
  if (refused !== undefined) return refused;
  const json = writeJson(value, layout);
  return typeof json === "string" ? json : new JsonError(json.error);
}

const endless = "json: unsupported value: encountered a cycle via map[string]interface {}";

function mapOfJson(text: string, call: Call): GoMap | Failure {
  const read = readJson(text, call);
  if (read instanceof Failure) return read;
  if (read instanceof JsonError) return new Map([["Error", read.message]]);
  if (read === null) return new Map();
  return isGoMap(read) ? read : new Map([["Error", mismatch(read, "map[string]interface {}")]]);
}

function listOfJson(text: string, call: Call): GoList | Failure {
  const read = readJson(text, call);
  if (read instanceof Failure) return read;
  if (read instanceof JsonError) return [read.message];
  if (read === null) return [];
  return isGoList(read) ? read : [mismatch(read, "[]interface {}")];
}

/** The JSON error for a value of the wrong type. */
export function mismatch(value: GoValue, wanted: string): string {
  const kind = kindOf(value);
  const found = { map: "object", slice: "array", float64: "number" }[kind] ?? kind;
  return `json: cannot unmarshal ${found} into Go value of type ${wanted}`;
}

function readJson(text: string, call: Call): GoValue | Failure | JsonError {
  const refused = call.charge(text.length);
  if (refused !== undefined) return refused;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const length = Math.min(text.length, errorLengthMax);
    return call.charge((length + errorLeast) * costOfError) ?? new JsonError(jsonError(text));
  }
  return goValue(json, 0);
}

/** A mistake beyond this is reported as if the text ended there. */
const errorLengthMax = 100_000;
/** Finding a mistake takes this many times as long as reading valid text. */
const costOfError = 8;
/** Minimum cost, as if the text had this many letters. */
const errorLeast = 8;

/** Upstream's message for the first mistake in the text. */
function jsonError(text: string): string {
  return (
    goObjectError([...bytesOf(text.slice(0, errorLengthMax))]) ?? "unexpected end of JSON input"
  );
}

/** Upstream allows 10,000 levels. */
const depthMax = 100;

function goValue(json: unknown, depth: number): GoValue | JsonError {
  if (depth > depthMax) return new JsonError("exceeded max depth");
  if (typeof json === "string") return wellFormed(json);
  if (typeof json === "number" && !Number.isFinite(json))
    return new JsonError("json: cannot unmarshal number into Go value of type float64");
  if (typeof json !== "object" || json === null) return json as number | boolean | null;
  const items: GoValue[] = [];
  for (const item of Object.values(json)) {
    const value = goValue(item, depth + 1);
    if (value instanceof JsonError) return value;
    items.push(value);
  }
  if (Array.isArray(json)) return items;
  return new Map(Object.keys(json).map((key, index) => [key, items[index] ?? null]));
}
