/** Lets the user choose the cluster that predictions assume, out of the names that the setting offers. */
import * as vscode from "vscode";

interface ProfileItem extends vscode.QuickPickItem {
  readonly profile: string;
}

export async function selectProfile(extension: vscode.Extension<unknown>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("claimcheck");
  const items = profileItems(extension.packageJSON, configuration.get("profile", ""));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Cluster Profile",
    placeHolder: "The cluster that Claimcheck assumes where claimcheck.yaml names none",
  });
  if (chosen === undefined) return;
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await configuration.update("profile", chosen.profile, target);
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
    label: profile === "" ? "Guess" : profile,
    description: profile === current ? "current" : "",
    detail: setting.enumDescriptions[i] ?? "",
  }));
}
