/** Text that YAML turns into a boolean where Kubernetes wants text. Says why the API server refuses it, and quotes it. */
import { type Fields, fieldsAt, podSpecOf } from "../../workspace/manifest-fields.ts";
import { underline } from "../../yaml/locate.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { type DocumentRule, documentPath } from "../rule.ts";
import { quotingFix } from "./api-refused.ts";

export const yamlBoolValue: DocumentRule = {
  id: "yaml-bool-value",
  severity: "warning",
  scope: "document",
  *check({ yaml, objects }) {
    for (const object of objects) {
      for (const path of textMaps(object)) {
        for (const [key, value] of Object.entries(fieldsAt(object.value, ...path))) {
          if (typeof value !== "boolean") continue;
          const inDocument = documentPath(object, [...path, key]);
          const { fix } = quotingFix(yaml, inDocument);
          const written = fix?.value ?? `the value of ${key}`;
          yield {
            ...underline(yaml, inDocument),
            message: `YAML reads ${written} as a boolean, and the server refuses it: quote it`,
            ...(fix !== undefined && { fix }),
          };
        }
      }
    }
  },
};

/** Fields whose values are all text. */
function textMaps(object: ManifestObject): readonly (readonly string[])[] {
  if (!object.served) return [];
  const maps: (readonly string[])[] = [
    ["metadata", "labels"],
    ["metadata", "annotations"],
    ["parameters"],
  ];
  const pod = podSpecOf(object);
  if (pod === undefined) return maps;
  const template = pod.path.slice(0, -1).map(String);
  maps.push([...template, "spec", "nodeSelector"]);
  const hasTemplate = template.length > 0 && isPresent(fieldsAt(object.value, ...template));
  if (hasTemplate)
    maps.push([...template, "metadata", "labels"], [...template, "metadata", "annotations"]);
  return maps;
}

function isPresent(fields: Fields): boolean {
  return Object.keys(fields).length > 0;
}
