/**
 * Lets the user choose the cluster that predictions assume, among the values of the setting; if claimcheck.yaml sets it,
 * shows that line instead.
 */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type Environment,
  type EnvironmentsReply,
  environmentsRequest,
} from "../../protocol/messages.ts";
import { isSetInProject, type ProfileStatus } from "../profile-status.ts";

interface ProfileItem extends vscode.QuickPickItem {
  readonly profile: string;
}

export async function selectProfile(
  client: BaseLanguageClient,
  status: ProfileStatus,
  extension: vscode.Extension<unknown>,
): Promise<void> {
  const environment = status.atWork(
    await client.sendRequest<EnvironmentsReply>(environmentsRequest),
  );
  if (environment !== undefined && isSetInProject(environment)) {
    const file = await projectFile(vscode.Uri.parse(environment.folder));
    if (file !== undefined) return await showProfile(file, environment);
  }
  const configuration = vscode.workspace.getConfiguration("claimcheck");
  const items = profileItems(extension.packageJSON, configuration.get("profile", ""));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Cluster Profile"),
    placeHolder: vscode.l10n.t(
      "The cluster that Claimcheck assumes where claimcheck.yaml names none",
    ),
  });
  if (chosen === undefined) return;
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await configuration.update("profile", chosen.profile, target);
}

/** The nearest claimcheck.yaml, in the folder or above it; undefined if the workspace folder has none. */
async function projectFile(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (vscode.workspace.getWorkspaceFolder(folder) === undefined) return undefined;
  const files = await vscode.workspace.fs.readDirectory(folder);
  const name = "claimcheck.yaml";
  if (files.some(([file]) => file === name)) return vscode.Uri.joinPath(folder, name);
  return await projectFile(vscode.Uri.joinPath(folder, ".."));
}

/** Opens the file with the profile's name selected, ready to be replaced. With an imported cluster the file may have none. */
async function showProfile(file: vscode.Uri, { profile }: Environment): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const written = /\bprofile:\s*["']?/.exec(document.getText());
  const start = written === null ? 0 : written.index + written[0].length;
  const length = written === null ? 0 : profile.length;
  const selection = new vscode.Range(
    document.positionAt(start),
    document.positionAt(start + length),
  );
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection });
}

interface Manifest {
  readonly contributes: {
    readonly configuration: {
      readonly properties: {
        readonly "claimcheck.profile": {
          readonly enum: readonly string[];
          readonly enumDescriptions: readonly string[];
        };
      };
    };
  };
}

function profileItems(manifest: Manifest, current: string): readonly ProfileItem[] {
  const setting = manifest.contributes.configuration.properties["claimcheck.profile"];
  return setting.enum.map((profile, i) => ({
    profile,
    label: profile === "" ? vscode.l10n.t("Guess") : profile,
    description: profile === current ? vscode.l10n.t("current") : "",
    detail: setting.enumDescriptions[i] ?? "",
  }));
}
