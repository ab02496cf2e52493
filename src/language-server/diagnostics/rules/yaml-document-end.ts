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
      "kubectl reads no further than these dots, and drops the rest without a word: divide documents with `---`";
    yield { ...unreadBehind, message };
  },
};
