/** A document that has only one of apiVersion and kind. */
import { underline } from "../yaml/locate.ts";
import type { DocumentRule } from "./rule.ts";

export const kindMissing: DocumentRule = {
  id: "kind-missing",
  severity: "error",
  scope: "document",
  keepsOut: true,
  *check({ yaml, missing }) {
    if (missing === "no-kind")
      yield { ...underline(yaml, ["apiVersion"]), message: "kind not set" };
    if (missing === "no-api-version")
      yield { ...underline(yaml, ["kind"]), message: "apiVersion not set" };
  },
};
