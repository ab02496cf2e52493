/** What the simulation page asks: the environments, the scenario of one, and where something in it is written. */
import type { CancellationToken } from "vscode-languageserver";
import {
  environmentsRequest,
  type LocateParams,
  type LocateReply,
  locateRequest,
  type ScenarioParams,
  type ScenarioReply,
  scenarioRequest,
} from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const simulationHandler: ProtocolHandler = {
  capabilities: () => ({}),
  register: (session) => {
    session.connection.onRequest(environmentsRequest, (token: CancellationToken) =>
      session.answer("environments", token, [], async () => {
        await session.loaded;
        return session.environments();
      }),
    );
    session.answerWhenLoaded<ScenarioParams, ScenarioReply | null>(
      scenarioRequest,
      null,
      (params) => session.service.scenario(params),
    );
    session.answerWhenLoaded<LocateParams, LocateReply | null>(locateRequest, null, (params) => {
      const found = session.service.locate(params);
      return found === null ? null : { ...found, uri: session.clientUri(found.uri) };
    });
  },
};
