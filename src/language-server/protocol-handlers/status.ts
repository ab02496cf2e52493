/** claimcheck/status. */
import type { CancellationToken } from "vscode-languageserver";
import { type StatusReply, statusRequest } from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const statusHandler: ProtocolHandler = {
  capabilities: () => ({}),
  register: (session) => {
    session.connection.onRequest(statusRequest, (token: CancellationToken) =>
      session.answer<StatusReply | null>("status", token, null, () => session.service.status()),
    );
  },
};
