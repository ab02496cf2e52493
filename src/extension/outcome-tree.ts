/** The view in the Explorer that lists the outcomes of all objects. It asks the server only while it is visible. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { environmentLabels } from "../protocol/environment-labels.ts";
import {
  type Environment,
  type EnvironmentsReply,
  environmentsRequest,
  type OutcomeGroup,
  type OutcomeParams,
  type OutcomeReply,
  type OutcomeRow,
  outcomeRequest,
} from "../protocol/messages.ts";
import { kindTitles, type OutcomeMark, outcomeMarks } from "../protocol/outcome-words.ts";

interface EnvironmentNode {
  readonly type: "environment";
  readonly environment: string;
  readonly label: string;
  readonly cluster: string;
  readonly outcome: OutcomeReply;
}

interface GroupNode {
  readonly type: "group";
  readonly environment: string;
  readonly group: OutcomeGroup;
}

/** Also the argument that the view passes to commands. */
export interface RowNode {
  readonly type: "row";
  readonly environment: string;
  readonly ref: string;
  readonly row: OutcomeRow;
}

interface MoreNode {
  readonly type: "more";
  readonly environment: string;
  readonly count: number;
}

type Node = EnvironmentNode | GroupNode | RowNode | MoreNode;

const colors: Readonly<Record<OutcomeMark, string>> = {
  healthy: "testing.iconPassed",
  "will-happen": "charts.blue",
  "waits-for-you": "problemsWarningIcon.foreground",
  "depends-on-order": "problemsWarningIcon.foreground",
  stuck: "problemsErrorIcon.foreground",
  fails: "problemsErrorIcon.foreground",
  refused: "problemsErrorIcon.foreground",
};

export class OutcomeTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #client: BaseLanguageClient;
  readonly #view: vscode.TreeView<Node>;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #asked = new vscode.EventEmitter<string>();
  readonly onDidChangeTreeData: vscode.Event<undefined> = this.#changed.event;
  readonly onAsked: vscode.Event<string> = this.#asked.event;

  constructor(client: BaseLanguageClient) {
    this.#client = client;
    this.#view = vscode.window.createTreeView("claimcheck.outcome", { treeDataProvider: this });
    this.#view.message = vscode.l10n.t("Simulating the manifests…");
  }

  /** Call this after each new prediction. VS Code then asks for the nodes, but only while the view is visible. */
  update(environments: readonly Environment[]): void {
    // The context is never reset: the view stays, even with no objects left.
    if (environments.length > 0)
      void vscode.commands.executeCommand("setContext", "claimcheck.hasObjects", true);
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
    this.#asked.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    switch (node?.type) {
      case undefined:
        return await this.#roots();
      case "environment":
        return groupsOf(node);
      case "group":
        return rowsOf(node);
      default:
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.type) {
      case "environment":
        return environmentItem(node);
      case "group":
        return groupItem(node);
      case "row":
        return rowItem(node);
      case "more":
        return moreItem(node);
    }
  }

  /** The environments; if there is only one, its groups. */
  async #roots(): Promise<Node[]> {
    const all = await this.#client.sendRequest<EnvironmentsReply>(environmentsRequest);
    const labels = environmentLabels(all);
    const nodes = await Promise.all(all.map((one) => this.#environmentNode(one, labels)));
    const known = nodes.filter((node) => node !== undefined);
    const only = known.length === 1 ? known[0] : undefined;
    this.#view.message = "";
    this.#view.description = only?.cluster ?? "";
    return only === undefined ? known : groupsOf(only);
  }

  async #environmentNode(
    { id, name, profile, kubernetesVersion }: Environment,
    labels: ReadonlyMap<string, string>,
  ): Promise<EnvironmentNode | undefined> {
    this.#asked.fire(id);
    const params: OutcomeParams = { environment: id };
    const outcome = await this.#client.sendRequest<OutcomeReply | null>(outcomeRequest, params);
    if (outcome === null) return undefined;
    const cluster = `${profile} ${kubernetesVersion}`;
    const label = labels.get(id) ?? name;
    return { type: "environment", environment: id, label, cluster, outcome };
  }
}

function groupsOf({ environment, outcome }: EnvironmentNode): Node[] {
  return outcome.groups.map((group) => ({ type: "group", environment, group }));
}

function rowsOf({ environment, group: { rows, count } }: GroupNode): Node[] {
  const nodes: Node[] = rows.map((row) => ({ type: "row", environment, ref: row.ref, row }));
  const left = count - rows.length;
  return left > 0 ? [...nodes, { type: "more", environment, count: left }] : nodes;
}

/** Makes a tree item. `rest` should have an id, by which VS Code keeps expansion and selection. */
function itemOf(
  label: string,
  description: string,
  rest: Partial<vscode.TreeItem>,
): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label), { description, ...rest });
}

function environmentItem({
  environment,
  label,
  cluster,
  outcome,
}: EnvironmentNode): vscode.TreeItem {
  return itemOf(label, joined(cluster, outcome.trouble), {
    id: environment,
    collapsibleState: vscode.TreeItemCollapsibleState.Collapsed,
    contextValue: "environment",
  });
}

function groupItem({ environment, group }: GroupNode): vscode.TreeItem {
  const { kind, count, trouble } = group;
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  return itemOf(vscode.l10n.t(kindTitles[kind]), joined(String(count), trouble), {
    id: `${environment} ${kind}`,
    collapsibleState: trouble === "" ? Collapsed : Expanded,
    contextValue: "group",
  });
}

function rowItem(node: RowNode): vscode.TreeItem {
  const { name, ref, mark, state, headline, details } = node.row;
  return itemOf(name, state, {
    id: `${node.environment} ${ref}`,
    ...(mark !== undefined && markOf(mark, headline)),
    // The text comes from files that may be untrusted: no commands, HTML or icons are enabled in it.
    tooltip: new vscode.MarkdownString(details),
    command: {
      title: vscode.l10n.t("Open YAML"),
      command: "claimcheck.openManifest",
      arguments: [node],
    },
    contextValue: "object",
  });
}

/** The mark's icon, and its meaning in words for screen readers. */
function markOf(mark: OutcomeMark, headline: string): Partial<vscode.TreeItem> {
  const { icon, words } = outcomeMarks[mark];
  return {
    iconPath: new vscode.ThemeIcon(icon, new vscode.ThemeColor(colors[mark])),
    accessibilityInformation: { label: `${vscode.l10n.t(words)}: ${headline}` },
  };
}

function moreItem({ environment, count }: MoreNode): vscode.TreeItem {
  return itemOf(vscode.l10n.t("{0} more", count), vscode.l10n.t("in the simulation"), {
    command: {
      title: vscode.l10n.t("Simulate"),
      command: "claimcheck.simulateCluster",
      arguments: [{ environment }],
    },
  });
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
