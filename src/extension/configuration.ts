/** The user's settings as the language server takes them. */
import * as vscode from "vscode";
import type { Settings } from "../protocol/messages.ts";

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration("claimcheck");
  return {
    profile: configuration.get("profile", ""),
    kubernetesVersion: configuration.get<Settings["kubernetesVersion"]>("kubernetesVersion", ""),
  };
}
