/** claimcheck/outcome. */
import { type OutcomeParams, type OutcomeReply, outcomeRequest } from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const outcomeHandler: ProtocolHandler = {
  register: (session) => {
    session.answerWhenLoaded<OutcomeParams, OutcomeReply | null>(outcomeRequest, null, (params) =>
      session.service.outcome(params),
    );
  },
};
