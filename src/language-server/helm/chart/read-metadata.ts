/**
 * Reads Chart.yaml, with the dependencies that a chart of v1 has in requirements.yaml, and reports what Helm refuses in them.
 * Upstream: pkg/chart/v2/loader/load.go LoadFiles, metadata.go and dependency.go Validate, pkg/cmd/helpers.go. Not modeled:
 * unprintable characters that Helm drops.
 */
import { isRecord, type Json } from "../../../engine/api/json.ts";
import { underline } from "../../yaml/locate.ts";
import type { Path } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import {
  type ChartFile,
  type ChartMetadata,
  type ChartProblem,
  type Dependency,
  type ImportedValues,
  mostPressing,
} from "./chart.ts";
import { fieldOf, type JsonRecord, textMapOf, textOf, textsOf } from "./typed-fields.ts";
import { isVersion } from "./version-range.ts";
import { readYamlText } from "./yaml-text.ts";

export interface ReadMetadata {
  readonly metadata: ChartMetadata;
  readonly problems: readonly ChartProblem[];
}

/** Without a Chart.yaml, everything is located at the start of `standIn`. */
export function readMetadata(
  chartFile: ChartFile | undefined,
  requirementsFile: ChartFile | undefined,
  standIn: string,
): ReadMetadata {
  const chart = readFields(chartFile, "Chart.yaml", standIn);
  const requirements = readFields(requirementsFile, "requirements.yaml", standIn);
  const listed = [requirements, chart].find(({ fields }) =>
    isList(fieldOf(fields, "dependencies")),
  );
  const { fields } = chart;
  const metadata: ChartMetadata = {
    apiVersion: textOf(fieldOf(fields, "apiVersion")) || "v1",
    name: textOf(fieldOf(fields, "name")) ?? "",
    version: textOf(fieldOf(fields, "version")) ?? "",
    type: textOf(fieldOf(fields, "type")) ?? "",
    kubeVersion: textOf(fieldOf(fields, "kubeVersion")) ?? "",
    dependencies: listed === undefined ? undefined : dependenciesIn(listed),
    others: othersIn(fields),
    placeOf: (key) => chart.placeOf([key]),
  };
  const problems = [...chart.problems, ...requirements.problems];
  // What is read from a broken file is not what was meant.
  const isBroken = problems.some(({ severity }) => severity === "error");
  if (!isBroken) problems.push(...refused(metadata, chart, chartFile !== undefined));
  return { metadata, problems };
}

interface Fields {
  readonly fields: JsonRecord;
  readonly problems: readonly ChartProblem[];
  placeOf(path: Path): { readonly uri: string; readonly start: number; readonly end: number };
}

function readFields(file: ChartFile | undefined, name: string, standIn: string): Fields {
  if (file === undefined)
    return { fields: {}, problems: [], placeOf: () => ({ uri: standIn, start: 0, end: 0 }) };
  const { uri } = file;
  const yaml = readYamlText(file.text);
  const ofYaml = yaml.problems.map(
    ({ start, end, message, code }): ChartProblem => ({
      code: "chart",
      uri,
      start,
      end,
      message: `cannot load ${name}: ${message.replace("kubectl", "Helm")}`,
      severity: code === "yaml-duplicate-key" ? "warning" : "error",
    }),
  );
  const problems = [...mostPressing(ofYaml)];
  const placeOf = (path: Path) => ({ uri, ...underline(yaml, path) });
  const fields = isRecord(yaml.value) ? (yaml.value as JsonRecord) : {};
  problems.push(...wrongTypes(fields, name, placeOf), ...noMap(yaml, name, placeOf));
  return { fields, problems, placeOf };
}

function noMap(yaml: YamlDocument, name: string, placeOf: Fields["placeOf"]): ChartProblem[] {
  const { value } = yaml;
  if (value === undefined || value === null || isRecord(value)) return [];
  const message = `json: cannot unmarshal ${typeName(value)} into Go value of type chart.Metadata`;
  return [problemAt(placeOf([]), `cannot load ${name}: ${message}`)];
}

const textFields: readonly string[] = [
  ...["apiVersion", "name", "version", "type", "kubeVersion", "appVersion", "description"],
  ...["home", "icon", "condition", "tags"],
];

/** With their Go types. */
const otherFields: readonly (readonly [name: string, type: string])[] = [
  ["dependencies", "[]*v2.Dependency"],
  ["maintainers", "[]*v2.Maintainer"],
  ["keywords", "[]string"],
  ["sources", "[]string"],
  ["annotations", "map[string]string"],
];

function wrongTypes(fields: JsonRecord, name: string, placeOf: Fields["placeOf"]): ChartProblem[] {
  const told = (key: string, type: string): ChartProblem => {
    const found = typeName(fieldOf(fields, key));
    const message = `json: cannot unmarshal ${found} into Go struct field Metadata.${key} of type ${type}`;
    return problemAt(placeOf([key]), `cannot load ${name}: ${message}`);
  };
  const texts = textFields.filter((key) => textOf(fieldOf(fields, key)) === undefined);
  const others = otherFields.filter(([key, type]) => {
    const value = fieldOf(fields, key);
    if (value === undefined) return false;
    return type.startsWith("[]") ? !isList(value) : !isRecord(value);
  });
  return [
    ...texts.map((key) => told(key, "string")),
    ...others.map(([key, type]) => told(key, type)),
  ];
}

/** As encoding/json names it. */
function typeName(value: Json | undefined): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function dependenciesIn({ fields, placeOf }: Fields): readonly Dependency[] {
  const items = fieldOf(fields, "dependencies") as readonly Json[];
  return items.flatMap((item, index) => {
    if (!isRecord(item)) return [];
    const fieldsOfItem = item as JsonRecord;
    const text = (key: string): string => textOf(fieldOf(fieldsOfItem, key)) ?? "";
    return [
      {
        name: text("name"),
        version: text("version"),
        repository: text("repository"),
        condition: text("condition"),
        tags: textsOf(fieldOf(fieldsOfItem, "tags")),
        alias: text("alias"),
        importValues: importsOf(fieldOf(fieldsOfItem, "import-values")),
        place: placeOf(["dependencies", index, "name"]),
      },
    ];
  });
}

function importsOf(value: Json | undefined): readonly ImportedValues[] {
  if (!isList(value)) return [];
  return value.flatMap((item) => {
    if (typeof item === "string") return [{ child: `exports.${item}`, parent: "." }];
    if (!isRecord(item)) return [];
    const { child, parent } = item as JsonRecord;
    return [{ child: printed(child), parent: printed(parent) }];
  });
}

/** Formats as Go's %v. */
function printed(value: Json | undefined): string {
  return value === undefined || value === null ? "<nil>" : (textOf(value) ?? "");
}

function othersIn(fields: JsonRecord): ReadonlyMap<string, Json> {
  const text = (key: string): Json => textOf(fieldOf(fields, key)) ?? "";
  const maintainers = fieldOf(fields, "maintainers");
  return new Map<string, Json>([
    ["AppVersion", text("appVersion")],
    ["Description", text("description")],
    ["Home", text("home")],
    ["Icon", text("icon")],
    ["Condition", text("condition")],
    ["Tags", text("tags")],
    ["Sources", textsOf(fieldOf(fields, "sources"))],
    ["Keywords", textsOf(fieldOf(fields, "keywords"))],
    ["Deprecated", fieldOf(fields, "deprecated") === true],
    ["Annotations", Object.fromEntries(textMapOf(fieldOf(fields, "annotations")))],
    ["Maintainers", isList(maintainers) ? maintainers.flatMap(maintainerOf) : []],
  ]);
}

function maintainerOf(item: Json): readonly Json[] {
  if (!isRecord(item)) return [];
  const text = (key: string): string => textOf(fieldOf(item as JsonRecord, key)) ?? "";
  return [{ Name: text("name"), Email: text("email"), URL: text("url") }];
}

/** Helm only checks the API version of the outermost chart. Upstream: pkg/chart/loader/load.go. */
export function refusedApiVersion({ apiVersion, placeOf }: ChartMetadata): ChartProblem[] {
  if (apiVersion === "v1" || apiVersion === "v2") return [];
  const message = apiVersion === "v3" ? "unsupported chart version" : "invalid chart apiVersion";
  return [problemAt(placeOf("apiVersion"), message)];
}

/** The first complaint that Helm would find. */
function refused(metadata: ChartMetadata, chart: Fields, isThere: boolean): ChartProblem[] {
  const at = (path: Path, message: string): ChartProblem[] => [
    problemAt(chart.placeOf(path), message),
  ];
  const { name, version, type } = metadata;
  if (!isThere) return at([], "Chart.yaml file is missing");
  if (name === "") return at(["name"], "validation: chart.metadata.name is required");
  if (name.includes("/") || name === "." || name === "..")
    return at(["name"], `validation: chart.metadata.name "${name}" is invalid`);
  if (version === "") return at(["version"], "validation: chart.metadata.version is required");
  if (!isVersion(version))
    return at(["version"], `validation: chart.metadata.version "${version}" is invalid`);
  if (type !== "" && type !== "application" && type !== "library")
    return at(["type"], "validation: chart.metadata.type must be application or library");
  return refusedDependency(metadata.dependencies ?? []);
}

function refusedDependency(dependencies: readonly Dependency[]): ChartProblem[] {
  const names = new Set<string>();
  for (const { name, alias, place } of dependencies) {
    if (alias !== "" && !/^[a-zA-Z0-9_-]+$/.test(alias)) {
      const message = `validation: dependency "${name}" has disallowed characters in the alias`;
      return [problemAt(place, message)];
    }
    const key = alias || name;
    if (names.has(key)) {
      const message = `validation: more than one dependency with name or alias "${key}"`;
      return [problemAt(place, message)];
    }
    names.add(key);
  }
  return [];
}

function problemAt(place: ReturnType<Fields["placeOf"]>, message: string): ChartProblem {
  return { code: "chart", severity: "error", message, ...place };
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
