/** Classes with topology labels that new nodes no longer have. For pods and volumes, the API server's own warnings suffice. */
import { renamedLabels } from "../../../engine/api/well-known-labels.ts";
import { own } from "../../own.ts";
import { itemsOf } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const deprecatedTopologyLabel: DocumentRule = objectRule(
  "deprecated-topology-label",
  "warning",
  {},
  function* ({ kind, value }) {
    if (kind !== "StorageClass") return;
    const expressions = "matchLabelExpressions";
    const terms = itemsOf(value["allowedTopologies"], ["allowedTopologies"]);
    for (const term of terms)
      for (const { fields, path: at } of itemsOf(term.fields[expressions], [
        ...term.path,
        expressions,
      ])) {
        const { key } = fields;
        const successor = typeof key === "string" ? own(renamedLabels, key) : undefined;
        if (successor === undefined) continue;
        const path = [...at, "key"];
        yield {
          path,
          message: `Label is no longer set on new nodes; use ${successor}`,
          fix: { title: `Change to ${successor}`, path, value: successor },
        };
      }
  },
);
