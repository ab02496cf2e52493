/**
 * Values that YAML reads as booleans where Kubernetes wants text: the reason for the API server's refusal, with a fix that
 * quotes them.
 */
import { startsWithPath } from "../../workspace/manifest-fields.ts";
import { underline } from "../../yaml/locate.ts";
import { quotingFix, unquotedValues } from "../facts/unquoted-values.ts";
import { type DocumentRule, documentPath } from "../rule.ts";
import { refusalOfBoolean } from "./api-refused.ts";

export const yamlBoolValue: DocumentRule = {
  id: "yaml-bool-value",
  severity: "error",
  scope: "document",
  keepsOut: true,
  *check({ yaml, objects }, { version }) {
    for (const object of objects) {
      const refusal = refusalOfBoolean(object, version);
      for (const path of unquotedValues(object, "boolean")) {
        const inDocument = documentPath(object, path);
        const { fix } = quotingFix(yaml, inDocument);
        const written = fix?.value ?? `the value of ${path.at(-1)}`;
        const isNamed = refusal !== undefined && startsWithPath(path, refusal.path);
        const words = isNamed ? `\n${refusal.message}` : "";
        yield {
          ...underline(yaml, inDocument),
          message: `YAML reads ${written} as a boolean, and the server refuses it: quote it${words}`,
          ...(fix !== undefined && { fix }),
        };
      }
    }
  },
};
