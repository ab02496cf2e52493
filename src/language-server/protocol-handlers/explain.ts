/** claimcheck/explain. */
import { type ExplainParams, type ExplainReply, explainRequest } from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const explainHandler: ProtocolHandler = {
  capabilities: () => ({}),
  register: (session) =>
    session.answerWhenLoaded<ExplainParams, ExplainReply | null>(explainRequest, null, (params) =>
      session.service.explain(params),
    ),
};
