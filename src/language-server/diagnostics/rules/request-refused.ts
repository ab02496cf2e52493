/** An object that is valid by itself, but refused because of other objects in the cluster: a quota, a limit, a namespace. */
import { type KubeObject, namespaceOfRef } from "../../../engine/api/meta.ts";
import { storedObject } from "../../../engine/api/stored-object.ts";
import { refusedPodField } from "../../../engine/explain/pods/refused-pod-field.ts";
import { securityFixes } from "../../../engine/explain/pods/security-changes.ts";
import type { RequestEntry } from "../../../engine/trace/entry.ts";
import { nearestObjectName } from "../../nearest-name.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { type Source, sourceOf } from "../../prediction/source-of.ts";
import type { Path } from "../../yaml/place.ts";
import { takenObject } from "../api-answer.ts";
import { changedPlace, takenBack, writtenBefore } from "../facts/changed-fields.ts";
import type { FieldFix, ObjectReport, PredictionRule } from "../rule.ts";
import { isToldOfImport } from "./change-refused.ts";

const limitText = /(?:minimum|maximum) storage usage per PersistentVolumeClaim/;
const quotaText = /exceeded quota: /;
const namespaceText = /^namespaces ".*" not found$/;

export const limitrangeClaim: PredictionRule = refusalRule("limitrange-claim", (message) =>
  limitText.test(message),
);
export const quotaExceeded: PredictionRule = refusalRule("quota-exceeded", (message) =>
  quotaText.test(message),
);
export const requestRefused: PredictionRule = refusalRule(
  "request-refused",
  (message) => !limitText.test(message) && !quotaText.test(message),
);

function refusalRule(id: string, matches: (message: string) => boolean): PredictionRule {
  return {
    id,
    severity: "warning",
    scope: "prediction",
    keepsOut: true,
    *check(prediction) {
      for (const request of prediction.trace.entries) {
        if (request.type !== "request" || request.status < 400) continue;
        if (!matches(request.message ?? "")) continue;
        const report = reportOf(request, prediction);
        if (report !== undefined) yield report;
      }
    },
  };
}

function reportOf(request: RequestEntry, prediction: Prediction): ObjectReport | undefined {
  const { ref, reason = "", message = "" } = request;
  const { environment, scenario } = prediction;
  const source = sourceOf(prediction, ref, request.causes?.[0]?.field ?? fieldOf(request));
  if (source === undefined) return undefined;
  const { object } = source.entry;
  // A second definition updates the first one; duplicate-object reports that there are two.
  if ((environment.byRef.get(ref)?.length ?? 0) > 1) return undefined;
  const taken = takenObject(object, scenario.version);
  if (taken === undefined) return undefined;
  const there = environment.imported?.byRef.get(ref);
  if (there !== undefined && isToldOfImport(object.kind, message)) return undefined;
  const stored = there && storedObject(there);
  const insecure = refusedPodField(taken, message);
  const place = insecure === undefined ? undefined : sourceOf(prediction, ref, insecure);
  const text = reason === "" ? message : `${reason}: ${message}`;
  const changes = securityFixes(taken, message);
  const fix = limitFix(message, source.path);
  return {
    ...source,
    ...(stored?.ok === true && changeOf(stored.object, source)),
    ...place,
    message:
      changes.length === 0
        ? text
        : `${text}\nTo change: ${changes.map((one) => one.text).join("; ")}`,
    ...(request.status === 404 && { unless: [`object Namespace ${namespaceOfRef(ref)}`] }),
    ...(namespaceText.test(message) && {
      meant: nearestObjectName(namespaceOfRef(ref), namespacesOf(prediction)),
    }),
    ...(there !== undefined && { severity: "error" }),
    ...(fix !== undefined && { fix }),
  };
}

/** For an existing object: the place of the change, and the fix that undoes it. */
function changeOf(
  stored: KubeObject,
  { entry: { object }, path }: Source,
): Pick<ObjectReport, "path" | "fix"> {
  const changed = changedPlace(stored, object, path);
  return { path: changed, ...takenBack(writtenBefore(stored), object, changed) };
}

/** Asks for the limit, if the claim exceeds it. Upstream: plugin/pkg/admission/limitranger admission.go, v1.36. */
function limitFix(message: string, path: Path): FieldFix | undefined {
  const value = /storage usage per PersistentVolumeClaim is (\S+), but request is /.exec(
    message,
  )?.[1];
  return value === undefined
    ? undefined
    : { title: `Ask for ${value}`, path, value, isChoice: true };
}

function namespacesOf({ facts }: Prediction): readonly string[] {
  return facts.list("Namespace").map(({ metadata }) => metadata.name);
}

/** The field to blame: a missing namespace, or a claim's size that exceeds a quota or limit; else the object itself. */
function fieldOf({ ref, message = "" }: RequestEntry): string {
  if (namespaceText.test(message)) return "metadata.namespace";
  const isOfSize = limitText.test(message) || /requested: [^:]*\brequests\.storage=/.test(message);
  return isOfSize && ref.startsWith("PersistentVolumeClaim/")
    ? "spec.resources.requests.storage"
    : "";
}
