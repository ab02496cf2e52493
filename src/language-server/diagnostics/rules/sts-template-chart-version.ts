/**
 * Labels that change with a chart's version, in the two places of a StatefulSet that cannot be changed. Upstream:
 * pkg/apis/apps/validation ValidateStatefulSetUpdate.
 */
import { type Fields, fieldsAt, itemsOf } from "../../workspace/manifest-fields.ts";
import type { Path } from "../../yaml/place.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

/** Without `version` and `appVersion`: these may be the version of a database that never changes. */
const versionLabels: ReadonlySet<string> = new Set([
  "helm.sh/chart",
  "chart",
  "app.kubernetes.io/version",
]);

export const stsTemplateChartVersion: DocumentRule = objectRule(
  "sts-template-chart-version",
  "information",
  { kinds: ["StatefulSet"] },
  function* ({ value }) {
    const spec = fieldsAt(value, "spec");
    const templates = itemsOf(spec["volumeClaimTemplates"], ["spec", "volumeClaimTemplates"]);
    const places = [
      { labels: fieldsAt(spec, "selector", "matchLabels"), path: selectorPath },
      ...templates.map(({ fields, path }) => ({
        labels: fieldsAt(fields, "metadata", "labels"),
        path: [...path, "metadata", "labels"],
      })),
    ];
    for (const { labels, path } of places)
      for (const key of versioned(labels))
        yield {
          path: [...path, key],
          message: `Label “${key}” changes with each version, but this field is immutable: the API server then refuses the whole StatefulSet. Remove the label before the first install`,
          fix: { title: `Remove the label ${key} here`, path: [...path, key], value: null },
        };
  },
);

const selectorPath: Path = ["spec", "selector", "matchLabels"];

function versioned(labels: Fields): readonly string[] {
  return Object.keys(labels).filter(
    (key) => versionLabels.has(key) && /\d+\.\d+/.test(String(labels[key])),
  );
}
