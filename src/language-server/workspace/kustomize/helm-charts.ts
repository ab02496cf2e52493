/**
 * Charts that a kustomization renders. Upstream: kustomize v5.8 api/types helmchartargs.go, api/internal/builtins
 * HelmChartInflationGenerator.go.
 */
import type { Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A value in a kustomization, and its path. */
interface Given {
  readonly value: unknown;
  readonly path: Path;
}

export interface HelmChartEntry {
  readonly path: Path;
  /** Where problems of the whole entry are reported. */
  readonly at: Path;
  /** The chart's folder, relative to the kustomization's. */
  readonly folder: string;
  /** Where the chart is fetched from if it is not there. */
  readonly repository: string;
  /** "" if there is none. */
  readonly releaseName: string;
  readonly nameTemplate: string;
  readonly namespace: string;
  /** Replaces the chart's own values file. */
  readonly valuesFile: string;
  /** Path of that field in the kustomization; the entry itself if the chart's own values are used. */
  readonly valuesFilePath: Path;
  readonly additionalValuesFiles: readonly string[];
  readonly inline: InlineValues | undefined;
  readonly includesDefinitions: boolean;
  readonly skipsHooks: boolean;
  readonly skipsTests: boolean;
  readonly kubeVersion: string;
  readonly apiVersions: readonly string[];
  /** Why kustomize refuses the entry. */
  readonly refusal: string | undefined;
}

export interface InlineValues {
  readonly value: { readonly [key: string]: Json };
  /** Path in the kustomization. */
  readonly path: Path;
  readonly merge: ValuesMerge;
}

/** Which value wins if both have it: the inline one or the file's; with `replace` the file is ignored. */
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
  // Kustomize puts fetched charts into folders named after their version.
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
