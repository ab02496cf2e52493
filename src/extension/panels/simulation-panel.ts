/**
 * The panel that hosts the simulation page. It has no state worth saving: the page can be recreated from the language server's
 * scenario at any time, and is sent a new scenario whenever that changes.
 */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type Environment,
  type EnvironmentsReply,
  environmentsRequest,
  type SaveScenarioParams,
  type ScenarioParams,
  type ScenarioReply,
  scenarioRequest,
  type UnreadableReply,
  unreadableRequest,
} from "../../protocol/messages.ts";
import {
  type FromPage,
  isFromPage,
  pageProtocolVersion,
  type ToPage,
} from "../../protocol/page-messages.ts";
import { plainUri } from "../../protocol/uri-spellings.ts";
import { columnBeside } from "../column-beside.ts";
import { showPlace, showWritten } from "../file-places.ts";
import { pageHtml } from "./page-html.ts";
import { writeScenario } from "./scenario-writing.ts";

export const simulationViewType: string = "claimcheck.simulation";

/** A line of a file, which stands for the object written there. */
export interface FilePlace {
  readonly uri: string;
  readonly line: number;
}

/** An environment, optionally with one of its objects. */
export interface ListedObject {
  readonly environment: string;
  readonly ref?: string;
}

export interface Selected {
  readonly environment: string;
  readonly ref: string;
}

export class SimulationPanel implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #client: BaseLanguageClient;
  readonly #log: vscode.LogOutputChannel;
  readonly #messages = new vscode.EventEmitter<FromPage>();
  readonly onMessage: vscode.Event<FromPage> = this.#messages.event;
  #panel: vscode.WebviewPanel | undefined;
  #wanted: ScenarioParams = {};
  #shown: ScenarioReply | undefined;
  /** How many requests were sent to the server. A reply is out of date once a later request was sent. */
  #askedCount = 0;
  #selected: Selected | undefined;
  /** What to select once the page shows its environment. */
  #pointedAt: FilePlace | ListedObject | undefined;

  constructor(extensionUri: vscode.Uri, client: BaseLanguageClient, log: vscode.LogOutputChannel) {
    this.#extensionUri = extensionUri;
    this.#client = client;
    this.#log = log;
  }

  /** Shows the environment of the target, by default the last shown one. */
  async open(target: FilePlace | ListedObject | undefined): Promise<void> {
    if (target !== undefined) {
      this.#wanted =
        "environment" in target ? { environment: target.environment } : { uri: target.uri };
      this.#pointedAt = target;
    }
    if (this.#panel === undefined) {
      this.#panel = this.#make();
    } else {
      this.#panel.reveal();
      await this.#send();
    }
  }

  /** What is selected on the page; undefined while the page does not have the focus. */
  get selected(): Selected | undefined {
    return this.#panel?.active === true ? this.#selected : undefined;
  }

  /** Asks the page for the steps to save; does nothing if there is no page. */
  async askToSave(): Promise<void> {
    await this.#post({ type: "save", version: pageProtocolVersion });
  }

  /** Call this when the workspace has changed, so that the page may be out of date. */
  update(environments: readonly Environment[]): void {
    if (this.#panel === undefined) return;
    const shown = this.#shown?.environment;
    const current = environments.find((environment) => environment.id === shown?.id);
    // Compares more than the revision: the settings may have changed the profile or version.
    if (shown !== undefined && JSON.stringify(current) === JSON.stringify(shown)) return;
    this.#send().catch((error: unknown) => this.#log.error("simulation:", String(error)));
  }

  dispose(): void {
    this.#panel?.dispose();
    this.#messages.dispose();
  }

  /** Takes over a panel that the editor kept from its last session. */
  restore(panel: vscode.WebviewPanel): void {
    this.#panel = this.#fill(panel);
  }

  #make(): vscode.WebviewPanel {
    const title = vscode.l10n.t("Cluster Simulation");
    return this.#fill(vscode.window.createWebviewPanel(simulationViewType, title, columnBeside()));
  }

  #fill(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    const files = vscode.Uri.joinPath(this.#extensionUri, "dist", "webview");
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    webview.html = pageHtml({
      address: (file) => webview.asWebviewUri(vscode.Uri.joinPath(files, file)).toString(),
      origin: webview.cspSource,
      language: vscode.l10n.bundle === undefined ? "en" : vscode.env.language,
      texts: vscode.l10n.bundle ?? {},
    });
    webview.onDidReceiveMessage((message: unknown) => {
      this.#receive(message).catch((error: unknown) =>
        this.#log.error("simulation:", String(error)),
      );
    });
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return; // Replaced by another panel already.
      this.#askedCount++;
      this.#panel = undefined;
      this.#shown = undefined;
      this.#selected = undefined;
    });
    return panel;
  }

  async #receive(message: unknown): Promise<void> {
    if (!isFromPage(message)) {
      this.#log.warn("The simulation page sent a message of another version.");
      return;
    }
    if (message.type === "ready") {
      await this.#send();
    } else if (message.type === "choose") {
      this.#wanted = { environment: message.environment };
      await this.#send();
    } else if (message.type === "reveal") {
      await this.#reveal(message.ref, message.field);
    } else if (message.type === "unreadable") {
      await this.#revealUnreadable();
    } else if (message.type === "selected") {
      const { environment, ref } = message;
      this.#selected = ref === undefined ? undefined : { environment, ref };
    } else if (message.type === "save") {
      await this.#save(message);
    } else if (message.type === "shown") {
      this.#log.info(`simulated: ${message.entryCount} entries, hash ${message.hash}`);
      await this.#selectPointedAt(message.environment);
    } else {
      this.#log.error("simulation page:", message.text);
    }
    this.#messages.fire(message);
  }

  async #save({ environment, steps }: SaveScenarioParams): Promise<void> {
    const shown = this.#shown?.environment;
    if (shown?.id !== environment) return;
    const folder = vscode.Uri.parse(shown.folder);
    await writeScenario(this.#client, folder, { environment, steps });
  }

  async #send(): Promise<void> {
    const asked = ++this.#askedCount;
    const [environments, reply] = await Promise.all([
      this.#client.sendRequest<EnvironmentsReply>(environmentsRequest),
      this.#client.sendRequest<ScenarioReply | null>(scenarioRequest, this.#wanted),
    ]);
    if (asked !== this.#askedCount) return;
    const version = pageProtocolVersion;
    if (reply === null) {
      this.#shown = undefined;
      const text = vscode.l10n.t(
        "No file of this workspace contains a readable Kubernetes object. Open a manifest, or the folder that has some, to see here what happens to it.",
      );
      await this.#post({ type: "nothing", version, text });
    } else {
      this.#shown = reply;
      this.#wanted = { environment: reply.environment.id };
      await this.#post({ type: "scenario", version, reply, environments });
    }
  }

  async #selectPointedAt(environment: string): Promise<void> {
    // This run is of the environment shown before; the one with the place is still to come.
    if (this.#wanted.environment !== environment) return;
    const ref = this.#pointedAt && this.#refOf(this.#pointedAt);
    this.#pointedAt = undefined;
    if (ref === undefined) return;
    await this.#post({ type: "select", version: pageProtocolVersion, ref });
  }

  #refOf(target: FilePlace | ListedObject): string | undefined {
    if ("environment" in target) return target.ref;
    const file = plainUri(target.uri);
    return this.#shown?.sources.find(
      ({ uri, range }) =>
        plainUri(uri) === file && range.start.line <= target.line && target.line <= range.end.line,
    )?.ref;
  }

  async #post(message: ToPage): Promise<void> {
    await this.#panel?.webview.postMessage(message);
  }

  /** Shows where an object is written. */
  async #reveal(ref: string, field: string | undefined): Promise<void> {
    const environment = this.#shown?.environment.id;
    if (environment === undefined) return;
    await showWritten(this.#client, [
      { environment, ref, ...(field === undefined ? {} : { field }) },
    ]);
  }

  /** Shows the only unreadable document, or asks which one. */
  async #revealUnreadable(): Promise<void> {
    const environment = this.#shown?.environment.id;
    if (environment === undefined) return;
    const found = await this.#client.sendRequest<UnreadableReply>(unreadableRequest, {
      environment,
    });
    const items = found.map(({ why, ...place }) => ({
      place,
      label: `${vscode.workspace.asRelativePath(vscode.Uri.parse(place.uri))}:${place.range.start.line + 1}`,
      detail: why,
    }));
    const chosen =
      items.length > 1
        ? await vscode.window.showQuickPick(items, {
            title: vscode.l10n.t("Documents That Cannot Be Read"),
            placeHolder: vscode.l10n.t("Their objects are not simulated"),
            matchOnDetail: true,
          })
        : items[0];
    if (chosen !== undefined) await showPlace(chosen.place);
  }
}
