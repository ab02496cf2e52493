/** The documentation of a completion item, made when the client asks for it. */
import { makeRef } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import { fieldAt, kindDescription } from "../field-schema.ts";
import { code, escapeMarkdown } from "../markdown.ts";
import { own } from "../own.ts";
import { theCluster } from "../prediction/cluster-title.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { assumedManifest } from "../workspace/objects/assumed-manifest.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { About } from "./item.ts";

/** Returns Markdown; "" if nothing is known. */
export function documentationOf(
  about: About,
  analysis: Analysis | undefined,
  prediction: Prediction | undefined,
): string {
  if (about.type === "text") return about.text;
  if (about.type === "kind") return escapeMarkdown(kindDescription(about.kind));
  if (about.type === "field")
    return escapeMarkdown(fieldAt(about.kind, about.path)?.description ?? "");
  return objectText(about, analysis, prediction);
}

/** The verdict, and the few fields by which one chooses an object. */
function objectText(
  { kind, namespace, name }: Extract<About, { readonly type: "object" }>,
  analysis: Analysis | undefined,
  prediction: Prediction | undefined,
): string {
  const ref = makeRef(kind, namespace, name);
  const headline = prediction?.verdictOf.get(ref)?.headline;
  const written = analysis?.environment.byRef.get(ref)?.[0]?.object.value;
  const assumed = analysis && assumedManifest(analysis.assumed.cluster, ref);
  const facts = (own(traits, kind) ?? []).flatMap((path) => {
    const value = valueAt(written ?? assumed, path);
    return value === undefined ? [] : [`- ${path.join(".")}: ${code(String(value))}`];
  });
  const origin =
    analysis !== undefined && written === undefined && assumed !== undefined
      ? [escapeMarkdown(`Of ${theCluster(analysis.assumed.cluster)}`)]
      : [];
  return [
    ...(headline === undefined ? [] : [escapeMarkdown(headline)]),
    ...origin,
    facts.join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

const traits: Readonly<Record<string, readonly (readonly string[])[]>> = {
  StorageClass: [
    ["provisioner"],
    ["volumeBindingMode"],
    ["reclaimPolicy"],
    ["allowVolumeExpansion"],
  ],
  PersistentVolume: [
    ["spec", "capacity", "storage"],
    ["spec", "accessModes"],
    ["spec", "storageClassName"],
  ],
  PersistentVolumeClaim: [
    ["spec", "resources", "requests", "storage"],
    ["spec", "accessModes"],
    ["spec", "storageClassName"],
  ],
  VolumeSnapshot: [["spec", "source", "persistentVolumeClaimName"]],
  VolumeSnapshotClass: [["driver"], ["deletionPolicy"]],
  VolumeAttributesClass: [["driverName"]],
};
