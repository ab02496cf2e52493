/** A kind that its version of a Kubernetes group does not have, but that resembles one that it has; or a List without items. */
import { meantKind } from "../../workspace/objects/meant-kind.ts";
import { underline } from "../../yaml/locate.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

export const kindUnknown: DocumentRule = {
  id: "kind-unknown",
  severity: "error",
  scope: "document",
  keepsOut: true,
  *check({ yaml, objects }) {
    for (const object of objects) {
      const meant = meantKind(object);
      const isNoList = isListWithoutItems(object);
      if (meant === undefined && !isNoList) continue;
      const { apiVersion, kind } = object;
      const unknown = `no matches for kind "${kind}" in version "${apiVersion}"`;
      const message = isNoList ? `${unknown}: a List has its objects below \`items\`` : unknown;
      yield { ...underline(yaml, documentPath(object, ["kind"])), message, meant };
    }
  },
};

/**
 * True for a List without items, which kubectl takes for an object of that kind. Upstream: apimachinery unstructured
 * helpers.go, unstructuredJSONScheme.decode.
 */
function isListWithoutItems({ apiVersion, kind, value }: ManifestObject): boolean {
  return apiVersion === "v1" && kind === "List" && !Object.hasOwn(value, "items");
}
