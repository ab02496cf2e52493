/**
 * Generators and transformers in separate files. Unlike those in a kustomization, they only change the fields that they list.
 * Upstream: kustomize v5.8 api/internal/plugins/loader loader.go loadAndConfigurePlugin, api/internal/builtins (each plugin's
 * Config) and api/internal/plugins/builtinhelpers builtins.go.
 */
import { isRecord } from "../../yaml/manifest.ts";
import { readFieldSpecs } from "./field-specs.ts";
import { type GeneratorEntry, generatorOf } from "./generators.ts";
import { type HelmChartEntry, helmChartOf } from "./helm-charts.ts";
import { checkChartGenerator } from "./kustomization-check.ts";
import {
  entriesOf,
  type Fields,
  imagesOf,
  mergePatch,
  type PatchEntry,
  patchOf,
  replacementsOf,
  replicasOf,
  type Transformers,
  textEntry,
} from "./kustomization-file.ts";
import { printId, textAt } from "./resource.ts";
import type { Written } from "./written.ts";

/** Why kustomize does not load a plugin. */
export interface PluginRefusal {
  readonly message: string;
  /** True if it is a program, which some kustomize commands run if told to. */
  readonly isProgram: boolean;
}

export type Plugin =
  | { readonly type: "transformer"; readonly transformers: Transformers }
  | { readonly type: "generator"; readonly generator: GeneratorEntry }
  | { readonly type: "chart"; readonly chart: HelmChartEntry }
  /** A built-in plugin that is not applied here. */
  | { readonly type: "unknown"; readonly kind: string }
  | ({ readonly type: "refused" } & PluginRefusal);

/** The same plugin as long as its object is the same. */
export function readPlugin(written: Written, wanted: "transformer" | "generator"): Plugin {
  const plugin = known.get(written) ?? pluginOf(written);
  known.set(written, plugin);
  if (plugin.type === "refused" || plugin.type === "unknown" || plugin.type === wanted)
    return plugin;
  if (plugin.type === "chart" && wanted === "generator") return plugin;
  return refused(`plugin ${printed(written)} not a ${wanted}`);
}

const known = new WeakMap<Written, Plugin>();

function pluginOf(written: Written): Plugin {
  const fields: Fields = isRecord(written.value) ? written.value : {};
  const kind = textAt(fields, "kind");
  if (textAt(fields, "apiVersion") !== "builtin") {
    const message = `external plugins disabled; unable to load external plugin '${kind}'`;
    return { ...refused(message), isProgram: true };
  }
  const read = Object.hasOwn(builtin, kind) ? builtin[kind] : undefined;
  if (read === undefined) return refused(`unable to load builtin ${kind}.builtin.[noGrp]`);
  const plugin = read(fields);
  return typeof plugin === "string"
    ? refused(`plugin ${printed(written)} fails configuration: ${plugin}`)
    : plugin;
}

function refused(message: string): { type: "refused" } & PluginRefusal {
  return { type: "refused", message, isProgram: false };
}

function printed({ value }: Written): string {
  const [apiVersion, kind] = [textAt(value, "apiVersion"), textAt(value, "kind")];
  const [name, namespace] = ["name", "namespace"].map((field) => textAt(value, "metadata", field));
  return printId({ apiVersion, kind, name: name ?? "", namespace: namespace ?? "" });
}

const nothing: Transformers = {
  patches: [],
  latePatches: [],
  namespace: undefined,
  namePrefix: undefined,
  nameSuffix: undefined,
  pairs: [],
  replicas: [],
  images: [],
  replacements: [],
};

/** Returns a text if the configuration is invalid. */
type Read = (fields: Fields) => Plugin | string;

const transformer = (some: Partial<Transformers>): Plugin => ({
  type: "transformer",
  transformers: { ...nothing, ...some },
});

const pairs =
  (field: string): Read =>
  (all) =>
    transformer({
      pairs: isRecord(all[field])
        ? [{ path: [field], fields: readFieldSpecs(all["fieldSpecs"]) }]
        : [],
    });

/** Upstream: PrefixSuffixTransformer runs the two others in turn. */
const affixes =
  (...asked: readonly ("prefix" | "suffix")[]): Read =>
  (all) => {
    if (!Array.isArray(all["fieldSpecs"])) return "fieldSpecs is not expected to be nil";
    const fields = readFieldSpecs(all["fieldSpecs"]);
    const entry = (field: "prefix" | "suffix"): Transformers["namePrefix"] =>
      asked.includes(field) ? textEntry(all, [field], { fields }) : undefined;
    return transformer({ namePrefix: entry("prefix"), nameSuffix: entry("suffix") });
  };

const generator =
  (kind: "ConfigMap" | "Secret"): Read =>
  (all) => ({
    type: "generator",
    generator: generatorOf({ value: all, path: [] }, kind, all["metadata"]),
  });

const unknown: Read = (all) => ({ type: "unknown", kind: textAt(all, "kind") });

/** Hash suffixes are not modeled. */
const changesNothing: Read = () => transformer({});

const builtin: Readonly<Record<string, Read>> = {
  AnnotationsTransformer: pairs("annotations"),
  ConfigMapGenerator: generator("ConfigMap"),
  HashTransformer: changesNothing,
  HelmChartInflationGenerator: readChart,
  IAMPolicyGenerator: unknown,
  ImageTagTransformer: (all) =>
    transformer({
      images: imagesOf(
        { value: all["imageTag"], path: ["imageTag"] },
        { fields: readFieldSpecs(all["fieldSpecs"]) },
      ),
    }),
  LabelTransformer: pairs("labels"),
  NamespaceTransformer: (all) =>
    transformer({
      namespace: textEntry(all, ["metadata", "namespace"], {
        fields: readFieldSpecs(all["fieldSpecs"]),
        unsetOnly: all["unsetOnly"] === true,
      }),
    }),
  PatchJson6902Transformer: readOperations,
  PatchStrategicMergeTransformer: readMergePatches,
  PatchTransformer: (all) => transformer({ patches: patchOf({ value: all, path: [] }) }),
  PrefixSuffixTransformer: affixes("prefix", "suffix"),
  PrefixTransformer: affixes("prefix"),
  ReplacementTransformer: (all) => transformer({ replacements: replacementsOf(all) }),
  ReplicaCountTransformer: (all) =>
    transformer({
      replicas: replicasOf(
        { value: all["replica"], path: ["replica"] },
        { fields: readFieldSpecs(all["fieldSpecs"]) },
      ),
    }),
  SecretGenerator: generator("Secret"),
  SuffixTransformer: affixes("suffix"),
  ValueAddTransformer: unknown,
};

function readChart(all: Fields): Plugin | string {
  const wrong = checkChartGenerator(all);
  if (wrong !== undefined) return `error unmarshaling JSON: while decoding JSON: ${wrong.message}`;
  const chart = chartIn(all);
  return chart.refusal ?? { type: "chart", chart };
}

/** Its fields and those of `helmGlobals` are on the same level. */
function chartIn(all: Fields): HelmChartEntry {
  return helmChartOf({ value: all, path: [] }, all, ["kind"]);
}

export const chartGeneratorKind = "HelmChartInflationGenerator";

/** The chart of an object that is a chart generator, valid or not; otherwise undefined. */
export function chartGenerator(object: unknown): HelmChartEntry | undefined {
  if (!isRecord(object)) return undefined;
  const { apiVersion, kind } = object;
  return apiVersion === "builtin" && kind === chartGeneratorKind ? chartIn(object) : undefined;
}

function readOperations(all: Fields): Plugin | string {
  const { target, path, jsonOp } = all;
  if (!isRecord(target) || textAt(target, "name") === "") return "must specify the target name";
  const [file, text] = [path, jsonOp].map((given) => (typeof given === "string" ? given : ""));
  if (!file && !text) return "empty file path and empty jsonOp";
  if (file && text) return "must specify a file path or jsonOp, not both";
  const entry: PatchEntry = {
    path: [],
    target,
    changesName: false,
    changesKind: false,
    ...(file ? { file } : { inline: { text: text ?? "", path: ["jsonOp"] } }),
  };
  return transformer({ latePatches: [entry] });
}

/** Patches in files come first. */
function readMergePatches(all: Fields): Plugin | string {
  const text = textAt(all, "patches");
  const files = entriesOf(all, "paths").map(mergePatch);
  if (text === "" && files.length === 0) return "empty file path and empty patch content";
  const inline = { path: ["patches"], inline: { text, path: ["patches"] } };
  const written = text === "" ? [] : [{ ...inline, changesName: false, changesKind: false }];
  return transformer({ patches: [...files, ...written] });
}
