/** What both entry points do: create the parts, register them, start the language server. */
import * as vscode from "vscode";
import type { BaseLanguageClient, LanguageClientOptions } from "vscode-languageclient";
import {
  type EnvironmentsParams,
  environmentsNotification,
  type ScenarioParams,
  type ScenarioReply,
  scenarioRequest,
} from "../protocol/messages.ts";
import type { FromPage } from "../protocol/page-messages.ts";
import { keepCodeLenses, lensMiddleware } from "./code-lenses.ts";
import { explain } from "./commands/explain.ts";
import { explainEvent } from "./commands/explain-event.ts";
import { importCluster } from "./commands/import-cluster.ts";
import { openManifest } from "./commands/open-manifest.ts";
import { registerCommand } from "./commands/register-command.ts";
import { saveScenario } from "./commands/save-scenario.ts";
import { selectOverlay } from "./commands/select-overlay.ts";
import { selectProfile } from "./commands/select-profile.ts";
import { showLog } from "./commands/show-log.ts";
import { simulateCluster } from "./commands/simulate-cluster.ts";
import { readSettings, settingsMiddleware, watchSettings } from "./configuration.ts";
import { answerFileRequests } from "./file-requests.ts";
import { OutcomeTree } from "./outcome-tree.ts";
import { ExplanationDocuments } from "./panels/explanation-documents.ts";
import { SimulationPanel, simulationViewType } from "./panels/simulation-panel.ts";
import { ProfileStatus } from "./profile-status.ts";
import { ScenarioTests } from "./scenario-tests.ts";

/** What `activate` returns to other extensions and to tests. */
export interface ExtensionApi {
  /** Fires for each message of the simulation page. */
  readonly onPageMessage: vscode.Event<FromPage>;
  /** Fires with an environment's id when the view Storage Outcome asks for its outcome. */
  readonly onOutcomeAsked: vscode.Event<string>;
  /** The scenario that would be simulated; null if there is none. */
  scenario(parameters: ScenarioParams): Promise<ScenarioReply | null>;
}

const linkedCommands: readonly string[] = ["claimcheck.explain", "claimcheck.simulateCluster"];

export type MakeClient = (options: LanguageClientOptions) => BaseLanguageClient;

export async function activateWith(
  context: vscode.ExtensionContext,
  makeClient: MakeClient,
): Promise<ExtensionApi> {
  const log = vscode.window.createOutputChannel("Claimcheck", { log: true });
  const client = makeClient({
    // Helm extensions register a language for templates; without one, *.tpl files have no language.
    documentSelector: [
      { language: "yaml" },
      { language: "json" },
      { language: "helm" },
      { pattern: "**/templates/**/*.tpl" },
    ],
    outputChannel: log,
    // Diagnostics are pushed, so that those in unopened files appear as soon as they are known.
    initializationOptions: {
      ...readSettings(),
      commandLinks: true,
      diagnostics: "push",
      ...(context.storageUri?.scheme === "file" && { storageFolder: context.storageUri.fsPath }),
    },
    // Hovers end with links to these two commands.
    markdown: { supportHtml: false, isTrusted: { enabledCommands: linkedCommands } },
    middleware: { ...settingsMiddleware, ...lensMiddleware },
  });
  const status = new ProfileStatus();
  const explanations = new ExplanationDocuments();
  const scenarios = new ScenarioTests(client, log);
  const tree = new OutcomeTree(client);
  const panel = new SimulationPanel(context.extensionUri, client, log);
  context.subscriptions.push(
    log,
    status,
    tree,
    panel,
    explanations,
    scenarios,
    ...answerFileRequests(client),
    keepCodeLenses(client, panel.onMessage),
    client.onNotification(environmentsNotification, (params: EnvironmentsParams) => {
      status.show(params.environments);
      tree.update(params.environments);
      panel.update(params.environments);
      scenarios.update();
    }),
    vscode.window.registerWebviewPanelSerializer(simulationViewType, {
      deserializeWebviewPanel: async (kept) => panel.restore(kept),
    }),
    registerCommand("claimcheck.simulateCluster", log, (argument) =>
      simulateCluster(panel, argument),
    ),
    registerCommand("claimcheck.explain", log, (argument) =>
      explain(client, explanations, panel, argument),
    ),
    registerCommand("claimcheck.explainEvent", log, (argument) =>
      explainEvent(client, explanations, argument),
    ),
    registerCommand("claimcheck.importCluster", log, (argument) => importCluster(client, argument)),
    registerCommand("claimcheck.openManifest", log, (argument) => openManifest(client, argument)),
    registerCommand("claimcheck.saveScenario", log, () => saveScenario(panel)),
    registerCommand("claimcheck.selectOverlay", log, () => selectOverlay(client)),
    registerCommand("claimcheck.selectProfile", log, () =>
      selectProfile(client, status, context.extension),
    ),
    registerCommand("claimcheck.showLog", log, () => showLog(log)),
    // A server that does not stop in time ends with the editor, and an error could not be shown any more.
    { dispose: () => client.dispose().catch(() => undefined) },
  );
  await client.start();
  context.subscriptions.push(
    watchSettings(() => {
      const settings = { claimcheck: readSettings() };
      client
        .sendNotification("workspace/didChangeConfiguration", { settings })
        .catch((error: unknown) => log.error("settings:", String(error)));
    }),
  );
  return {
    onPageMessage: panel.onMessage,
    onOutcomeAsked: tree.onAsked,
    scenario: (parameters) => client.sendRequest<ScenarioReply | null>(scenarioRequest, parameters),
  };
}
