/** Requests of the simulation page: the environments, the scenario of one, places in files, and what is left out. */
import {
  type EnvironmentsReply,
  environmentsRequest,
  type LocateParams,
  type LocateReply,
  locateRequest,
  type ScenarioParams,
  type ScenarioReply,
  scenarioRequest,
  type UnreadableParams,
  type UnreadableReply,
  unreadableRequest,
} from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const simulationHandler: ProtocolHandler = {
  register: (session) => {
    session.answerWhenLoaded<unknown, EnvironmentsReply>(environmentsRequest, [], () =>
      session.environments(),
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
    session.answerWhenLoaded<UnreadableParams, UnreadableReply>(unreadableRequest, [], (params) =>
      session.service
        .unreadable(params)
        .map((found) => ({ ...found, uri: session.clientUri(found.uri) })),
    );
  },
};
