/**
 * What the `target` of a patch selects: kind, name and so on are patterns for the whole text, labels and annotations are
 * selectors. Upstream: kustomize api/types/selector.go, api/resmap/reswrangler.go Select.
 */
import type { Labels } from "../../../engine/api/selection/label-selector.ts";
import { goPattern, type Matches } from "../../go-pattern.ts";
import { plainText } from "../../yaml/manifest.ts";
import { parseSelector } from "./selector-text.ts";

/** What matters about an object when targets are matched. */
export interface Selectable {
  readonly apiVersion: string;
  readonly kind: string;
  /** All ids that it has had, the original first and the current last. */
  readonly ids: readonly { readonly name: string; readonly namespace: string }[];
  readonly labels: Labels;
  readonly annotations: Labels;
}

export interface PatchTarget {
  readonly selects: (object: Selectable) => boolean;
  /** True if it restricts kinds, versions, names or namespaces. */
  readonly hasId: boolean;
  readonly fitsId: (apiVersion: string, id: TargetedId) => boolean;
  /** True if it restricts labels or annotations. */
  readonly hasMetadata: boolean;
  readonly fitsMetadata: (object: Pick<Selectable, "labels" | "annotations">) => boolean;
}

export interface TargetedId {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Returns a text if kustomize cannot read the target. */
export function readTarget(target: Readonly<Record<string, unknown>>): PatchTarget | string {
  const patterns = new Map<string, Matches>();
  for (const field of ["group", "version", "kind", "name", "namespace"]) {
    const given = target[field];
    if (given === undefined || given === null || given === "") continue;
    const pattern = goPattern(plainText(given), "whole");
    if (typeof pattern === "string") return pattern;
    patterns.set(field, pattern);
  }
  const [ofLabels, ofAnnotations] = ["labelSelector", "annotationSelector"].map((field) =>
    plainText(target[field] ?? ""),
  );
  const labels = parseSelector(ofLabels ?? "");
  if (typeof labels === "string") return labels;
  const annotations = parseSelector(ofAnnotations ?? "");
  if (typeof annotations === "string") return annotations;
  const fits = (field: string, ...texts: readonly string[]): boolean => {
    const pattern = patterns.get(field);
    return pattern === undefined || texts.some(pattern);
  };
  const fitsVersion = (apiVersion: string): boolean => {
    const [group, version] = splitVersion(apiVersion);
    return fits("group", group) && fits("version", version);
  };
  const fitsMetadata: PatchTarget["fitsMetadata"] = (object) =>
    labels(object.labels) && annotations(object.annotations);
  return {
    // Kind and name are checked first, because they rule out most objects and every target is compared with all of them.
    selects: (object) => {
      if (!fits("kind", object.kind)) return false;
      const { ids } = object;
      const [original, current] = [ids[0], ids.at(-1)];
      if (!fits("name", original?.name ?? "", current?.name ?? "")) return false;
      return (
        fits("namespace", original?.namespace ?? "", current?.namespace ?? "") &&
        fitsVersion(object.apiVersion) &&
        fitsMetadata(object)
      );
    },
    hasId: patterns.size > 0,
    fitsId: (apiVersion, { kind, name, namespace }) =>
      fits("kind", kind) &&
      fits("name", name) &&
      fits("namespace", namespace) &&
      fitsVersion(apiVersion),
    hasMetadata: ofLabels !== "" || ofAnnotations !== "",
    fitsMetadata,
  };
}

/** Splits `apps/v1` into group and version. */
export function splitVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
