/** The workspace's `*.scenario.yaml` in the Test Explorer. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type RunScenarioFileParams,
  type RunScenarioFileReply,
  runScenarioFileRequest,
  type ScenarioFilesReply,
  scenarioFilesRequest,
} from "../protocol/messages.ts";
import { visibleText } from "../protocol/visible-text.ts";

export class ScenarioTests implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #watcher: vscode.FileSystemWatcher;
  readonly #client: BaseLanguageClient;
  readonly #log: vscode.LogOutputChannel;
  /** Whether the Test Explorer has been opened: before that, nothing is listed. */
  #isShown = false;

  constructor(client: BaseLanguageClient, log: vscode.LogOutputChannel) {
    this.#client = client;
    this.#log = log;
    this.#controller = vscode.tests.createTestController(
      "claimcheck",
      vscode.l10n.t("Claimcheck Scenarios"),
    );
    this.#controller.resolveHandler = async (item) => {
      if (item !== undefined) return;
      this.#isShown = true;
      await this.#list();
    };
    this.#controller.refreshHandler = () => this.#list();
    this.#controller.createRunProfile(
      vscode.l10n.t("Run"),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#run(request, token),
      true,
    );
    this.#watcher = vscode.workspace.createFileSystemWatcher("**/*.scenario.{yaml,yml}");
    for (const event of [
      this.#watcher.onDidCreate,
      this.#watcher.onDidChange,
      this.#watcher.onDidDelete,
    ])
      event(() => this.update());
  }

  /** Call this when scenario files may have been added, deleted or given other titles. */
  update(): void {
    if (!this.#isShown) return;
    this.#list().catch((error: unknown) => this.#log.error("scenarios:", String(error)));
  }

  dispose(): void {
    this.#watcher.dispose();
    this.#controller.dispose();
  }

  async #list(): Promise<void> {
    const { items } = this.#controller;
    const files = await this.#client.sendRequest<ScenarioFilesReply>(scenarioFilesRequest);
    items.replace(
      files.map(({ uri, title }) => {
        const item = items.get(uri) ?? this.#newItem(uri);
        item.label = title;
        return item;
      }),
    );
  }

  #newItem(text: string): vscode.TestItem {
    const uri = vscode.Uri.parse(text);
    const item = this.#controller.createTestItem(text, text, uri);
    item.description = vscode.workspace.asRelativePath(uri);
    item.range = new vscode.Range(0, 0, 0, 0);
    return item;
  }

  async #run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const wanted = request.include ?? [...this.#controller.items].map(([, item]) => item);
    const items = wanted.filter((item) => request.exclude?.includes(item) !== true);
    const run = this.#controller.createTestRun(request);
    for (const item of items) run.enqueued(item);
    try {
      for (const item of items) {
        if (token.isCancellationRequested) break;
        run.started(item);
        await this.#runItem(run, item, token);
      }
    } finally {
      run.end(); // Otherwise the Test Explorer shows a run that never ends.
    }
  }

  /** A canceled or failed request is answered by an error, which is caught here. */
  async #runItem(
    run: vscode.TestRun,
    item: vscode.TestItem,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const params: RunScenarioFileParams = { uri: item.id };
    try {
      const reply = await this.#client.sendRequest<RunScenarioFileReply | null>(
        runScenarioFileRequest,
        params,
        token,
      );
      if (reply !== null) show(run, item, reply);
      else if (!token.isCancellationRequested)
        run.errored(item, new vscode.TestMessage(vscode.l10n.t("This scenario no longer exists.")));
    } catch (error) {
      if (token.isCancellationRequested) return;
      this.#log.error("scenarios:", String(error));
      run.errored(
        item,
        new vscode.TestMessage(vscode.l10n.t("Claimcheck could not run it; its log says why.")),
      );
    }
  }
}

function show(run: vscode.TestRun, item: vscode.TestItem, reply: RunScenarioFileReply): void {
  const { failures, expectationCount, virtualTimeMs } = reply;
  const seconds = Math.round(virtualTimeMs / 1000);
  const expectations =
    expectationCount === 1
      ? vscode.l10n.t("1 expectation")
      : vscode.l10n.t("{0} expectations", expectationCount);
  const text = vscode.l10n.t(
    "{0}: {1}, {2} s of the cluster's time",
    item.label,
    expectations,
    seconds,
  );
  run.appendOutput(`${visibleText(text)}\r\n`, undefined, item);
  if (failures.length === 0) {
    run.passed(item);
    return;
  }
  const messages = failures.map(({ message, range: { start, end } }) => {
    const shown = new vscode.TestMessage(visibleText(message));
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    if (item.uri !== undefined) shown.location = new vscode.Location(item.uri, range);
    return shown;
  });
  run.failed(item, messages);
}
