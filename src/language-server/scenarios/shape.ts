/**
 * What a value of a scenario file may be. One table says it, to the reader, to completion and to the JSON schema. What
 * completion and hover say of kustomizations is such a table as well.
 */
import { nearestName } from "../nearest-name.ts";
import { isRecord } from "../yaml/manifest.ts";

type Path = readonly (string | number)[];

export type Shape =
  /** Numbers, too, are read as the text they stand for: a volume may be called 7. */
  | {
      readonly type: "text";
      readonly oneOf?: readonly string[];
      /** Other spellings of the same, which nobody is offered. */
      readonly alsoOneOf?: readonly string[];
      /** What somebody has meant by a text that is none of them, where that is not the nearest. */
      readonly meantBy?: (given: string) => string | undefined;
    }
  | { readonly type: "whole number" }
  | { readonly type: "boolean" }
  | { readonly type: "duration" }
  | { readonly type: "anything" }
  | { readonly type: "list"; readonly of: Shape }
  | MappingShape
  /** Of one of two types. */
  | { readonly type: "list or text"; readonly of: Shape };

export interface MappingShape {
  readonly type: "mapping";
  readonly fields: Readonly<Record<string, Field>>;
  /** A step is the one key that it has. */
  readonly hasOneKey?: boolean;
  /** It has one of these keys, and no other of them. */
  readonly oneKeyOf?: readonly string[];
  /** It has one of these keys at least. */
  readonly someKeyOf?: readonly string[];
}

export interface Field {
  readonly shape: Shape;
  /** For whoever writes the file. */
  readonly about: string;
  readonly isRequired?: boolean;
  /** It still works, and something better has come: it is explained and no longer offered. */
  readonly isOutdated?: boolean;
}

export interface ShapeProblem {
  readonly path: Path;
  /** The key is wrong and not its value. */
  readonly isOfKey?: boolean;
  readonly message: string;
}

/** Everything that is wrong with a value, outermost first; empty where it has the shape. */
export function problemsOf(value: unknown, shape: Shape, path: Path): readonly ShapeProblem[] {
  switch (shape.type) {
    case "text":
      return textProblems(value, shape, path);
    case "whole number":
      return Number.isInteger(value) && Number(value) >= 0 ? [] : isNot("a whole number", path);
    case "boolean":
      return typeof value === "boolean" ? [] : isNot("true or false", path);
    case "duration":
      return durationMs(value) === undefined
        ? isNot("a duration such as 30s, 1m30s or 250ms", path)
        : [];
    case "anything":
      return [];
    case "list or text":
      return typeof value === "string" ? [] : listProblems(value, shape.of, "a list or text", path);
    case "list":
      return listProblems(value, shape.of, "a list", path);
    case "mapping":
      return isRecord(value) ? mappingProblems(value, shape, path) : noMapping(value, shape, path);
  }
}

function noMapping(value: unknown, shape: MappingShape, path: Path): readonly ShapeProblem[] {
  const isBareStep =
    shape.hasOneKey === true && typeof value === "string" && Object.hasOwn(shape.fields, value);
  return isNot(isBareStep ? `a mapping: \`${value}: {}\`` : "a mapping", path);
}

/** "30s", "1m30s", "250ms", or a number of milliseconds; undefined for anything else. */
export function durationMs(value: unknown): number | undefined {
  if (typeof value === "number") return value >= 0 ? value : undefined;
  if (typeof value !== "string" || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(value))
    return undefined;
  let ms = 0;
  for (const [, amount, unit = ""] of value.matchAll(/([\d.]+)(ms|s|m|h)/g))
    ms += Number(amount) * (unitMs[unit] ?? 0);
  return ms;
}

/** As a scenario file has it: `1m30s`. */
export function durationText(ms: number): string {
  let left = Math.round(ms);
  let text = "";
  for (const unit of ["h", "m", "s", "ms"]) {
    const size = unitMs[unit] ?? 1;
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) text += `${amount}${unit}`;
  }
  return text === "" ? "0s" : text;
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Longer lists nobody reads in a message; completion has them. */
const listedCountMax = 20;

function textProblems(
  value: unknown,
  { oneOf, alsoOneOf = [], meantBy }: Extract<Shape, { readonly type: "text" }>,
  path: Path,
): readonly ShapeProblem[] {
  if (typeof value !== "string" && typeof value !== "number") return isNot("text", path);
  if (oneOf === undefined || [...oneOf, ...alsoOneOf].includes(String(value))) return [];
  const meant = didYouMean(meantBy?.(String(value)) ?? nearestName(String(value), oneOf));
  if (oneOf.length <= listedCountMax) return isNot(`one of ${oneOf.join(", ")}`, path, meant);
  return isNot("one that is known here", path, meant);
}

function listProblems(
  value: unknown,
  of: Shape,
  wanted: string,
  path: Path,
): readonly ShapeProblem[] {
  if (!Array.isArray(value)) return isNot(wanted, path);
  return value.flatMap((item, index) => problemsOf(item, of, [...path, index]));
}

function mappingProblems(
  value: Readonly<Record<string, unknown>>,
  { fields, hasOneKey, oneKeyOf, someKeyOf }: MappingShape,
  path: Path,
): readonly ShapeProblem[] {
  const keys = Object.keys(value);
  const known = Object.keys(fields);
  if (hasOneKey === true && keys.length !== 1)
    return [{ path, message: `A step has one key, which is one of ${known.join(", ")}` }];
  const problems: ShapeProblem[] = [];
  for (const key of keys) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const at = [...path, key];
    if (field !== undefined) problems.push(...problemsOf(value[key], field.shape, at));
    else
      problems.push({
        path: at,
        isOfKey: true,
        message: `Unknown key “${key}”${didYouMean(nearestName(key, known)) || `; known are ${known.join(", ")}`}`,
      });
  }
  for (const [key, field] of Object.entries(fields)) {
    if (field.isRequired === true && value[key] === undefined)
      problems.push({ path, message: `“${key}” is missing` });
  }
  if (oneKeyOf !== undefined && oneKeyOf.filter((key) => keys.includes(key)).length !== 1)
    problems.push({ path, message: `One of ${oneKeyOf.join(", ")} is needed, and only one` });
  if (someKeyOf?.some((key) => keys.includes(key)) === false)
    problems.push({ path, message: `${someKeyOf.join(" or ")} is needed` });
  return problems;
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? "" : `; did you mean “${meant}”?`;
}

function isNot(wanted: string, path: Path, more = ""): readonly ShapeProblem[] {
  const name = path.findLast((segment) => typeof segment === "string") ?? "The file";
  const what = typeof path.at(-1) === "number" ? `An entry of “${name}”` : `“${name}”`;
  return [{ path, message: `${path.length === 0 ? "A scenario" : what} is ${wanted}${more}` }];
}

/** As JSON Schema, draft 7. */
export function schemaOf(shape: Shape): Readonly<Record<string, unknown>> {
  switch (shape.type) {
    case "text":
      return shape.oneOf === undefined
        ? { type: ["string", "number"] }
        : { type: "string", enum: [...shape.oneOf, ...(shape.alsoOneOf ?? [])] };
    case "whole number":
      return { type: "integer", minimum: 0 };
    case "boolean":
      return { type: "boolean" };
    case "duration":
      return { type: ["string", "number"], minimum: 0, pattern: "^(\\d+(\\.\\d+)?(ms|s|m|h))+$" };
    case "anything":
      return {};
    case "list or text":
      return { type: ["array", "string"], items: schemaOf(shape.of) };
    case "list":
      return { type: "array", items: schemaOf(shape.of) };
    case "mapping":
      return mappingSchema(shape);
  }
}

function mappingSchema({
  fields,
  hasOneKey,
  oneKeyOf,
  someKeyOf,
}: MappingShape): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.isRequired === true).map(([key]) => key);
  return {
    type: "object",
    additionalProperties: false,
    ...(hasOneKey === true && { minProperties: 1, maxProperties: 1 }),
    ...(required.length > 0 && { required }),
    ...(someKeyOf !== undefined && { anyOf: someKeyOf.map((key) => ({ required: [key] })) }),
    ...(oneKeyOf !== undefined && { oneOf: oneKeyOf.map((key) => ({ required: [key] })) }),
    properties: Object.fromEntries(
      entries.map(([key, { shape, about }]) => [key, { description: about, ...schemaOf(shape) }]),
    ),
  };
}
