/** Checks a value against a shape. */
import { nearestName } from "../nearest-name.ts";
import { isRecord } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { durationMs } from "./duration.ts";
import { type MappingShape, type Shape, strangersTo } from "./shape.ts";

export interface ShapeProblem {
  readonly path: Path;
  /** The problem is the key, not its value. */
  readonly isOfKey?: boolean;
  readonly message: string;
  readonly meant?: string | undefined;
}

/** All problems of a value, outermost first; empty if it has the shape. */
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

/** Longer lists are not spelled out in messages; completion offers them. */
const listedCountMax = 20;

function textProblems(
  value: unknown,
  { oneOf, alsoOneOf = [], pattern, meantBy }: Extract<Shape, { readonly type: "text" }>,
  path: Path,
): readonly ShapeProblem[] {
  if (typeof value !== "string" && typeof value !== "number") return isNot("text", path);
  if (pattern?.expression.test(String(value)) === false)
    return isNot(pattern.wanted, path, meantBy?.(String(value)));
  if (oneOf === undefined || [...oneOf, ...alsoOneOf].includes(String(value))) return [];
  const meant = meantBy?.(String(value)) ?? nearestName(String(value), oneOf);
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
    return [{ path, message: `A step has one key, which must be one of ${known.join(", ")}` }];
  const problems: ShapeProblem[] = [];
  for (const key of keys) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const at = [...path, key];
    if (field !== undefined) problems.push(...problemsOf(value[key], field.shape, at));
    else problems.push(unknownKey(key, known, at));
  }
  for (const [key, field] of Object.entries(fields)) {
    if (field.isRequired === true && value[key] === undefined)
      problems.push({ path, message: `“${key}” is missing` });
  }
  if (oneKeyOf !== undefined) problems.push(...companyProblems(keys, oneKeyOf, path));
  if (someKeyOf?.some((key) => keys.includes(key)) === false)
    problems.push({ path, message: `${someKeyOf.join(" or ")} is needed` });
  return problems;
}

function companyProblems(
  keys: readonly string[],
  oneKeyOf: NonNullable<MappingShape["oneKeyOf"]>,
  path: Path,
): readonly ShapeProblem[] {
  const [key, ...others] = Object.keys(oneKeyOf).filter((one) => keys.includes(one));
  if (key === undefined || others.length > 0) {
    const all = Object.keys(oneKeyOf).join(", ");
    return [{ path, message: `One of ${all} is needed, and only one` }];
  }
  const missing = (oneKeyOf[key]?.needs ?? [])
    .filter((need) => !keys.includes(need))
    .map((need) => ({ path, message: `“${need}” is missing beside “${key}”` }));
  const strange = strangersTo(key, oneKeyOf)
    .filter((other) => keys.includes(other))
    .map((other) => ({
      path: [...path, other],
      isOfKey: true,
      message: `“${other}” says nothing beside “${key}”`,
    }));
  return [...missing, ...strange];
}

function unknownKey(key: string, known: readonly string[], path: Path): ShapeProblem {
  const meant = nearestName(key, known);
  const choice = meant === undefined ? `; known are ${known.join(", ")}` : "";
  return { path, isOfKey: true, message: `Unknown key “${key}”${choice}`, meant };
}

function isNot(wanted: string, path: Path, meant?: string): readonly ShapeProblem[] {
  const name = path.findLast((segment) => typeof segment === "string") ?? "The file";
  const what = typeof path.at(-1) === "number" ? `An entry of “${name}”` : `“${name}”`;
  return [{ path, message: `${path.length === 0 ? "A scenario" : what} must be ${wanted}`, meant }];
}
