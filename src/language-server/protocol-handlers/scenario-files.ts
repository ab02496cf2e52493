/** claimcheck/scenarioFiles, claimcheck/runScenarioFile and claimcheck/saveScenario. */
import {
  type RunScenarioFileParams,
  type RunScenarioFileReply,
  runScenarioFileRequest,
  type SaveScenarioParams,
  type SaveScenarioReply,
  type ScenarioFilesReply,
  saveScenarioRequest,
  scenarioFilesRequest,
} from "../../protocol/messages.ts";
import { titleOf } from "../scenarios/scenario-report.ts";
import { linesOf } from "../text-lines.ts";
import type { ProtocolHandler } from "./handler.ts";

export const scenarioFilesHandler: ProtocolHandler = {
  register: (session) => {
    const { service } = session;
    session.answerWhenLoaded<unknown, ScenarioFilesReply>(scenarioFilesRequest, [], () =>
      service
        .scenarioFiles()
        .map((file) => ({ uri: session.clientUri(file.uri), title: titleOf(file) })),
    );
    session.answerWhenLoaded<RunScenarioFileParams, RunScenarioFileReply | null>(
      runScenarioFileRequest,
      null,
      async (params, isCancelled) => {
        const uri = session.canonicalUri(params.uri);
        const file = service.file(uri);
        const report = await service.runScenario(uri, isCancelled);
        if (file === undefined || report === undefined) return null;
        const { failures, expectationCount, virtualTimeMs } = report;
        const lines = linesOf(file.manifest);
        return {
          failures: failures.map(({ start, end, message }) => ({
            message,
            range: lines.rangeOf({ start, end }),
          })),
          expectationCount,
          virtualTimeMs,
        };
      },
    );
    session.answerWhenLoaded<SaveScenarioParams, SaveScenarioReply | null>(
      saveScenarioRequest,
      null,
      (params, isCancelled) => service.saveScenario(params, isCancelled),
    );
  },
};
