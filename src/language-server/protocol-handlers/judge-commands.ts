/** workspace/executeCommand: changes claimcheck.yaml so that another overlay is judged, or a chart with other values. */
import { MessageType } from "vscode-languageserver";
import { judgeOverlayCommand, judgeValuesCommand } from "../../protocol/messages.ts";
import { judgingEdit } from "../code-actions/judged-overlay.ts";
import { judgingValuesEdit } from "../code-actions/judged-values.ts";
import { projectFileName } from "../project/project-file.ts";
import { decoded, relativePath } from "../workspace/files/uri.ts";
import { otherValues } from "../workspace/helm/chart-values.ts";
import type { ProtocolHandler } from "./handler.ts";
import type { Session } from "./session.ts";
import { canCreateFiles, toWorkspaceEdit } from "./workspace-edit.ts";

export const judgeCommandsHandler: ProtocolHandler = {
  capabilities: () => ({
    executeCommandProvider: { commands: [judgeOverlayCommand, judgeValuesCommand] },
  }),
  register: (session) => {
    session.connection.onExecuteCommand(({ command, arguments: [uri] = [] }, token) =>
      session.answer(command, token, null, async () => {
        await session.loaded;
        if (typeof uri !== "string") return null;
        if (command === judgeOverlayCommand) judgeOverlay(session, session.canonicalUri(uri));
        if (command === judgeValuesCommand) judgeValues(session, session.canonicalUri(uri));
        return null;
      }),
    );
  },
};

function judgeOverlay(session: Session, uri: string): void {
  const analysis = session.service.analysisOf(uri);
  const overlay = analysis?.environment.kustomized.overlays.find((other) => other.uri === uri);
  if (analysis === undefined || overlay === undefined) return;
  const { folder } = overlay;
  const change = judgingEdit({ analysis, findFile: session.findFile }, folder);
  apply(session, change, folder, `\`kustomization: ${folder}\``);
}

function judgeValues(session: Session, uri: string): void {
  const analysis = session.service.analysisOf(uri);
  const values = analysis && otherValues(analysis.environment).find((other) => other.uri === uri);
  if (analysis === undefined || values === undefined) return;
  const change = judgingValuesEdit({ analysis, findFile: session.findFile }, values);
  const path = decoded(relativePath(analysis.environment.id, uri));
  apply(session, change, path, `\`values: [${path}]\` with the chart below \`charts\``);
}

/** Makes the change; if that is impossible, tells the user what to write. */
function apply(
  session: Session,
  change: ReturnType<typeof judgingEdit>,
  what: string,
  written: string,
): void {
  const needsFile = change?.creates !== undefined;
  if (change === undefined || (needsFile && !canCreateFiles(session.params?.capabilities))) {
    session.show(MessageType.Info, `To judge it, write ${written} into ${projectFileName}`);
    return;
  }
  const edit = toWorkspaceEdit(session, change.edits, {}, change.creates);
  const { workspace } = session.connection;
  void session.ask("workspace/applyEdit", () =>
    workspace.applyEdit({ label: `Judge ${what}`, edit }),
  );
}
