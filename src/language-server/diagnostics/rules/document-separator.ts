/** Text behind the `---` that starts a document: kubectl refuses the file. */
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
      yield { ...separatorRest, message: `invalid Yaml document separator: ${text}` };
    }
  },
};
