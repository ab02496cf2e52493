/** A template for Helm, Jinja, envsubst or the like. The file is not checked, which is reported once. */
import type { FileRule } from "../rule.ts";

export const helmTemplate: FileRule = {
  id: "helm-template",
  severity: "information",
  scope: "file",
  *check({ manifest }) {
    const start = manifest.templateAt;
    if (start === undefined || !manifest.isKubernetes) return;
    const line = manifest.text.indexOf("\n", start);
    const end = line < 0 ? manifest.text.length : line;
    const message =
      "This file is a template, and not checked itself: render it (`helm template`, `envsubst`) and check the result";
    yield { start, end: Math.max(start, end), message };
  },
};
