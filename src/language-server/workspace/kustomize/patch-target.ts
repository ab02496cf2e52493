/**
 * What the `target` of a patch selects: kind, name and the like are patterns for the whole text, labels and annotations
 * selectors. Upstream: kustomize api/types/selector.go, api/resmap/reswrangler.go Select.
 */
import type { Labels } from "../../../engine/api/selection/label-selector.ts";
import { goPattern, type Matches } from "../../go-pattern.ts";
import { plainText } from "../../yaml/manifest.ts";
import { parseSelector } from "./selector-text.ts";

/** What is known of an object when a patch is applied. */
export interface Selectable {
  readonly apiVersion: string;
  readonly kind: string;
  /** Those that it had and the one that it has, the first one first. */
  readonly ids: readonly { readonly name: string; readonly namespace: string }[];
  readonly labels: Labels;
  readonly annotations: Labels;
}

export interface PatchTarget {
  readonly selects: (object: Selectable) => boolean;
}

/** A text says why kustomize cannot read it. */
export function readTarget(target: Readonly<Record<string, unknown>>): PatchTarget | string {
  const patterns = new Map<string, Matches>();
  for (const field of ["group", "version", "kind", "name", "namespace"]) {
    const given = target[field];
    if (given === undefined || given === null || given === "") continue;
    const pattern = goPattern(plainText(given), "whole");
    if (typeof pattern === "string") return pattern;
    patterns.set(field, pattern);
  }
  const labels = parseSelector(plainText(target["labelSelector"] ?? ""));
  if (typeof labels === "string") return labels;
  const annotations = parseSelector(plainText(target["annotationSelector"] ?? ""));
  if (typeof annotations === "string") return annotations;
  const fits = (field: string, ...texts: readonly string[]): boolean => {
    const pattern = patterns.get(field);
    return pattern === undefined || texts.some(pattern);
  };
  return {
    // Most objects are told apart by kind and name: each target is compared with all that the kustomization has.
    selects: (object) => {
      if (!fits("kind", object.kind)) return false;
      const { ids } = object;
      const [original, current] = [ids[0], ids.at(-1)];
      if (!fits("name", original?.name ?? "", current?.name ?? "")) return false;
      const [group = "", version] = splitVersion(object.apiVersion);
      return (
        fits("namespace", original?.namespace ?? "", current?.namespace ?? "") &&
        fits("group", group) &&
        fits("version", version) &&
        labels(object.labels) &&
        annotations(object.annotations)
      );
    },
  };
}

/** `apps/v1` as its group and its version. */
export function splitVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
