/** claimcheck/explain and claimcheck/explainEvent. */
import {
  type ExplainEventParams,
  type ExplainEventReply,
  type ExplainParams,
  type ExplainReply,
  explainEventRequest,
  explainRequest,
} from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const explainHandler: ProtocolHandler = {
  register: (session) => {
    session.answerWhenLoaded<ExplainParams, ExplainReply | null>(
      explainRequest,
      null,
      (params, isCancelled) => session.service.explain(params, isCancelled),
    );
    session.answerWhenLoaded<ExplainEventParams, ExplainEventReply | null>(
      explainEventRequest,
      null,
      (params, isCancelled) => session.service.explainEvent(params, isCancelled),
    );
  },
};
