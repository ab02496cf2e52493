/**
 * Label keys and values: for selectors, those of nodes, volumes and pods; for the labels of volumes and pods, also those that
 * selectors ask for.
 */
import { labelsOfNodes } from "../../engine/profiles/assume-cluster.ts";
import type { Analysis } from "../analysis.ts";
import { typeAt } from "../field-schema.ts";
import { claimSpecsOf } from "../workspace/manifest-fields.ts";
import { printScalar } from "../yaml/edits.ts";
import { isRecord, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import type { Item, Place } from "./item.ts";

type Bearer = "node" | "volume" | "pod";
type Labels = Readonly<Record<string, string>>;

const asked: Path = ["selector", "matchLabels"];

const podTemplates: readonly Path[] = [
  ["spec", "template", "metadata", "labels"],
  ["spec", "jobTemplate", "spec", "template", "metadata", "labels"],
];

export function labelItems({ analysis, object, path, probe }: Place): readonly Item[] {
  const bearer = bearerAt(object.kind, path);
  if (analysis === undefined || bearer === undefined) return [];
  const slot = slotAt(object.value, path, probe.part);
  if (slot === undefined) return [];
  const labels = labelsOf(analysis, bearer);
  const found =
    slot.part === "key"
      ? labels.flatMap((one) => Object.keys(one))
      : labels.flatMap((one) => one[slot.key] ?? []);
  const taken = slot.taken ?? [];
  return [...new Set(found)]
    .filter((text) => !taken.includes(text))
    .sort()
    .map((label) => ({
      label,
      kind: "value",
      detail: `label of a ${bearer}`,
      insert: printScalar(label) + (probe.part === "key" ? ": " : ""),
    }));
}

/** Whose labels are written or asked for at the place; undefined elsewhere. */
function bearerAt(kind: string, path: Path): Bearer | undefined {
  if (isLabelling(path)) return kind === "PersistentVolume" ? "volume" : podLabelsAt(kind, path);
  const nodes = ["nodeSelector", "nodeSelectorTerms", "allowedTopologies", "nodeAffinity"];
  if (path.at(-1) === "topologyKey" || nodes.some((field) => path.includes(field))) return "node";
  const selector = Math.max(path.lastIndexOf("selector"), path.lastIndexOf("labelSelector"));
  if (selector < 0) return undefined;
  return typeAt(kind, path.slice(0, selector)) === "PersistentVolumeClaimSpec" ? "volume" : "pod";
}

function isLabelling(path: Path): boolean {
  return path.at(-2) === "labels" && path.at(-3) === "metadata";
}

/** Only labels of pods are selected, not those of the workloads themselves. */
function podLabelsAt(kind: string, path: Path): Bearer | undefined {
  const isOfPods = kind === "Pod" || path.at(-4) === "template";
  return isOfPods ? "pod" : undefined;
}

type Slot =
  | { readonly part: "key"; readonly taken?: readonly string[] }
  | { readonly part: "value"; readonly key: string; readonly taken?: readonly string[] };

/** Whether a label's key or one of its values is written at the place. */
function slotAt(value: unknown, path: Path, part: "key" | "value"): Slot | undefined {
  const last = path.at(-1);
  const parent = path.at(-2);
  const isMapping = parent === "matchLabels" || parent === "nodeSelector" || isLabelling(path);
  if (isMapping && part === "key") {
    const siblings = valueAt(value, path.slice(0, -1));
    return { part: "key", taken: isRecord(siblings) ? Object.keys(siblings) : [] };
  }
  if (isMapping && typeof last === "string") return { part: "value", key: last };
  if (part === "value" && (last === "key" || last === "topologyKey")) return { part: "key" };
  if (parent !== "values" || typeof last !== "number") return undefined;
  const key = valueAt(value, [...path.slice(0, -2), "key"]);
  const taken = valueAt(value, path.slice(0, -1));
  if (typeof key !== "string") return undefined;
  return { part: "value", key, taken: Array.isArray(taken) ? taken : [] };
}

function labelsOf({ assumed, environment }: Analysis, bearer: Bearer): readonly Labels[] {
  if (bearer === "node") return labelsOfNodes(assumed.cluster);
  return environment.objects.flatMap(({ object }) => {
    const { kind, value } = object;
    if (bearer === "volume")
      return [
        ...(kind === "PersistentVolume" ? labelsAt(value, ["metadata", "labels"]) : []),
        ...claimSpecsOf(object).flatMap(({ fields }) => labelsAt(fields, asked)),
      ];
    if (kind === "Pod") return labelsAt(value, ["metadata", "labels"]);
    if (kind === "PersistentVolumeClaim") return [];
    return [...podTemplates, ["spec", ...asked]].flatMap((at) => labelsAt(value, at));
  });
}

function labelsAt(value: unknown, path: Path): readonly Labels[] {
  const labels = valueAt(value, path);
  if (!isRecord(labels)) return [];
  const texts = Object.entries(labels).filter(([, text]) => typeof text === "string");
  return [Object.fromEntries(texts) as Labels];
}
