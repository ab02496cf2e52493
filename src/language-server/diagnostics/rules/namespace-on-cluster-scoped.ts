/** A namespace on a cluster-scoped kind. */
import { isNamespaced } from "../../../engine/api/meta.ts";
import { underline } from "../../yaml/locate.ts";
import { isRecord } from "../../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

export const namespaceOnClusterScoped: DocumentRule = {
  id: "namespace-on-cluster-scoped",
  severity: "warning",
  scope: "document",
  *check({ yaml, objects }) {
    for (const object of objects) {
      const metadata = object.value["metadata"];
      if (object.ref === undefined || isNamespaced(object.kind) || !isRecord(metadata)) continue;
      if (typeof metadata["namespace"] !== "string" || metadata["namespace"] === "") continue;
      const message = `A ${object.kind} has no namespace; the server ignores it`;
      const path = documentPath(object, ["metadata", "namespace"]);
      const fix = { title: "Remove namespace", path, value: null };
      yield { ...underline(yaml, path), message, fix };
    }
  },
};
