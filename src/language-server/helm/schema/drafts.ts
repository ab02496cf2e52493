/** The drafts of JSON Schema. Upstream: santhosh-tekuri/jsonschema v6 draft.go. */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from "./json-text.ts";

export interface Draft {
  readonly version: 4 | 6 | 7 | 2019 | 2020;
  readonly url: string;
  readonly idKey: "id" | "$id";
  /** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
  readonly ofOne: ReadonlySet<string>;
  readonly ofMany: ReadonlySet<string>;
  readonly ofNamed: ReadonlySet<string>;
}

type Places = Pick<Draft, "ofOne" | "ofMany" | "ofNamed">;

const in4 = {
  ofOne: ["not", "additionalProperties", "items", "additionalItems"],
  ofMany: ["allOf", "anyOf", "oneOf", "items"],
  ofNamed: ["definitions", "properties", "patternProperties", "dependencies"],
};
const in6 = { ...in4, ofOne: [...in4.ofOne, "propertyNames", "contains"] };
const in7 = { ...in6, ofOne: [...in6.ofOne, "if", "then", "else"] };
const in2019 = {
  ofOne: [...in7.ofOne, "unevaluatedProperties", "unevaluatedItems", "contentSchema"],
  ofMany: in7.ofMany,
  ofNamed: [...in7.ofNamed, "$defs", "dependentSchemas"],
};
const in2020 = { ...in2019, ofMany: [...in2019.ofMany, "prefixItems"] };

function placesOf({ ofOne, ofMany, ofNamed }: typeof in4): Places {
  return { ofOne: new Set(ofOne), ofMany: new Set(ofMany), ofNamed: new Set(ofNamed) };
}

const older = "http://json-schema.org/draft-0";
const newer = "https://json-schema.org/draft/";

const drafts: readonly Draft[] = [
  { version: 4, url: `${older}4/schema`, idKey: "id", ...placesOf(in4) },
  { version: 6, url: `${older}6/schema`, idKey: "$id", ...placesOf(in6) },
  { version: 7, url: `${older}7/schema`, idKey: "$id", ...placesOf(in7) },
  { version: 2019, url: `${newer}2019-09/schema`, idKey: "$id", ...placesOf(in2019) },
];

/** The draft of a schema without `$schema`. */
export const latestDraft: Draft = {
  ...{ version: 2020, url: `${newer}2020-12/schema`, idKey: "$id" },
  ...placesOf(in2020),
};

export function draftOf(url: string): Draft | undefined {
  const [whole = "", fragment = ""] = splitUrl(url);
  if (fragment !== "") return undefined;
  const bare = withoutScheme(whole);
  if (bare === "json-schema.org/schema") return latestDraft;
  return [...drafts, latestDraft].find((draft) => withoutScheme(draft.url) === bare);
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "");
}

/** The parts before and after the number sign. */
export function splitUrl(url: string): readonly [string, string] {
  const hash = url.indexOf("#");
  return hash < 0 ? [url, ""] : [url.slice(0, hash), url.slice(hash + 1)];
}

/** Without its fragment; "" if the schema has no id. */
export function idOf(schema: JsonMap, { version, idKey }: Draft): string {
  // In older drafts, `$ref` disables all keywords beside it.
  if (version < 2019 && schema.has("$ref")) return "";
  const id = schema.get(idKey);
  return typeof id === "string" ? splitUrl(id)[0] : "";
}

/** The schemas within a schema, with their pointers from the root. */
export function* subschemasOf(
  schema: JsonMap,
  pointer: string,
  { ofOne, ofMany, ofNamed }: Draft,
): Generator<readonly [string, JsonValue]> {
  for (const [keyword, value] of schema) {
    const at = pointerTo(pointer, keyword);
    if (ofOne.has(keyword)) yield [at, value];
    if (ofMany.has(keyword) && isJsonList(value))
      for (const [index, item] of value.entries()) yield [pointerTo(at, String(index)), item];
    if (ofNamed.has(keyword) && isJsonMap(value))
      for (const [name, item] of value) yield [pointerTo(at, name), item];
  }
}

/** Upstream: util.go jsonPointer. */
export function pointerTo(pointer: string, ...segments: readonly string[]): string {
  return pointer + segments.map((segment) => `/${escaped(segment)}`).join("");
}

function escaped(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Matches an invalid escape in a pointer. */
export const wrongEscape: RegExp = /~(?![01])/;

export function segmentsOf(pointer: string): readonly string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
