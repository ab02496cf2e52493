/** The user's settings as the language server takes them, and when they change. */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";
import type { Settings } from "../protocol/messages.ts";

export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration("claimcheck");
  const yamlSchemas =
    configuration.get("structuralErrors") === "always" ? undefined : schemasOfYamlExtension();
  return {
    profile: configuration.get("profile", ""),
    kubernetesVersion: configuration.get<Settings["kubernetesVersion"]>("kubernetesVersion", ""),
    exclude: vscode.workspace
      .getConfiguration("files")
      .get<NonNullable<Settings["exclude"]>>("exclude", {}),
    inlayHints: configuration.get<Readonly<Record<string, boolean>>>("inlayHints", {}),
    ...(yamlSchemas !== undefined && { yamlSchemas }),
  };
}

const yamlExtensionId = "redhat.vscode-yaml";

/** Undefined where Red Hat's extension is not there or does not validate. It starts with the first YAML file, as we do. */
function schemasOfYamlExtension(): Settings["yamlSchemas"] {
  const yaml = vscode.workspace.getConfiguration("yaml");
  if (vscode.extensions.getExtension(yamlExtensionId) === undefined) return undefined;
  return yaml.get("validate", true) ? yaml.get<Settings["yamlSchemas"]>("schemas") : undefined;
}

/** What the client would send of a change is less than the server needs. */
export const settingsMiddleware: Middleware = {
  workspace: { didChangeConfiguration: () => Promise.resolve() },
};

/** Calls `changed` whenever `readSettings` may give something else. */
export function watchSettings(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      const sections = ["claimcheck", "yaml", "files.exclude"];
      if (sections.some((section) => event.affectsConfiguration(section))) changed();
    }),
    vscode.extensions.onDidChange(changed),
  );
}
