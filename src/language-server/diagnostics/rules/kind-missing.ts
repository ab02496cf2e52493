/**
 * A document, or an item of a List, without apiVersion or kind, or with one of these misspelled.
 * Upstream: kubectl, pkg/validation/validation.go getObjectKind.
 */
import { underline, underlineKey } from "../../yaml/locate.ts";
import { valueAt } from "../../yaml/manifest.ts";
import type { DocumentRule } from "../rule.ts";

export const kindMissing: DocumentRule = {
  id: "kind-missing",
  severity: "error",
  scope: "document",
  keepsOut: true,
  *check({ yaml, missing = [] }) {
    for (const { path, name, writtenAs } of missing) {
      const own = [...path, name];
      const value = valueAt(yaml.value, own);
      if (writtenAs !== undefined)
        yield {
          ...underlineKey(yaml, [...path, writtenAs]),
          message: `${name} not set, and kubectl does not know “${writtenAs}”`,
          meant: name,
        };
      else if (value !== undefined && value !== null && typeof value !== "string")
        yield { ...underline(yaml, own), message: `${name} isn't string type` };
      else
        yield {
          ...underline(yaml, value === undefined ? [...path, otherOf[name]] : own),
          message: `${name} not set`,
        };
    }
  },
};

/** If one is missing, the other is underlined. */
const otherOf = { apiVersion: "kind", kind: "apiVersion" } as const;
