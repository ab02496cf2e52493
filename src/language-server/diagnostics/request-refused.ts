/** An object that is right by itself and yet refused, because of what else is in the cluster: a quota, a limit, a name. */
import { sourceOf } from "../prediction/source-of.ts";
import { answerOf } from "./api-refused.ts";
import type { PredictionRule } from "./rule.ts";

export const requestRefused: PredictionRule = {
  id: "request-refused",
  severity: "warning",
  scope: "prediction",
  *check(prediction) {
    for (const request of prediction.trace.entries) {
      if (request.type !== "request" || request.status < 400) continue;
      const source = sourceOf(prediction, request.ref, request.causes?.[0]?.field ?? "");
      if (source === undefined) continue;
      // A second definition is an update of the first; that there are two is told already.
      if ((prediction.environment.byRef.get(request.ref)?.length ?? 0) > 1) continue;
      if (answerOf(source.entry.object, prediction.scenario.version)?.ok === false) continue;
      const { reason = "", message = "" } = request;
      yield { ...source, message: reason === "" ? message : `${reason}: ${message}` };
    }
  },
};
