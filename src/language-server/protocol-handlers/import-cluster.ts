/** claimcheck/importCluster. */
import {
  type ImportClusterParams,
  type ImportClusterReply,
  importClusterRequest,
} from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const importClusterHandler: ProtocolHandler = {
  register: (session) => {
    session.answerWhenLoaded<ImportClusterParams, ImportClusterReply | null>(
      importClusterRequest,
      null,
      (params) => session.service.importCluster(params),
    );
  },
};
