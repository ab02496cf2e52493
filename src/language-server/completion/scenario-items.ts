/** Items of a `*.scenario.yaml`: keys and values of its shape, files, names of objects. */
import { isKind, isNamespaced, type Kind, makeRef } from "../../engine/api/meta.ts";
import { phasesByKind } from "../../engine/api/phases.ts";
import { messagePatterns } from "../../engine/explain/messages/catalogue.ts";
import type { Analysis } from "../analysis.ts";
import { madeNames } from "../names/made-names.ts";
import { own } from "../own.ts";
import { printObjectText } from "../scenarios/object-text.ts";
import { scenarioShape } from "../scenarios/scenario-shape.ts";
import { isBelow, parentUri, pathOf, relativePath } from "../workspace/files/uri.ts";
import { isKustomization } from "../workspace/kustomize.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { printScalar } from "../yaml/edits.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { chartItems, valuesItems } from "./chart-items.ts";
import { type Item, valueItem } from "./item.ts";
import type { Probe } from "./probe.ts";
import { sizeItems } from "./quantity-items.ts";
import { shapeItems, shapeKeyText } from "./shape-items.ts";

export function scenarioItems(
  analysis: Analysis | undefined,
  file: WorkspaceFile,
  at: Probe,
): readonly Item[] {
  const listed = shapeItems(scenarioShape, at);
  if (listed !== undefined || analysis === undefined) return listed ?? [];
  return textItems(analysis, file, at);
}

/** What a key is for; undefined for unknown keys. */
export function scenarioKeyText(path: Path): string | undefined {
  return shapeKeyText(scenarioShape, path);
}

/** Fields that always name an object of the same kind. */
const kindNamedBy: Readonly<Record<string, Kind>> = {
  volume: "PersistentVolume",
  node: "Node",
  nodeName: "Node",
  driver: "CSIDriver",
  namespace: "Namespace",
};
/** Steps whose `name` is that of an object of this kind. */
const kindOfStep: Readonly<Record<string, Kind>> = {
  node: "Node",
  cordon: "Node",
  uncordon: "Node",
  drain: "Node",
  driver: "CSIDriver",
};

const eventReasons: readonly string[] = [
  ...new Set(messagePatterns.flatMap(({ reasons = [] }) => reasons)),
].sort();

/** Values that the shape does not list: phases, event reasons, sizes, files, names of objects. */
function textItems(
  analysis: Analysis,
  file: WorkspaceFile,
  { path, value }: Probe,
): readonly Item[] {
  const { environment, names } = analysis;
  const [, , step] = path;
  const field = path.at(-1);
  const around = valueAt(value, path.slice(0, -1));
  const { kind, namespace = "default" } = isRecord(around) ? around : {};
  if (field === "phase") {
    const phases = own(phasesByKind, String(kind)) ?? Object.values(phasesByKind).flat();
    return [...new Set(phases)].map(valueItem);
  }
  if (field === "event") return eventReasons.map(valueItem);
  if (field === "capacity") return sizeItems(analysis);
  // `apply` may be a manifest instead of a list of files.
  if (step === "apply") return path.length === 3 ? [] : fileItems(analysis, file);
  if (step === "kustomize") return kustomizationItems(analysis, file);
  if (step === "helm" && path[3] === "chart") return chartItems(environment, parentUri(file.uri));
  if (step === "helm" && path[3] === "values") return valuesItems(environment, parentUri(file.uri));
  if (field === "about" || field === "refused" || field === "of") {
    const written = environment.objects.flatMap(({ object }) => object.ref ?? []);
    const made = madeNames(environment).map((one) => makeRef(one.kind, one.namespace, one.name));
    const refs = [...written, ...made];
    return [...new Set(refs)]
      .filter((ref) => field !== "of" || ref.startsWith("Pod/"))
      .map((ref) => objectItem(printObjectText(ref)));
  }
  if (field === "from")
    return names.names("CronJob", String(namespace)).map((name) => objectItem(`cronjob/${name}`));
  const named = own(kindNamedBy, String(field));
  if (named !== undefined) return names.names(named).map(objectItem);
  if (field !== "name") return [];
  const ofStep = own(kindOfStep, String(step));
  if (ofStep !== undefined) return names.names(ofStep).map(objectItem);
  if (typeof kind !== "string" || !isKind(kind)) return [];
  const within = isNamespaced(kind) ? String(namespace) : undefined;
  const made = madeNames(environment).filter(
    (one) => one.kind === kind && one.namespace === within,
  );
  const all = new Set([...names.names(kind, within), ...made.map(({ name }) => name)]);
  return [...all].map(objectItem);
}

function objectItem(label: string): Item {
  return { label, kind: "object", insert: printScalar(label) };
}

/** Files with objects beside the scenario and below, by their relative paths. */
function fileItems({ environment }: Analysis, { uri }: WorkspaceFile): readonly Item[] {
  const folder = parentUri(uri);
  return environment.files
    .filter((other) => isBelow(other.uri, folder) && other.manifest.isKubernetes)
    .filter((other) => other.uri !== uri)
    .map((other) => valueItem(relativePath(pathOf(folder), pathOf(other.uri))));
}

/** Folders with a kustomization, by their relative paths. */
function kustomizationItems({ environment }: Analysis, { uri }: WorkspaceFile): readonly Item[] {
  return environment.files
    .filter((other) => isKustomization(other.uri))
    .map((other) => valueItem(relativePath(pathOf(parentUri(uri)), pathOf(parentUri(other.uri)))));
}
