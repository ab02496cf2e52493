/** A line of three dots with text after it, which kubectl does not read. */
import type { DocumentRule } from "../rule.ts";

export const yamlDocumentEnd: DocumentRule = {
  id: "yaml-document-end",
  severity: "warning",
  scope: "document",
  isOfText: true,
  *check({ yaml: { unreadBehind } }) {
    if (unreadBehind === undefined) return;
    const message =
      "kubectl stops reading at these dots and silently drops the rest: separate documents with `---`";
    yield { ...unreadBehind, message };
  },
};
