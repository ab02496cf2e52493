/** Sizes: those of the workspace's volumes, then usual ones. */
import type { Analysis } from "../analysis.ts";
import { typeAt } from "../field-schema.ts";
import { valueAt } from "../yaml/manifest.ts";
import { type Item, type Place, valueItem } from "./item.ts";

const usualSizes: readonly string[] = [
  "1Gi",
  "5Gi",
  "10Gi",
  "20Gi",
  "50Gi",
  "100Gi",
  "500Gi",
  "1Ti",
];

export function quantityItems({ analysis, object, path }: Place): readonly Item[] {
  const isSize = path.at(-1) === "storage" || path.at(-1) === "sizeLimit";
  return isSize && typeAt(object.kind, path) === "string" ? sizeItems(analysis) : [];
}

export function sizeItems(analysis: Analysis | undefined): readonly Item[] {
  const volumes = (analysis?.environment.objects ?? [])
    .filter((entry) => entry.object.kind === "PersistentVolume")
    .map((entry) => valueAt(entry.object.value, ["spec", "capacity", "storage"]))
    .filter((text): text is string => typeof text === "string");
  return [...new Set([...volumes, ...usualSizes])].map(valueItem);
}
