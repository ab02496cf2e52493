/** An object that is right by itself and yet refused, because of what else is in the cluster: a quota, a limit, a name. */
import { sourceOf } from "../prediction/source-of.ts";
import { answerOf } from "./api-refused.ts";
import type { PredictionRule } from "./rule.ts";

const limitText = /(?:minimum|maximum) storage usage per PersistentVolumeClaim/;
const quotaText = /exceeded quota: /;

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
    *check(prediction) {
      for (const request of prediction.trace.entries) {
        if (request.type !== "request" || request.status < 400) continue;
        const { reason = "", message = "" } = request;
        if (!matches(message)) continue;
        const source = sourceOf(prediction, request.ref, request.causes?.[0]?.field ?? "");
        if (source === undefined) continue;
        // A second definition is an update of the first; that there are two is told already.
        if ((prediction.environment.byRef.get(request.ref)?.length ?? 0) > 1) continue;
        if (answerOf(source.entry.object, prediction.scenario.version)?.ok === false) continue;
        yield { ...source, message: reason === "" ? message : `${reason}: ${message}` };
      }
    },
  };
}
