/**
 * Charts that a kustomization renders. Upstream: kustomize v5.8 api/types helmchartargs.go, api/internal/builtins
 * HelmChartInflationGenerator.go.
 */
import type { Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What stands in a kustomization, and where. */
interface Given {
  readonly value: unknown;
  readonly path: Path;
}

export interface HelmChartEntry {
  readonly path: Path;
  /** Where it is told what is to be said of it as a whole. */
  readonly at: Path;
  /** The chart's, from the kustomization's. */
  readonly folder: string;
  /** Where the chart is fetched from, if it is not there. */
  readonly repository: string;
  /** "" where there is none. */
  readonly releaseName: string;
  readonly nameTemplate: string;
  readonly namespace: string;
  /** In place of the chart's own. */
  readonly valuesFile: string;
  /** Where in the kustomization that stands; the entry itself where the chart's own values are taken. */
  readonly valuesFilePath: Path;
  readonly additionalValuesFiles: readonly string[];
  readonly inline: InlineValues | undefined;
  readonly includesDefinitions: boolean;
  readonly skipsHooks: boolean;
  readonly skipsTests: boolean;
  readonly kubeVersion: string;
  readonly apiVersions: readonly string[];
  /** Why kustomize does not take it. */
  readonly refusal: string | undefined;
}

export interface InlineValues {
  readonly value: { readonly [key: string]: Json };
  /** In the kustomization. */
  readonly path: Path;
  readonly merge: ValuesMerge;
}

/** Which of two that give a value counts: the one that is written out, or the file's; or the file is not taken at all. */
export type ValuesMerge = "override" | "merge" | "replace";

const merges: readonly string[] = ["merge", "override", "replace"];

/** `globals` says where kustomize looks for charts. */
export function helmChartOf(
  { value, path }: Given,
  globals: unknown,
  at: Path = path,
): HelmChartEntry {
  const fields: Fields = isRecord(value) ? value : {};
  const [name, version, repository] = ["name", "version", "repo"].map((key) => textIn(fields, key));
  const home = textIn(globals, "chartHome") || "charts";
  // What kustomize has fetched it puts into a folder of its own.
  const parent = version !== "" && repository !== "" ? `${home}/${name}-${version}` : home;
  const folder = `${parent}/${name}`;
  const valuesFile = textIn(fields, "valuesFile");
  const merge = textIn(fields, "valuesMerge") || "override";
  return {
    path,
    at,
    folder,
    repository: repository ?? "",
    releaseName: textIn(fields, "releaseName"),
    nameTemplate: textIn(fields, "nameTemplate"),
    namespace: textIn(fields, "namespace") || "default",
    valuesFile: valuesFile || `${folder}/values.yaml`,
    valuesFilePath: valuesFile === "" ? at : [...path, "valuesFile"],
    additionalValuesFiles: textsIn(fields, "additionalValuesFiles"),
    inline: inlineOf(fields["valuesInline"], path, merge as ValuesMerge),
    includesDefinitions: fields["includeCRDs"] === true,
    skipsHooks: fields["skipHooks"] === true,
    skipsTests: fields["skipTests"] === true,
    kubeVersion: textIn(fields, "kubeVersion"),
    apiVersions: textsIn(fields, "apiVersions"),
    refusal: refusalOf(fields, merge),
  };
}

function refusalOf(fields: Fields, merge: string): string | undefined {
  if (textIn(fields, "name") === "") return "chart name cannot be empty";
  return merges.includes(merge) ? undefined : `valuesMerge must be one of [${merges.join(" ")}]`;
}

function inlineOf(value: unknown, path: Path, merge: ValuesMerge): InlineValues | undefined {
  if (!isRecord(value) || Object.keys(value).length === 0) return undefined;
  return { value: value as InlineValues["value"], path: [...path, "valuesInline"], merge };
}

function textIn(fields: unknown, key: string): string {
  const value = isRecord(fields) ? fields[key] : undefined;
  return typeof value === "string" ? value : "";
}

function textsIn(fields: Fields, key: string): readonly string[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
