/**
 * Manifests in a list without a List object around it.
 * Upstream: kubectl, pkg/validation/validation.go getObjectKind.
 */
import { underline } from "../../yaml/locate.ts";
import type { DocumentRule } from "../rule.ts";

const message =
  "invalid object to validate; kubectl takes objects one by one or in a `kind: List`, so none of this document is checked";

export const bareList: DocumentRule = {
  id: "bare-list",
  severity: "error",
  scope: "document",
  keepsOut: true,
  *check({ yaml, isBareList }) {
    if (isBareList === true) yield { ...underline(yaml, []), message };
  },
};
