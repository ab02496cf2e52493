/**
 * Reads a values file: one or more documents, merged in order. Upstream: pkg/chart/v2/loader/load.go LoadValues, MergeMaps;
 * documents are separated as by apimachinery's YAMLReader.
 */
import { isRecord, type Json } from "../../../engine/api/json.ts";
import { underline } from "../../yaml/locate.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import { type GoMap, isGoMap } from "../go-template/values.ts";
import { type ChartFile, type ChartProblem, mostPressing } from "./chart.ts";
import { goMapOf } from "./go-value-of.ts";
import { readYamlText } from "./yaml-text.ts";

export interface ReadValues {
  /** Must not be changed, because it is cached for the file. */
  readonly values: GoMap;
  readonly documents: readonly ValuesDocument[];
  readonly problems: readonly ChartProblem[];
}

export interface ValuesDocument {
  /** Offset in the file. */
  readonly start: number;
  readonly yaml: YamlDocument;
}

export function readValues(file: ChartFile): ReadValues {
  let known = read.get(file);
  if (known === undefined) {
    known = readAnew(file);
    read.set(file, known);
  }
  return known;
}

// An edit changes one file of a chart and none of its subcharts.
const read = new WeakMap<ChartFile, ReadValues>();

const documentCountMax = 1000;

function readAnew(file: ChartFile): ReadValues {
  const documents = partsOf(file.text).map((start, index, starts) => ({
    start,
    yaml: readYamlText(file.text.slice(start, starts[index + 1])),
  }));
  const problems: ChartProblem[] = [];
  let values: GoMap = new Map();
  for (const { start, yaml } of documents) {
    problems.push(...mostPressing(problemsOf(yaml, start, file.uri)));
    if (isRecord(yaml.value))
      values = mergeMaps(values, goMapOf(yaml.value as { readonly [key: string]: Json }));
  }
  return { values, documents, problems: mostPressing(problems) };
}

/** Starts of the documents. To YAML a separator line is a comment, so it may stay with the document after it. */
function partsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n---"); at >= 0; at = text.indexOf("\n---", at + 4)) {
    const end = text.indexOf("\n", at + 4);
    const rest = text.slice(at + 4, end < 0 ? text.length : end).trim();
    if ((rest === "" || rest.startsWith("#")) && starts.length < documentCountMax)
      starts.push(at + 1);
  }
  return starts;
}

function problemsOf(yaml: YamlDocument, start: number, uri: string): readonly ChartProblem[] {
  const told: ChartProblem[] = yaml.problems.map((problem) => ({
    code: problem.code === "yaml-limit" ? "limit" : "values",
    uri,
    start: start + problem.start,
    end: start + problem.end,
    message: problem.message.replace("kubectl", "Helm"),
    severity: problem.code === "yaml-duplicate-key" ? "warning" : "error",
  }));
  const { value } = yaml;
  if (value === undefined || value === null || isRecord(value)) return told;
  const at = start + underline(yaml, []).start;
  const found = Array.isArray(value) ? "array" : typeof value;
  const message = `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  // A tag without a value is an empty text.
  const end = Math.min(at + 1, start + yaml.text.length);
  return [...told, { code: "values", uri, start: at, end, message, severity: "error" }];
}

/** Returns a new map; values of the second win, and maps in both are merged. */
export function mergeMaps(a: GoMap, b: GoMap): GoMap {
  const merged = new Map(a);
  for (const [key, value] of b) {
    const before = merged.get(key);
    merged.set(key, isGoMap(value) && isGoMap(before) ? mergeMaps(before, value) : value);
  }
  return merged;
}
