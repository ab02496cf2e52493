/**
 * Reports values that do not match their chart's schema, each mistake where the value is written. Upstream:
 * pkg/chart/common/util/values.go ToRenderValues, jsonschema.go ValidateAgainstSchema.
 */
import { underline } from "../../yaml/locate.ts";
import { type GoMap, type GoValue, isGoList, isGoMap, wholeNumber } from "../go-template/values.ts";
import { segmentsOf } from "../schema/drafts.ts";
import { type SchemaError, shownError } from "../schema/schema-error.ts";
import { SchemaFailure } from "../schema/schema-root.ts";
import { valuesErrors } from "../schema/values-schema.ts";
import { type ChartFile, type ChartProblem, type Place, problemCountMax } from "./chart.ts";
import type { ReleaseChart } from "./release-charts.ts";
import type { United } from "./unite-values.ts";
import { type FilePlace, type Given, isSetByLine, placesOfValue } from "./value-places.ts";
import { readYamlText } from "./yaml-text.ts";

export function schemaProblems({ root, values }: United, given: Given): readonly ChartProblem[] {
  return problemsOf([root], values, given);
}

function problemsOf(
  charts: readonly ReleaseChart[],
  values: GoMap,
  given: Given,
): readonly ChartProblem[] {
  const own = charts.at(-1);
  const file = own?.chart.schemaFile;
  if (own === undefined) return [];
  const ofSubcharts = own.subcharts.flatMap((subchart) => {
    const below = values.get(subchart.name);
    return isGoMap(below) ? problemsOf([...charts, subchart], below, given) : [];
  });
  if (file === undefined) return ofSubcharts;
  const found = valuesErrors(file, withPlainNumbers(values));
  if (found instanceof SchemaFailure) return [...failureProblems(own, file, found), ...ofSubcharts];
  const inSchema = { charts, values, file, given };
  return [
    ...found
      .flatMap(mistakesOf)
      .slice(0, problemCountMax)
      .map((error) => problemOf(error, inSchema)),
    ...ofSubcharts,
  ];
}

/** Converts numbers to the type that schemas use; returns the same map if none changes. */
function withPlainNumbers(values: GoMap): GoMap {
  let now = values;
  for (const [key, value] of values) {
    const plain = plainNumbers(value);
    if (plain === value) continue;
    if (now === values) now = new Map(values);
    now.set(key, plain);
  }
  return now;
}

function plainNumbers(value: GoValue): GoValue {
  if (isGoMap(value)) return withPlainNumbers(value);
  if (!isGoList(value)) return wholeNumber(value) ?? value;
  const items = value.map(plainNumbers);
  return items.some((item, index) => item !== value[index]) ? items : value;
}

const messageMax = 2000;

const head = "values don't meet the specifications of the schema(s) in the following chart(s)";

function failureProblems(
  { name }: ReleaseChart,
  file: ChartFile,
  { cause, message, pointer }: SchemaFailure,
): readonly ChartProblem[] {
  if (cause === "elsewhere") return [];
  const place = placeInSchema(file, pointer);
  return cause === "limit"
    ? [{ code: "limit", severity: "warning", message, ...place }]
    : [{ code: "chart", severity: "error", message: `${head}: ${name}: ${message}`, ...place }];
}

interface InSchema {
  readonly charts: readonly ReleaseChart[];
  readonly values: GoMap;
  readonly file: ChartFile;
  readonly given: Given;
}

function problemOf(error: SchemaError, inSchema: InSchema): ChartProblem {
  const whole = shownError(error).replace("- ", "");
  const shown = whole.length > messageMax ? `${whole.slice(0, messageMax)}…` : whole;
  const leaves = leavesOf(error);
  const [first = error] = leaves;
  const problem: ChartProblem = {
    code: "schema",
    severity: "error",
    message: `${head}: ${inSchema.charts.at(-1)?.name}: ${shown}`,
    ...(placeInValues(leaves, inSchema) ?? placeInSchema(inSchema.file, first.keyword)),
  };
  const isMissing = leaves.every((leaf) => leaf.isMissing === true);
  return isMissing ? { ...problem, lacks: "value" } : problem;
}

/** The mistakes that have to be fixed separately. */
function mistakesOf(error: SchemaError): readonly SchemaError[] {
  return error.kind === "mistake" ? [error] : error.causes.flatMap(mistakesOf);
}

/** The errors that have no causes of their own. */
function leavesOf(error: SchemaError): readonly SchemaError[] {
  if (error.causes.length === 0 || error.properties !== undefined) return [error];
  return error.causes.flatMap(leavesOf);
}

/** Where the value or its nearest parent is written; undefined if no file contains either. */
function placeInValues(
  leaves: readonly SchemaError[],
  { charts, values, given }: InSchema,
): Place | undefined {
  const path = commonPath(leaves);
  if (isSetByLine(charts, path, given)) return undefined;
  for (let length = path.length; length > 0; length--) {
    const { typed, isScalar } = walked(values, path.slice(0, length));
    const [found] = placesOfValue(charts, typed, given);
    const isRefused = leaves.some(({ properties }) => properties !== undefined);
    if (found !== undefined) return placeOf(found, isRefused || !isScalar);
  }
  for (let depth = charts.length - 1; depth > 0; depth--) {
    const [found] = placesOfValue(charts.slice(0, depth), [charts[depth]?.name ?? ""], given);
    if (found !== undefined) return placeOf(found, true);
  }
  return undefined;
}

/** The innermost path that contains all of them. */
function commonPath(leaves: readonly SchemaError[]): readonly string[] {
  const paths = leaves.map(({ path, properties = [] }) => [...path, ...properties.slice(0, 1)]);
  const [first = []] = paths;
  const end = first.findIndex((segment, index) => paths.some((one) => one[index] !== segment));
  return end < 0 ? first : first.slice(0, end);
}

/** The path with numbers for list items. */
function walked(
  values: GoMap,
  path: readonly string[],
): { readonly typed: readonly (string | number)[]; readonly isScalar: boolean } {
  const typed: (string | number)[] = [];
  let value: GoValue | undefined = values;
  for (const segment of path) {
    typed.push(isGoList(value) ? Number(segment) : segment);
    if (isGoMap(value)) value = value.get(segment);
    else value = isGoList(value) ? value[Number(segment)] : undefined;
  }
  return { typed, isScalar: !isGoMap(value) && !isGoList(value) };
}

/** Values that may span several lines are located at their key. */
function placeOf({ uri, start, end, key }: FilePlace, isAtKey: boolean): Place {
  return isAtKey && key !== undefined ? { uri, ...key } : { uri, start, end };
}

function placeInSchema({ uri, text }: ChartFile, pointer: string): Place {
  return { uri, ...underline(readYamlText(text), segmentsOf(pointer)) };
}
