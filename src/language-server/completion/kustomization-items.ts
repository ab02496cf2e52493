/** Items of a kustomization: keys and values of its shape, files and folders beside it, names of objects. */
import { compareText } from "../../engine/api/go/text-order.ts";
import { isKind } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import { writableNames } from "../names/names-in-cluster.ts";
import { projectFileName } from "../project/project-file.ts";
import { isScenarioUri } from "../scenarios/scenario-file.ts";
import {
  baseName,
  isBelow,
  parentUri,
  pathOf,
  relativePath,
  resolveUri,
} from "../workspace/files/uri.ts";
import { isKustomization, isKustomizeComponent } from "../workspace/kustomize.ts";
import { containersOf, textAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { chartItems, valuesItems } from "./chart-items.ts";
import { type Item, valueItem } from "./item.ts";
import { kustomizationShape } from "./kustomization-shape.ts";
import type { Probe } from "./probe.ts";
import { shapeItems, shapeKeyText } from "./shape-items.ts";

export function kustomizationItems(
  analysis: Analysis | undefined,
  file: WorkspaceFile,
  at: Probe,
): readonly Item[] {
  if (isOtherKind(at.value)) return [];
  const listed = shapeItems(kustomizationShape, at);
  if (listed !== undefined || analysis === undefined) return listed ?? [];
  const taken = siblingsOf(at);
  return textItems(analysis, file, at).filter(({ label }) => !taken.includes(label));
}

/** What a key is for; undefined for unknown keys. */
export function kustomizationKeyText(path: Path): string | undefined {
  return shapeKeyText(kustomizationShape, path);
}

/** Flux has a kind of the same name, and its files often have the same name, too. */
function isOtherKind(value: unknown): boolean {
  const apiVersion = valueAt(value, ["apiVersion"]);
  return typeof apiVersion === "string" && apiVersion.includes(".toolkit.fluxcd.io/");
}

/** The list that holds the entry at the path; empty if the path ends in no list. */
function siblingsOf({ path, value }: Probe): readonly unknown[] {
  const list = typeof path.at(-1) === "number" ? valueAt(value, path.slice(0, -1)) : undefined;
  return Array.isArray(list) ? list : [];
}

function textItems(analysis: Analysis, file: WorkspaceFile, at: Probe): readonly Item[] {
  const { path, value } = at;
  const [list] = path;
  const field = path.at(-1);
  if (list === "resources")
    return [
      ...foldersBeside(analysis, file, (other) => !isKustomizeComponent(other)),
      ...files(analysis, file),
    ];
  if (list === "helmCharts") return itemsOfChart(analysis, file, at);
  if (list === "components") return foldersBeside(analysis, file, isKustomizeComponent);
  const isFile = field === "path" && path.length === (list === "openapi" ? 2 : 3);
  if (isFile || fileLists.includes(String(list))) return files(analysis, file);
  if (field === "namespace") return analysis.names.names("Namespace").map(valueItem);
  if (list === "images" && field === "name") return imagesOf(analysis).map(valueItem);
  if (list === "replicas" && field === "name")
    return namesOf(analysis, (kind) => scalable.includes(kind));
  if (!selecting.includes(String(list))) return [];
  const kinds = kindsOf(analysis);
  if (field === "kind") return kinds.map(valueItem);
  const around = valueAt(value, path.slice(0, -1));
  const wanted = isRecord(around) ? around["kind"] : undefined;
  return field === "name" && path.length > 3
    ? namesOf(analysis, (kind) => wanted === undefined || wanted === kind)
    : [];
}

/** Lists of files, other than `resources`. */
const fileLists: readonly string[] = [
  "patchesStrategicMerge",
  "configurations",
  "crds",
  "generators",
  "transformers",
  "validators",
];
/** Lists whose entries choose objects by kind and name. */
const selecting: readonly string[] = ["patches", "patchesJson6902", "replacements", "vars"];
const scalable: readonly string[] = [
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
];

/** Files in and below the kustomization's folder: kustomize reads no others. */
function files({ environment }: Analysis, { uri }: WorkspaceFile): readonly Item[] {
  const folder = parentUri(uri);
  return environment.files
    .filter((other) => isBelow(other.uri, folder) && !isKustomization(other.uri))
    .filter(({ manifest }) => manifest.isForHelm !== true)
    .filter((other) => baseName(other.uri) !== projectFileName && !isScenarioUri(other.uri))
    .map((other) => valueItem(relativePath(pathOf(folder), pathOf(other.uri))));
}

/** Charts in the folder where kustomize looks for them, and values files. */
function itemsOfChart(
  { environment }: Analysis,
  { uri }: WorkspaceFile,
  { path, value }: Probe,
): readonly Item[] {
  const field = path[2];
  const folder = parentUri(uri);
  if (field === "valuesFile" || field === "additionalValuesFiles")
    return valuesItems(environment, folder);
  if (field !== "name") return [];
  const home = valueAt(value, ["helmGlobals", "chartHome"]) || "charts";
  return chartItems(environment, resolveUri(folder, String(home))).filter(
    ({ label }) => !label.includes("/"),
  );
}

/** Folders whose kustomization `isWanted` accepts. */
function foldersBeside(
  { environment }: Analysis,
  { uri }: WorkspaceFile,
  isWanted: (kustomization: WorkspaceFile) => boolean,
): readonly Item[] {
  const folder = pathOf(parentUri(uri));
  return environment.files
    .filter((other) => isKustomization(other.uri) && other.uri !== uri)
    .filter(isWanted)
    .map((other) => valueItem(relativePath(folder, pathOf(parentUri(other.uri)))));
}

/** Names as written in the files, before kustomize changes them. */
function namesOf(analysis: Analysis, isWanted: (kind: string) => boolean): readonly Item[] {
  return kindsOf(analysis)
    .filter((kind) => isKind(kind))
    .filter(isWanted)
    .flatMap((kind) =>
      writableNames(analysis, kind).map((name) => ({
        ...valueItem(name),
        kind: "object" as const,
        detail: kind,
      })),
    );
}

/** Without the kinds of kustomizations, which are not objects of a cluster. */
function kindsOf({ environment }: Analysis): readonly string[] {
  const objects = environment.objects.filter(({ file }) => !isKustomization(file.uri));
  return [...new Set(objects.map(({ object }) => object.kind))].sort(compareText);
}

/** Image names without tags and digests. Upstream: kustomize v5 api/internal/image Split. */
function imagesOf({ environment }: Analysis): readonly string[] {
  const images = environment.objects.flatMap(({ object, patched }) =>
    containersOf(patched?.written.object ?? object).flatMap(
      ({ fields }) => textAt(fields, "image") ?? [],
    ),
  );
  return [
    ...new Set(images.map((image) => (image.split("@", 1)[0] ?? "").replace(/:[^/:]*$/, ""))),
  ].sort();
}
