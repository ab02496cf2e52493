/** Items of claimcheck.yaml: keys and values of its shape, overlays, charts. */
import type { Analysis } from "../analysis.ts";
import type { Path } from "../yaml/place.ts";
import { chartItems, valuesItems } from "./chart-items.ts";
import { type Item, valueItem } from "./item.ts";
import type { Probe } from "./probe.ts";
import { projectShape } from "./project-shape.ts";
import { shapeItems, shapeKeyText } from "./shape-items.ts";

export function projectItems(analysis: Analysis | undefined, at: Probe): readonly Item[] {
  const listed = shapeItems(projectShape, at);
  if (listed !== undefined || analysis === undefined) return listed ?? [];
  const { environment } = analysis;
  const [key, , field] = at.path;
  if (key === "charts" && field === "chart") return chartItems(environment, environment.id);
  if (key === "charts" && field === "values") return valuesItems(environment, environment.id);
  if (key !== "kustomization") return [];
  return environment.kustomized.overlays.map(({ folder }) => valueItem(folder));
}

/** What a key is for; undefined for unknown keys. */
export function projectKeyText(path: Path): string | undefined {
  return shapeKeyText(projectShape, path);
}
