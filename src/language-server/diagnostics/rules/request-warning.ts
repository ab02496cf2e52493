/** The API server's warnings about other objects in the cluster: pods that violate their namespace's Pod Security level. */
import { makeRef } from "../../../engine/api/meta.ts";
import { refusedPodField } from "../../../engine/explain/pods/refused-pod-field.ts";
import type { RequestEntry } from "../../../engine/trace/entry.ts";
import type { Prediction } from "../../prediction/prediction.ts";
import { rootCauses } from "../../prediction/root-causes.ts";
import { type Source, sourceOf } from "../../prediction/source-of.ts";
import { fieldsAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { printPath } from "../../yaml/field-path.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf, takenObject } from "../api-answer.ts";
import type { ObjectReport, PredictionRule, RelatedReport } from "../rule.ts";

export const requestWarning: PredictionRule = {
  id: "request-warning",
  severity: "warning",
  scope: "prediction",
  *check(prediction) {
    for (const request of prediction.trace.entries) {
      if (request.type !== "request" || request.warnings === undefined) continue;
      const report = reportOf(request, request.warnings, prediction);
      if (report !== undefined) yield report;
    }
  },
};

function reportOf(
  { ref, status }: RequestEntry,
  warnings: readonly string[],
  prediction: Prediction,
): ObjectReport | undefined {
  const source = sourceOf(prediction, ref);
  if (source === undefined || status >= 400) return undefined;
  const { object } = source.entry;
  const { version } = prediction.scenario;
  const taken = takenObject(object, version);
  if (taken === undefined) return undefined;
  const told = answerOf(object, version)?.warnings ?? [];
  const others = warnings.filter((warning) => !told.includes(warning));
  if (others.length === 0) return undefined;
  const message = others.join("\n");
  if (object.kind === "Namespace")
    return { entry: source.entry, path: levelPath(source.entry, "enforce"), message };
  const insecure = refusedPodField(taken, message);
  const place = insecure === undefined ? source : (sourceOf(prediction, ref, insecure) ?? source);
  if (isToldOfPods(message, place, prediction)) return undefined;
  return { ...place, message, related: levelOf(prediction, object.namespace) };
}

/**
 * True if the same level also prevents the workload from creating its pods: that is reported at the same field, with its
 * consequences.
 */
function isToldOfPods(message: string, place: Source, prediction: Prediction): boolean {
  const refused = message.replace("would violate", "violates");
  return rootCauses(prediction).some(
    ({ source, verdict }) =>
      source?.entry === place.entry &&
      printPath(source.path) === printPath(place.path) &&
      verdict.message?.includes(refused) === true,
  );
}

/** The namespace's label for the Pod Security level, if the namespace is in a file. */
function levelOf(
  { environment }: Prediction,
  namespace: string | undefined,
): readonly RelatedReport[] {
  const ref = makeRef("Namespace", undefined, namespace ?? "default");
  const entry = environment.byRef.get(ref)?.at(-1);
  if (entry === undefined) return [];
  const path = levelPath(entry, "warn", "enforce");
  return [{ entry, path, message: "The level that its namespace names" }];
}

/** Path of the first of these labels, or of the namespace's name if it has none. */
function levelPath({ object }: WorkspaceObject, ...modes: readonly ("enforce" | "warn")[]): Path {
  const labels = fieldsAt(object.value, "metadata", "labels");
  const key = modes
    .map((mode) => `pod-security.kubernetes.io/${mode}`)
    .find((key) => key in labels);
  return key === undefined ? ["metadata", "name"] : ["metadata", "labels", key];
}
