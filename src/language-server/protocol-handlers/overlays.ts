/** claimcheck/overlays, and the command that chooses one of them. */
import { MessageType, ShowMessageNotification } from "vscode-languageserver";
import {
  judgeOverlayCommand,
  type OverlaysReply,
  overlaysRequest,
} from "../../protocol/messages.ts";
import { judgingEdit } from "../code-actions/judged-overlay.ts";
import { projectFileName } from "../project/project-file.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";
import { canCreateFiles, toWorkspaceEdit } from "./workspace-edit.ts";

export const overlaysHandler: ProtocolHandler = {
  capabilities: () => ({ executeCommandProvider: { commands: [judgeOverlayCommand] } }),
  register: (session) => {
    session.answerWhenLoaded<unknown, OverlaysReply>(overlaysRequest, [], () =>
      session.service.environments().flatMap(({ name, kustomized }) =>
        kustomized.overlays.map(({ uri, folder, isJudged }) => {
          return { uri: session.clientUri(uri), folder, environment: name, isJudged };
        }),
      ),
    );
    session.connection.onExecuteCommand(({ command, arguments: [uri] = [] }, token) =>
      session.answer(command, token, null, async () => {
        await session.loaded;
        if (command === judgeOverlayCommand && typeof uri === "string") judge(session, uri);
        return null;
      }),
    );
  },
};

function judge(session: Session, given: string): void {
  const uri = session.canonicalUri(given);
  const analysis = session.service.analysisOf(uri);
  const overlay = analysis?.environment.kustomized.overlays.find((other) => other.uri === uri);
  if (analysis === undefined || overlay === undefined) return;
  const { folder } = overlay;
  const change = judgingEdit({ analysis, findFile: session.findFile }, folder);
  const needsFile = change?.creates !== undefined;
  if (change === undefined || (needsFile && !canCreateFiles(session.params?.capabilities))) {
    void session.connection.sendNotification(ShowMessageNotification.type, {
      type: MessageType.Info,
      message: `Write \`kustomization: ${folder}\` into ${projectFileName}, and this overlay is judged`,
    });
    return;
  }
  const edit = toWorkspaceEdit(session, change.edits, {}, change.creates);
  void session.connection.workspace.applyEdit({ label: `Judge ${folder}`, edit });
}
