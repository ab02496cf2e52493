/** Topology by labels that new nodes no longer have. Where the API server warns of the label itself, its words suffice. */
import { renamedLabels } from "../../../engine/api/well-known-labels.ts";
import { own } from "../../own.ts";
import { fieldsAt, itemsOf, podSpecOf } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf } from "../api-answer.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentRule } from "../rule.ts";

export const deprecatedTopologyLabel: DocumentRule = objectRule(
  "deprecated-topology-label",
  "warning",
  {},
  function* (object, { version }) {
    for (const { path, key, isKey } of labelsOf(object)) {
      const successor = own(renamedLabels, key);
      const warnings = answerOf(object, version)?.warnings ?? [];
      if (successor === undefined || warnings.some((warning) => warning.includes(key))) continue;
      yield {
        path,
        message: `Label is no longer set on new nodes; use ${successor}`,
        atKey: isKey,
        ...(!isKey && { fix: { title: `Change to ${successor}`, path, value: successor } }),
      };
    }
  },
);

interface LabelPlace {
  readonly path: Path;
  readonly key: string;
  /** The label stands as a key and not as a value. */
  readonly isKey: boolean;
}

function labelsOf(object: ManifestObject): readonly LabelPlace[] {
  const { kind, value } = object;
  if (kind === "StorageClass")
    return termsAt(value["allowedTopologies"], ["allowedTopologies"], "matchLabelExpressions");
  if (kind === "PersistentVolume") {
    const path = ["spec", "nodeAffinity", "required", "nodeSelectorTerms"];
    const required = fieldsAt(value, ...path.slice(0, -1));
    return termsAt(required["nodeSelectorTerms"], path, "matchExpressions");
  }
  const pod = podSpecOf(object);
  if (pod === undefined) return [];
  const selector = [...pod.path, "nodeSelector"];
  const keys = Object.keys(fieldsAt(pod.fields, "nodeSelector"));
  const steps = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
  const required = fieldsAt(pod.fields, ...steps);
  return [
    ...keys.map((key) => ({ path: [...selector, key], key, isKey: true })),
    ...termsAt(
      required["nodeSelectorTerms"],
      [...pod.path, ...steps, "nodeSelectorTerms"],
      "matchExpressions",
    ),
  ];
}

function termsAt(terms: unknown, path: Path, expressions: string): readonly LabelPlace[] {
  return itemsOf(terms, path)
    .flatMap((term) => itemsOf(term.fields[expressions], [...term.path, expressions]))
    .flatMap(({ fields, path: at }) =>
      typeof fields["key"] === "string"
        ? [{ path: [...at, "key"], key: fields["key"], isKey: false }]
        : [],
    );
}
