/**
 * Classes with deprecated topology labels. For pods and volumes, the API server's own warnings suffice. Upstream: such labels
 * are still set on nodes (cloud-provider controllers/node/node_controller.go getNodeModifiersFromCloudProvider, node lifecycle
 * controller labelReconcileInfo, v1.36), but a class's topology must be among those that the driver reports in CSINode.
 */
import { renamedLabels } from "../../../engine/api/well-known-labels.ts";
import { own } from "../../own.ts";
import { itemsOf } from "../../workspace/manifest-fields.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const deprecatedTopologyLabel: DocumentRule = objectRule(
  "deprecated-topology-label",
  "warning",
  // The other rule knows which labels the driver reports.
  { kinds: ["StorageClass"], yieldsTo: ["class-topology-key-unknown"], yieldsAtPlace: true },
  function* ({ value }) {
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
          message: `Deprecated: most drivers do not report this label; use ${successor}`,
          fix: { title: `Change to ${successor}`, path, value: successor },
        };
      }
  },
);
