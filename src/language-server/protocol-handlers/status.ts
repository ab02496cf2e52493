/** claimcheck/status. */
import { CancellationToken } from "vscode-languageserver";
import { type StatusReply, statusRequest } from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const statusHandler: ProtocolHandler = {
  register: (session) => {
    const answer = (_: unknown, token: CancellationToken = CancellationToken.None) =>
      session.answer<StatusReply | null>("status", token, null, () => session.service.status());
    session.connection.onRequest<unknown, unknown>(statusRequest, answer);
  },
};
