/** The keys and values of a `*.scenario.yaml`: its form, and the names that exist. */
import { isNamespaced, type Kind, kindSchema } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import { own } from "../own.ts";
import { scenarioShape } from "../scenarios/scenario-shape.ts";
import type { MappingShape, Shape } from "../scenarios/shape.ts";
import { isKustomization } from "../workspace/kustomize.ts";
import { parentUri, pathOf } from "../workspace/uri.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { type Item, valueItem } from "./item.ts";
import type { Probe } from "./probe.ts";

export function scenarioItems(
  analysis: Analysis | undefined,
  file: WorkspaceFile,
  { path, part, value }: Probe,
): readonly Item[] {
  if (part === "key") {
    const parent = path.slice(0, -1);
    const shape = shapeAt(parent);
    return shape?.type === "mapping" ? keyItems(shape, valueAt(value, parent)) : [];
  }
  const shape = shapeAt(path);
  if (shape?.type === "boolean") return ["true", "false"].map(valueItem);
  if (shape?.type !== "text") return [];
  if (shape.oneOf !== undefined) return shape.oneOf.map(valueItem);
  return analysis === undefined ? [] : nameItems(analysis, file, path, value);
}

/** What a key is for. */
export function scenarioKeyText(path: Path): string | undefined {
  const shape = shapeAt(path.slice(0, -1));
  const last = path.at(-1);
  if (shape?.type !== "mapping" || typeof last !== "string") return undefined;
  return own(shape.fields, last)?.about;
}

function shapeAt(path: Path): Shape | undefined {
  return path.reduce<Shape | undefined>(shapeBelow, scenarioShape);
}

function shapeBelow(shape: Shape | undefined, segment: string | number): Shape | undefined {
  if (typeof segment === "string")
    return shape?.type === "mapping" ? shape.fields[segment]?.shape : undefined;
  return shape?.type === "list" || shape?.type === "list or text" ? shape.of : undefined;
}

/** Those that are not written yet. */
function keyItems({ fields }: MappingShape, written: unknown): readonly Item[] {
  const present = Object.keys(isRecord(written) ? written : {});
  return Object.entries(fields)
    .filter(([label]) => !present.includes(label))
    .map(([label, { about }]) => ({
      label,
      kind: "field",
      insert: `${label}: `,
      about: { type: "text", text: about },
    }));
}

/** Fields that name an object of one kind whatever else is written. */
const kindNamedBy: Readonly<Record<string, Kind>> = {
  volume: "PersistentVolume",
  node: "Node",
  nodeName: "Node",
  driver: "CSIDriver",
  namespace: "Namespace",
};
/** Steps that are about an object of one kind. */
const kindOfStep: Readonly<Record<string, Kind>> = {
  node: "Node",
  cordon: "Node",
  uncordon: "Node",
  drain: "Node",
  driver: "CSIDriver",
};

function nameItems(
  analysis: Analysis,
  file: WorkspaceFile,
  path: Path,
  value: unknown,
): readonly Item[] {
  const { environment, names } = analysis;
  const [, , step] = path;
  const field = path.at(-1);
  if (step === "apply") return fileItems(analysis, file);
  if (step === "kustomize") return kustomizationItems(analysis, file);
  if (field === "about" || field === "refused" || field === "of") {
    const refs = environment.objects.flatMap(({ object }) => object.ref ?? []);
    return [...new Set(refs)]
      .filter((ref) => field !== "of" || ref.startsWith("Pod/"))
      .map(objectItem);
  }
  const named = own(kindNamedBy, String(field));
  if (named !== undefined) return names.names(named).map(objectItem);
  if (field !== "name") return [];
  const around = valueAt(value, path.slice(0, -1));
  const { kind, namespace = "default" } = isRecord(around) ? around : {};
  const ofStep = own(kindOfStep, String(step));
  if (ofStep !== undefined) return names.names(ofStep).map(objectItem);
  if (typeof kind !== "string" || kindSchema(kind) === undefined) return [];
  const known = kind as Kind;
  return names.names(known, isNamespaced(known) ? String(namespace) : undefined).map(objectItem);
}

function objectItem(label: string): Item {
  return { label, kind: "object", insert: label };
}

/** Files with objects, by their paths from the scenario: those beside it and below. */
function fileItems({ environment }: Analysis, { uri }: WorkspaceFile): readonly Item[] {
  const folder = `${parentUri(uri)}/`;
  return environment.files
    .filter((other) => other.uri.startsWith(folder) && other.manifest.isKubernetes)
    .filter((other) => other.uri !== uri)
    .map((other) => valueItem(pathOf(other.uri).slice(pathOf(folder).length)));
}

/** Folders with a kustomization, by their paths from the scenario. */
function kustomizationItems({ environment }: Analysis, { uri }: WorkspaceFile): readonly Item[] {
  return environment.files
    .filter((other) => isKustomization(other.uri))
    .map((other) => valueItem(relativePath(pathOf(parentUri(uri)), pathOf(parentUri(other.uri)))));
}

function relativePath(from: string, to: string): string {
  const [own, other] = [from.split("/"), to.split("/")];
  const differs = own.findIndex((segment, index) => segment !== other[index]);
  const shared = differs < 0 ? own.length : differs;
  return [...own.slice(shared).map(() => ".."), ...other.slice(shared)].join("/") || ".";
}
