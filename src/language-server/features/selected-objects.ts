/**
 * The objects in files that the selector at a place selects: volumes for a claim's selector, nodes for a node selector or term.
 */
import { labelSelectorMatches } from "../../engine/api/selection/label-selector.ts";
import { nodeSelectorTermMatches } from "../../engine/api/selection/node-selector.ts";
import type { LabelSelector, NodeSelectorTerm } from "../../engine/api/types.ts";
import type { Environment } from "../workspace/environment.ts";
import { fieldsAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { isRecord, type ManifestObject, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";

/** Undefined if the place is in no selector. */
export function selectedObjects(
  environment: Environment,
  { value }: ManifestObject,
  path: Path,
): readonly WorkspaceObject[] | undefined {
  const ofKind = (kind: string): readonly WorkspaceObject[] =>
    environment.objects.filter(({ object }) => object.kind === kind && object.ref !== undefined);
  const terms = path.lastIndexOf("nodeSelectorTerms");
  if (terms >= 0 && path.length > terms + 1) {
    const term = valueAt(value, path.slice(0, terms + 2));
    if (!isWellFormed(term)) return [];
    return ofKind("Node").filter(({ object }) =>
      nodeSelectorTermMatches(term as NodeSelectorTerm, object.name, labelsOf(object)),
    );
  }
  const node = path.lastIndexOf("nodeSelector");
  if (node >= 0) {
    const matchLabels = valueAt(value, path.slice(0, node + 1));
    const selector = { matchLabels } as LabelSelector;
    if (!isRecord(matchLabels)) return [];
    return ofKind("Node").filter(({ object }) => labelSelectorMatches(selector, labelsOf(object)));
  }
  const claim = path.lastIndexOf("selector");
  if (claim < 0 || !isClaimSpec(value, path.slice(0, claim))) return undefined;
  const selector = valueAt(value, path.slice(0, claim + 1));
  if (!isRecord(selector) || !isWellFormed(selector)) return [];
  return ofKind("PersistentVolume").filter(({ object }) =>
    labelSelectorMatches(selector as LabelSelector, labelsOf(object)),
  );
}

/** Only claims and claim templates have these fields beside a selector. */
function isClaimSpec(value: unknown, path: Path): boolean {
  const spec = valueAt(value, path);
  return isRecord(spec) && ("accessModes" in spec || "resources" in spec);
}

/** True if expressions and their values are lists, as the matchers expect. */
function isWellFormed(selector: unknown): boolean {
  if (!isRecord(selector)) return false;
  const requirements = ["matchExpressions", "matchFields"].map((field) => selector[field] ?? []);
  return (
    isRecord(selector["matchLabels"] ?? {}) &&
    requirements.every(
      (list) =>
        Array.isArray(list) &&
        list.every((item) => isRecord(item) && Array.isArray(item["values"] ?? [])),
    )
  );
}

function labelsOf({ value }: ManifestObject): Readonly<Record<string, string>> {
  return fieldsAt(value, "metadata", "labels") as Readonly<Record<string, string>>;
}
