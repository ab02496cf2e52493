/**
 * Imports the objects of a running cluster from a file or the clipboard, without the data of Secrets, into a file that
 * claimcheck.yaml names. The extension never contacts a cluster: it offers a command for the user to run.
 */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { kubectlCommand } from "../../protocol/kubectl-command.ts";
import {
  type ImportClusterParams,
  type ImportClusterReply,
  importClusterRequest,
} from "../../protocol/messages.ts";
import { withoutLinks } from "../../protocol/visible-text.ts";
import { givenText } from "../given-text.ts";
import type { FilePlace } from "../panels/simulation-panel.ts";

const fileName = "cluster.yaml";

export async function importCluster(client: BaseLanguageClient, given: unknown): Promise<void> {
  const folder = await folderOf(given);
  if (folder === undefined) {
    const open = vscode.l10n.t("Open a Folder");
    const message = vscode.l10n.t("Open the folder to save the cluster's objects in.");
    if ((await vscode.window.showErrorMessage(message, open)) === open)
      await vscode.commands.executeCommand("vscode.openFolder");
    return;
  }
  const text = givenText(given) ?? (await chooseText());
  if (text === undefined) return;
  const params: ImportClusterParams = { text, folder: folder.toString(), file: fileName };
  const reply = await client.sendRequest<ImportClusterReply | null>(importClusterRequest, params);
  if (reply === null || reply.objectCount === 0) {
    const why = reply?.problems[0] ?? "";
    void vscode.window.showErrorMessage(
      vscode.l10n.t("No object could be imported. {0}", withoutLinks(why)),
    );
    return;
  }
  if (!(await mayReplace(vscode.Uri.joinPath(folder, fileName), reply))) return;
  for (const file of reply.files) await write(vscode.Uri.parse(file.uri), file.text);
  tell(reply).catch((error: unknown) =>
    vscode.window.showErrorMessage(
      vscode.l10n.t("{0} cannot be shown: {1}", fileName, withoutLinks(String(error))),
    ),
  );
}

/** Asks the user if the file exists and is not from an earlier import. */
async function mayReplace(
  file: vscode.Uri,
  { isImportAlready }: ImportClusterReply,
): Promise<boolean> {
  if (isImportAlready || !(await exists(file))) return true;
  const message = vscode.l10n.t(
    "{0} exists already, and claimcheck.yaml does not name it as an import. Replace its contents?",
    fileName,
  );
  const replace = vscode.l10n.t("Replace");
  return (await vscode.window.showWarningMessage(message, { modal: true }, replace)) === replace;
}

function exists(file: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}

async function tell({
  objectCount,
  nodeCount,
  problems,
  files,
}: ImportClusterReply): Promise<void> {
  const nodes = nodeCount === 1 ? vscode.l10n.t("1 node") : vscode.l10n.t("{0} nodes", nodeCount);
  const trouble = problems[0] === undefined ? "" : ` ${withoutLinks(problems[0])}.`;
  const message = vscode.l10n.t(
    "{0} objects, {1} among them, are now in {2}, without the contents of Secrets. Check what ConfigMaps and environment variables contain before you share it.",
    objectCount,
    nodes,
    fileName,
  );
  const simulate = vscode.l10n.t("Simulate Cluster");
  const show = vscode.l10n.t("Show File");
  const text = `${message}${trouble}`;
  const chosen = await vscode.window.showInformationMessage(text, simulate, show);
  const [first] = files;
  if (first === undefined) return;
  if (chosen === show) await vscode.window.showTextDocument(vscode.Uri.parse(first.uri));
  const place: FilePlace = { uri: first.uri, line: 0 };
  if (chosen === simulate)
    await vscode.commands.executeCommand("claimcheck.simulateCluster", place);
}

/** Writes the file; through the editor if it is open, so that its undo history is kept. */
async function write(uri: vscode.Uri, text: string): Promise<void> {
  const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (open === undefined) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  const end = open.lineAt(open.lineCount - 1).range.end;
  edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
  await open.save();
}

/** The given folder, that of the active file, or the only or chosen one; undefined if there is none. */
async function folderOf(given: unknown): Promise<vscode.Uri | undefined> {
  const { folder } = (given ?? {}) as { readonly folder?: unknown };
  if (typeof folder === "string") return vscode.Uri.parse(folder);
  const active = vscode.window.activeTextEditor?.document.uri;
  const ofActive = active === undefined ? undefined : vscode.workspace.getWorkspaceFolder(active);
  if (ofActive !== undefined) return ofActive.uri;
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (others.length === 0) return first?.uri;
  return (await vscode.window.showWorkspaceFolderPick())?.uri;
}

interface Source extends vscode.QuickPickItem {
  readonly read: () => Promise<string | undefined>;
}

async function chooseText(): Promise<string | undefined> {
  const copied = await vscode.env.clipboard.readText();
  const sources: Source[] = [
    {
      label: vscode.l10n.t("File…"),
      detail: vscode.l10n.t("Saved YAML or JSON"),
      read: readFile,
    },
  ];
  if (/apiVersion/.test(copied.slice(0, 10_000)))
    sources.unshift({ label: vscode.l10n.t("Clipboard"), read: () => Promise.resolve(copied) });
  sources.push({
    label: vscode.l10n.t("Copy the Command for kubectl"),
    detail: kubectlCommand,
    read: copyCommand,
  });
  const chosen = await vscode.window.showQuickPick(sources, {
    title: vscode.l10n.t("Import Cluster State"),
    placeHolder: vscode.l10n.t("The output of kubectl get … -A -o yaml"),
  });
  return await chosen?.read();
}

async function readFile(): Promise<string | undefined> {
  const filters = {
    [vscode.l10n.t("YAML or JSON")]: ["yaml", "yml", "json", "txt"],
    [vscode.l10n.t("All Files")]: ["*"],
  };
  const [uri] = (await vscode.window.showOpenDialog({ filters })) ?? [];
  if (uri === undefined) return undefined;
  // PowerShell redirects output as UTF-16.
  return await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
}

async function copyCommand(): Promise<undefined> {
  await vscode.env.clipboard.writeText(kubectlCommand);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      "Run the command where you have access to the cluster, copy what it prints or save it to a file, then import again.",
    ),
  );
  return undefined;
}
