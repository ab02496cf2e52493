/** The kind that a CustomResourceDefinition defines. Upstream: apiextensions v1.36 pkg/apis/apiextensions/v1/types.go. */
import { fieldsOf, listAt, textAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";

export function isDefinition({ apiVersion, kind }: ManifestObject): boolean {
  return kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1";
}

/** One entry per served version, in the form of `kindWanted`; empty for other objects. */
export function kindsDefinedBy(object: ManifestObject): ReadonlySet<string> {
  const kinds = new Set<string>();
  if (!isDefinition(object)) return kinds;
  const { value } = object;
  const group = textAt(value, "spec", "group");
  const kind = textAt(value, "spec", "names", "kind");
  for (const version of listAt(value, "spec", "versions").map(fieldsOf))
    if (version["served"] === true) kinds.add(`${group}/${version["name"]} ${kind}`);
  return kinds;
}

export function kindWanted({ apiVersion, kind }: ManifestObject): string {
  return `${apiVersion} ${kind}`;
}
