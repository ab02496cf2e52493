/** Text after the `---` that starts a document: kubectl refuses the file. */
import type { FileRule } from "../rule.ts";

export const documentSeparator: FileRule = {
  id: "document-separator",
  severity: "error",
  scope: "file",
  keepsOut: true,
  *check({ manifest }) {
    if (!manifest.isKubernetes || manifest.templateAt !== undefined) return;
    for (const { separatorRest } of manifest.slices) {
      if (separatorRest === undefined) continue;
      const text = manifest.text.slice(separatorRest.start, separatorRest.end);
      const message = text.startsWith("#") ? noBlank : `invalid Yaml document separator: ${text}`;
      yield { ...separatorRest, message };
    }
  },
};

const noBlank =
  "A space is missing before this comment: kubectl reads the line as part of the document";
