/**
 * Objects that can be created but not applied. Upstream: kubectl v0.36 pkg/cmd/apply/apply.go applyOneObject; for objects that
 * are too large for the last-applied annotation, pkg/util/apply.go CreateApplyAnnotation.
 */
import { isNoteTooLong } from "../../../engine/api/patch/apply-patch.ts";
import { annotationBytesMax } from "../../../engine/api/validation/object-meta.ts";
import type { Manifest } from "../../../engine/scenario.ts";
import { textAt } from "../../workspace/manifest-fields.ts";
import { underline } from "../../yaml/locate.ts";
import { objectRule } from "../object-rule.ts";
import { type DocumentRule, documentPath } from "../rule.ts";

/** Bytes that one character of a file can take in the annotation, which writes `<` as `\u003c`. */
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
      if (name === "" || isNotNoted(value)) continue;
      if (!isNoteTooLong(value, namespace === "" ? undefined : namespace)) continue;
      const path = documentPath(object, ["metadata", "name"]);
      const message = `kubectl apply stores the whole object in an annotation, for which it is too large (metadata.annotations: Too long: may not be more than ${annotationBytesMax} bytes); kubectl apply --server-side and kubectl create do not`;
      yield { ...underline(yaml, path), message };
    }
  },
};

export const applyWithoutName: DocumentRule = objectRule(
  "apply-without-name",
  "information",
  { besidesRefusal: true, isOfKubectl: true },
  function* ({ value, name }) {
    const path = ["metadata", "generateName"];
    const begun = textAt(value, ...path) ?? "";
    // Argo CD creates its hooks instead of applying them.
    if (name !== "" || begun === "" || argoOption(value, "hook") !== "") return;
    const proposed = begun.replace(/[-.]+$/, "");
    yield {
      path,
      message: `kubectl apply refuses an object without a name (from ${begun}: cannot use generate name with apply); kubectl create creates a new one each time`,
      ...(proposed !== "" && {
        fix: { title: `Name it ${proposed}`, path: ["metadata", "name"], value: proposed },
      }),
    };
  },
);

/** True if Argo CD is told not to apply the object as kubectl does. */
function isNotNoted(value: Manifest): boolean {
  const options = argoOption(value, "sync-options").split(",");
  const all = options.map((option) => option.trim());
  return all.includes("ServerSideApply=true") || all.includes("Replace=true");
}

/** "" if there is none. */
function argoOption(value: Manifest, name: string): string {
  return textAt(value, "metadata", "annotations", `argocd.argoproj.io/${name}`) ?? "";
}
