/** Objects so large that the API server refuses the note of them that `kubectl apply` leaves in their annotations. */
import { isNoteTooLong } from "../../../engine/api/apply-patch.ts";
import { annotationBytesMax } from "../../../engine/api/validation/object-meta.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { underline } from "../../yaml/locate.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

/** Bytes that one letter of a file may take in the note: `<` is written `\u003c` there. */
const bytesPerLetterMax = 6;
const hasAlias = /[\s[{,]\*\S/;

export const applyTooLong: DocumentRule = {
  id: "apply-too-long",
  severity: "information",
  scope: "document",
  isOfKubectl: true,
  *check({ yaml, objects }) {
    const isSmall = yaml.text.length * bytesPerLetterMax <= annotationBytesMax;
    if (isSmall && !hasAlias.test(yaml.text)) return;
    for (const object of objects) {
      const { value, name, namespace } = object;
      if (name === "" || isNotNoted(textAt(value, "metadata", "annotations", syncOptions)))
        continue;
      if (!isNoteTooLong(value, namespace === "" ? undefined : namespace)) continue;
      const path = documentPath(object, ["metadata", "name"]);
      const message = `kubectl apply keeps the whole object in an annotation of it, for which this one is too large (metadata.annotations: Too long: may not be more than ${annotationBytesMax} bytes); kubectl apply --server-side and kubectl create keep nothing there`;
      yield { ...underline(yaml, path), message };
    }
  },
};

const syncOptions = "argocd.argoproj.io/sync-options";

/** Whether Argo CD, which else applies as kubectl does, is told not to. */
function isNotNoted(options = ""): boolean {
  const all = options.split(",").map((option) => option.trim());
  return all.includes("ServerSideApply=true") || all.includes("Replace=true");
}
