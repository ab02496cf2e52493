/**
 * Validates values against a schema, in upstream's order, except that properties are sorted by name, which upstream visits in
 * random order. Upstream: santhosh-tekuri/jsonschema v6 validator.go.
 */
import { goQuote } from "../../../engine/api/go/text.ts";
import type { CompiledSchema, JsonType } from "./compiled-schema.ts";
import { type Draft, pointerTo } from "./drafts.ts";
import { exactNumber, isWhole, numberText } from "./exact-number.ts";
import { canonicalText, sizeOf } from "./json-equality.ts";
import { isJsonList, isJsonMap, type JsonValue } from "./json-text.ts";
import { quoted, type SchemaError, shownValue } from "./schema-error.ts";
import { escapedFragment } from "./schema-url.ts";
import { Unevaluated } from "./unevaluated.ts";
import { validateList } from "./validate-list.ts";
import { validateMap } from "./validate-map.ts";
import { validateNumber, validateText } from "./validate-scalar.ts";
import type { Validation } from "./validation.ts";

/** For validating a schema document against its draft's own schema: schemas inside it may be written for another draft. */
export interface MetaScene {
  schemaOf(draft: Draft): CompiledSchema;
  /** The draft of a schema with an id, by its pointer. */
  draftAt(pointer: string): Draft | undefined;
}

/** Limits the work for one document. */
export class StepBudget {
  #left: number;

  constructor(stepsMax: number) {
    this.#left = stepsMax;
  }

  spend(steps: number): void {
    this.#left -= steps;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

export interface ValidationScene {
  readonly budget: StepBudget;
  readonly meta?: MetaScene;
}

/** The mistakes; empty if the budget is spent, which the caller must check. */
export function validate(
  schema: CompiledSchema,
  value: JsonValue,
  scene: ValidationScene,
): readonly SchemaError[] {
  const isMeta = scene.meta !== undefined;
  const scope = outermost(schema);
  const start = { value, path: [], scope, meta: isMeta ? schema : undefined, isSilent: false };
  const validation = new Validator(schema, start, scene, new Unevaluated(value, schema, false));
  const error = validation.run();
  if (error === undefined || scene.budget.isSpent) return [];
  return error.kind === "group" ? error.causes : [error];
}

function outermost(schema: CompiledSchema): Scope {
  return { schema, keyword: "", value: 0, depth: 0, parent: undefined };
}

/** How validation arrived at a schema. */
interface Scope {
  readonly schema: CompiledSchema;
  /** Keyword of the reference that was followed. */
  readonly keyword: string;
  /** Depth of the value being validated. */
  readonly value: number;
  /** Depth of schemas and values together. */
  readonly depth: number;
  readonly parent: Scope | undefined;
}

interface At {
  readonly value: JsonValue;
  readonly path: readonly string[];
  readonly scope: Scope;
  /** The draft's own schema, if a schema is being validated. */
  readonly meta: CompiledSchema | undefined;
  /** True if it only matters whether there is a mistake. */
  readonly isSilent: boolean;
}

const depthMax = 1000;

/** Validates one value against one schema. */
class Validator implements Validation {
  readonly schema: CompiledSchema;
  readonly at: At;
  readonly unevaluated: Unevaluated;
  readonly errors: SchemaError[] = [];
  readonly #scene: ValidationScene;

  constructor(schema: CompiledSchema, at: At, scene: ValidationScene, unevaluated: Unevaluated) {
    this.schema = schema;
    this.at = at;
    this.unevaluated = unevaluated;
    this.#scene = scene;
  }

  get isDecided(): boolean {
    return this.isSpent || (this.at.isSilent && this.errors.length > 0);
  }

  get isSpent(): boolean {
    return this.#scene.budget.isSpent;
  }

  spend(steps: number): void {
    this.#scene.budget.spend(steps);
  }

  run(): SchemaError | undefined {
    const { schema } = this;
    this.spend(1);
    if (this.isSpent || schema.always === true) return undefined;
    if (schema.always === false) return this.mistake("", "false schema");
    const cycle = this.#cycle();
    if (cycle !== undefined) return cycle;
    const first = this.#firstMistake();
    if (first !== undefined) return first;
    if (schema.ref !== undefined) {
      const error = this.#reference(schema.ref, "$ref");
      if (schema.version < 2019) return error;
      this.add(error);
    }
    this.#validateKind();
    if (!this.isDecided) {
      if (schema.version >= 2019) this.#newerReferences();
      this.#conditions();
      if (schema.version >= 2019) this.#unevaluatedParts();
    }
    const [error] = this.errors;
    if (this.errors.length < 2) return error;
    return this.mistake("", "validation failed", { kind: "group", causes: this.errors });
  }

  /** A mistake that ends the validation of the value. */
  #firstMistake(): SchemaError | undefined {
    const { schema } = this;
    const { value } = this.at;
    const type = typeOf(value);
    if (schema.types !== undefined && !isOfType(value, type, schema.types)) {
      const message = `got ${type}, want ${schema.types.join(" or ")}`;
      return this.mistake("type", message);
    }
    if (schema.const !== undefined && !this.#isSame(value, schema.const.value)) {
      const { value: wanted } = schema.const;
      const isShown = !isJsonList(wanted) && !isJsonMap(wanted);
      return this.mistake(
        "const",
        isShown ? `value must be ${shownValue(wanted)}` : "'const' failed",
      );
    }
    if (schema.enum !== undefined && !schema.enum.some((item) => this.#isSame(value, item)))
      return this.mistake("enum", enumMessage(schema.enum));
    if (schema.format === undefined || typeof value !== "string") return undefined;
    this.spend(1 + value.length / 10);
    const complaint = schema.format.complaint(value);
    if (complaint === undefined) return undefined;
    const message = `${quoted(value)} is not valid ${schema.format.name}: ${complaint}`;
    return this.mistake("format", message);
  }

  #isSame(a: JsonValue, b: JsonValue): boolean {
    if (typeOf(a) !== typeOf(b)) return false;
    this.spend(sizeOf(b));
    return canonicalText(a) === canonicalText(b);
  }

  #validateKind(): void {
    const { value } = this.at;
    if (isJsonMap(value)) validateMap(this, value);
    else if (isJsonList(value)) validateList(this, value);
    else if (typeof value === "string") validateText(this, value);
    else if (numberText(value) !== undefined) validateNumber(this, value);
  }

  #conditions(): void {
    const { allOf = [], anyOf = [], not, condition, whenMet, otherwise } = this.schema;
    if (not !== undefined && this.same(not, true) === undefined)
      this.add(this.mistake("not", "'not' failed"));
    const ofAll = allOf.flatMap((one) => (this.isSpent ? [] : (this.same(one) ?? [])));
    if (ofAll.length > 0)
      this.add(this.mistake("allOf", "'allOf' failed", { kind: "all", causes: ofAll }));
    if (anyOf.length > 0) this.#anyOf(anyOf);
    this.#oneOf();
    if (condition === undefined) return;
    const next = this.same(condition, true) === undefined ? whenMet : otherwise;
    if (next !== undefined) this.add(this.same(next));
  }

  #anyOf(schemas: readonly CompiledSchema[]): void {
    const errors: SchemaError[] = [];
    let isMet = false;
    for (const schema of schemas) {
      const error = this.same(schema);
      if (error !== undefined) errors.push(error);
      else isMet = true;
      // Other alternatives that match may evaluate further parts of the value.
      if (isMet && this.unevaluated.isNothing) break;
    }
    if (!isMet) this.add(this.mistake("anyOf", "'anyOf' failed", { causes: errors }));
  }

  #oneOf(): void {
    const { oneOf = [] } = this.schema;
    if (oneOf.length === 0) return;
    const causes: SchemaError[] = [];
    let met = -1;
    for (const [index, schema] of oneOf.entries()) {
      const error = this.same(schema, met >= 0);
      if (error !== undefined) causes.push(error);
      else if (met < 0) met = index;
      else {
        this.add(this.mistake("oneOf", `'oneOf' failed, subschemas ${met}, ${index} matched`));
        return;
      }
    }
    if (met < 0) this.add(this.mistake("oneOf", "'oneOf' failed, none matched", { causes }));
  }

  #unevaluatedParts(): void {
    const { unevaluatedProperties, unevaluatedItems } = this.schema;
    const { value } = this.at;
    if (isJsonMap(value) && unevaluatedProperties !== undefined) {
      for (const name of this.unevaluated.names())
        this.add(this.part(unevaluatedProperties, value.get(name) ?? null, name));
      this.unevaluated.clear();
    }
    if (isJsonList(value) && unevaluatedItems !== undefined) {
      for (const index of this.unevaluated.indexes())
        this.add(this.part(unevaluatedItems, value[index] ?? null, String(index)));
      this.unevaluated.clear();
    }
  }

  #newerReferences(): void {
    const { recursiveRef, dynamicRef, dynamicRefAnchor = "" } = this.schema;
    if (recursiveRef !== undefined) {
      const outermost = recursiveRef.isRecursiveAnchor === true && this.#outermostRecursive();
      this.add(this.#reference(outermost || recursiveRef, "$recursiveRef"));
    }
    if (dynamicRef === undefined) return;
    const isDynamic = dynamicRefAnchor !== "" && dynamicRef.dynamicAnchor === dynamicRefAnchor;
    const outermost = isDynamic ? this.#outermostNamed(dynamicRefAnchor) : undefined;
    this.add(this.#reference(outermost ?? dynamicRef, "$dynamicRef"));
  }

  #outermostRecursive(): CompiledSchema | false {
    let found: CompiledSchema | false = false;
    for (const { schema } of scopesOf(this.at.scope))
      if (schema.resource.isRecursiveAnchor === true) found = schema;
    return found;
  }

  #outermostNamed(anchor: string): CompiledSchema | undefined {
    let found: CompiledSchema | undefined;
    for (const { schema } of scopesOf(this.at.scope))
      found = schema.resource.dynamicAnchors.get(anchor) ?? found;
    return found;
  }

  same(
    schema: CompiledSchema,
    isSilent: boolean = false,
    keyword: string = "",
  ): SchemaError | undefined {
    const { value, path, scope, meta } = this.at;
    const unevaluated = new Unevaluated(value, schema, !this.unevaluated.isNothing);
    const depth = scope.depth + 1;
    const inner = { schema, keyword, value: scope.value, depth, parent: scope };
    const at = { value, path, scope: inner, meta, isSilent: isSilent || this.at.isSilent };
    const error = this.#inner(schema, at, unevaluated);
    if (error === undefined) this.unevaluated.keepOnly(unevaluated);
    return error;
  }

  part(schema: CompiledSchema, value: JsonValue, segment: string): SchemaError | undefined {
    const { path, scope, meta, isSilent } = this.at;
    const depth = scope.depth + 1;
    const inner = { schema, keyword: "", value: scope.value + 1, depth, parent: scope };
    const at = { value, path: [...path, segment], scope: inner, meta, isSilent };
    return this.#inner(schema, at, new Unevaluated(value, schema, false));
  }

  apart(schema: CompiledSchema, value: JsonValue): readonly SchemaError[] {
    const meta = this.at.meta;
    const scope = outermost(schema);
    const at = { value, path: [], scope, meta, isSilent: this.at.isSilent };
    const error = this.#inner(schema, at, new Unevaluated(value, schema, false));
    if (error === undefined) return [];
    return error.kind === "group" ? error.causes : [error];
  }

  #inner(schema: CompiledSchema, at: At, unevaluated: Unevaluated): SchemaError | undefined {
    if (at.scope.depth > depthMax) this.spend(Number.POSITIVE_INFINITY);
    if (schema !== at.meta) return new Validator(schema, at, this.#scene, unevaluated).run();
    const draft = this.#scene.meta?.draftAt(pointerTo("", ...at.path));
    const own = (draft && this.#scene.meta?.schemaOf(draft)) ?? schema;
    return new Validator(own, { ...at, meta: own }, this.#scene, unevaluated).run();
  }

  #reference(schema: CompiledSchema, keyword: string): SchemaError | undefined {
    const error = this.same(schema, false, keyword);
    if (error === undefined) return undefined;
    const causes = error.kind === "group" ? error.causes : [error];
    return this.mistake(keyword, "validation failed", { kind: "reference", causes });
  }

  /** Reports a schema that is reached again without descending into the value. */
  #cycle(): SchemaError | undefined {
    const { scope } = this.at;
    for (let at = scope.parent; at !== undefined && at.value === scope.value; at = at.parent) {
      if (at.schema !== scope.schema) continue;
      const url = goQuote(`${this.schema.url}#${escapedFragment(this.schema.pointer)}`);
      const both = `both ${keywordsTo(scope)} and ${keywordsTo(at)}`;
      return this.mistake("$ref", `${both} resolve to ${url} causing reference cycle`);
    }
    return undefined;
  }

  add(error: SchemaError | undefined): void {
    if (error !== undefined) this.errors.push(error);
  }

  mistake(
    keyword: string,
    message: string,
    more: Partial<Omit<SchemaError, "path" | "message">> = {},
  ): SchemaError {
    if (this.at.isSilent) return silent;
    const pointer = keyword === "" ? this.schema.pointer : pointerTo(this.schema.pointer, keyword);
    const { path, value } = this.at;
    const isNothing = saysNothing(value) && more.causes === undefined;
    return {
      ...{ path, message, causes: [], kind: "mistake", keyword: pointer },
      ...(isNothing && { isMissing: true }),
      ...more,
    };
  }
}

const silent: SchemaError = { path: [], message: "", causes: [], keyword: "", kind: "mistake" };

function* scopesOf(scope: Scope): Generator<Scope> {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) yield at;
}

/** The path of keywords from one schema to the next. */
function keywordsTo(scope: Scope): string {
  let way = "";
  for (const { schema, keyword, parent } of scopesOf(scope)) {
    if (parent === undefined) break;
    const step = schema.pointer.slice(parent.schema.pointer.length);
    way = (keyword === "" ? escapedFragment(step) : `/${keyword}`) + way;
  }
  return way;
}

function enumMessage(values: readonly JsonValue[]): string {
  if (values.some((value) => isJsonList(value) || isJsonMap(value))) return "'enum' failed";
  const shown = values.map(shownValue);
  return shown.length === 1
    ? `value must be ${shown[0]}`
    : `value must be one of ${shown.join(", ")}`;
}

function typeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (isJsonList(value)) return "array";
  if (isJsonMap(value)) return "object";
  if (typeof value === "boolean" || typeof value === "string") return typeof value as JsonType;
  return "number";
}

function isOfType(value: JsonValue, type: JsonType, types: readonly JsonType[]): boolean {
  if (types.includes(type)) return true;
  const exact = type === "number" && types.includes("integer") ? exactNumber(value) : undefined;
  return exact !== undefined && isWhole(exact);
}

/** True for placeholders in a values file that are meant to be filled in. */
function saysNothing(value: JsonValue): boolean {
  if (isJsonList(value)) return value.length === 0;
  if (isJsonMap(value)) return value.size === 0;
  return value === null || value === "";
}
