/**
 * Claims that Argo CD is told to replace instead of apply. Upstream: gitops-engine pkg/sync/sync_context.go applyObject; the
 * API server's answer is its own.
 */

import { asKubeObject } from "../../../engine/api/meta.ts";
import { created } from "../../../engine/api/patch/apply-patch.ts";
import { answerCreate, answerUpdate } from "../../../engine/api/requests.ts";
import { fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { contextFor } from "../api-answer.ts";
import { asNamed } from "../facts/stored-object.ts";
import { objectRule } from "../object-rule.ts";
import type { DocumentContext, DocumentRule } from "../rule.ts";

const annotation = "argocd.argoproj.io/sync-options";

export const argocdReplaceClaim: DocumentRule = objectRule(
  "argocd-replace-claim",
  "warning",
  { kinds: ["PersistentVolumeClaim"] },
  function* (object, context) {
    const path = ["metadata", "annotations", annotation];
    const options = (textAt(object.value, ...path) ?? "").split(",").map((one) => one.trim());
    if (!options.includes("Replace=true")) return;
    const isForced = options.includes("Force=true");
    if (!isForced && !isRefused(object, context)) return;
    const left = options.filter(
      (one) => one !== "Replace=true" && (one !== "Force=true" || !isForced),
    );
    yield {
      path,
      message: isForced
        ? "Each sync deletes the claim and recreates it: with the reclaim policy Delete its data is deleted too, and while a pod uses it the sync hangs"
        : "Each sync after the first fails: a claim that is replaced would lose the volume that it is bound to, and the API server refuses that (spec is immutable after creation)",
      fix:
        left.length === 0
          ? { title: "Remove the annotation", path, value: null }
          : { title: `Change to ${left.join(",")}`, path, value: left.join(",") },
    };
  },
);

/** True if the claim, once bound, cannot be replaced by the manifest. */
function isRefused(object: ManifestObject, { version }: DocumentContext): boolean {
  const context = contextFor(object, version);
  const answer = answerCreate(created(object.value), context);
  if (!answer.ok) return false;
  const stored = asNamed(answer.object);
  const spec = { volumeName: "made-for-it", ...fieldsAt({ ...stored }, "spec") };
  const bound = asKubeObject({ ...stored, spec, status: { phase: "Bound" } });
  return !answerUpdate(bound, created(object.value), context, "").ok;
}
