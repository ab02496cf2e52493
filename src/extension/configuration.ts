/** Reads the user's settings in the form that the language server takes, and watches them. */
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

/** Undefined if Red Hat's extension is not installed or does not validate. It starts with the first YAML file, as we do. */
function schemasOfYamlExtension(): Settings["yamlSchemas"] {
  const yaml = vscode.workspace.getConfiguration("yaml");
  if (vscode.extensions.getExtension(yamlExtensionId) === undefined) return undefined;
  return yaml.get("validate", true) ? yaml.get<Settings["yamlSchemas"]>("schemas") : undefined;
}

/** Suppresses the client's own notification, which has less than the server needs; `watchSettings` is used instead. */
export const settingsMiddleware: Middleware = {
  workspace: { didChangeConfiguration: () => Promise.resolve() },
};

/** Calls `changed` whenever the result of `readSettings` may have changed. */
export function watchSettings(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      const sections = ["claimcheck", "yaml", "files.exclude"];
      if (sections.some((section) => event.affectsConfiguration(section))) changed();
    }),
    vscode.extensions.onDidChange(changed),
  );
}
