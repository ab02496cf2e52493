/** The status bar items for the cluster that predictions assume, and for the overlay that is judged. */
import * as vscode from "vscode";
import type { Environment } from "../protocol/messages.ts";
import { environmentOf } from "../protocol/uri-spellings.ts";
import { visibleText, withoutIcons } from "../protocol/visible-text.ts";

const origins: Readonly<Record<Exclude<Environment["profileFrom"], "imported">, string>> = {
  project: vscode.l10n.t("set in claimcheck.yaml"),
  settings: vscode.l10n.t("set in the editor's settings"),
  guess: vscode.l10n.t("guessed from the classes and provisioners used"),
  default: vscode.l10n.t("assumed, because nothing says otherwise"),
};

export class ProfileStatus implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  /** Shown if other overlays make different objects from the same files. */
  readonly #overlay: vscode.StatusBarItem;
  readonly #editors: vscode.Disposable;
  #environments: readonly Environment[] = [];
  /** The last active file, which still counts while a panel is active: panels have no file. */
  #uri: string | undefined;

  constructor() {
    this.#item = vscode.window.createStatusBarItem(
      "claimcheck.profile",
      vscode.StatusBarAlignment.Left,
    );
    this.#item.name = vscode.l10n.t("Claimcheck Cluster Profile");
    this.#item.command = "claimcheck.selectProfile";
    this.#overlay = vscode.window.createStatusBarItem(
      "claimcheck.overlay",
      vscode.StatusBarAlignment.Left,
    );
    this.#overlay.name = vscode.l10n.t("Claimcheck Overlay");
    this.#overlay.command = "claimcheck.selectOverlay";
    this.#editors = vscode.window.onDidChangeActiveTextEditor(() => this.#draw());
  }

  show(environments: readonly Environment[]): void {
    this.#environments = environments;
    this.#draw();
  }

  /** The environment of the active file, else the first; undefined if there is none. */
  atWork(environments: readonly Environment[]): Environment | undefined {
    this.#uri = vscode.window.activeTextEditor?.document.uri.toString() ?? this.#uri;
    return environmentOf(environments, this.#uri ?? "") ?? environments[0];
  }

  dispose(): void {
    this.#editors.dispose();
    this.#item.dispose();
    this.#overlay.dispose();
  }

  #draw(): void {
    const environment = this.atWork(this.#environments);
    this.#drawOverlay(environment?.overlays);
    if (environment === undefined) {
      this.#item.hide();
      return;
    }
    const { profile, kubernetesVersion, name, profileFrom, profileTitle } = environment;
    const from = profileFrom === "imported" ? profileTitle : origins[profileFrom];
    this.#item.text = `$(server-environment) ${profile} ${kubernetesVersion}`;
    const assumed = vscode.l10n.t(
      "Claimcheck assumes the cluster “{0}” ({1}) with Kubernetes {2} for {3}.",
      profile,
      from,
      kubernetesVersion,
      name,
    );
    const onSelect = isSetInProject(environment)
      ? vscode.l10n.t("Select to open claimcheck.yaml.")
      : vscode.l10n.t("Select to choose another.");
    this.#item.tooltip = `${assumed} ${onSelect}`;
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t(
        "Claimcheck: cluster profile {0}, Kubernetes {1}",
        profile,
        kubernetesVersion,
      ),
    };
    this.#item.show();
  }

  #drawOverlay(overlays: readonly string[] | undefined): void {
    if (overlays === undefined) {
      this.#overlay.hide();
      return;
    }
    const [first = "", ...others] = overlays;
    const judged = visibleText(overlays.join(", "));
    this.#overlay.text = `$(layers) ${withoutIcons(first)}${others.length > 0 ? ` +${others.length}` : ""}`;
    this.#overlay.tooltip = vscode.l10n.t(
      "Claimcheck judges the overlay {0}; others build different objects from the same files. Select to choose another.",
      judged,
    );
    this.#overlay.accessibilityInformation = {
      label: vscode.l10n.t("Claimcheck: overlay {0}", judged),
    };
    this.#overlay.show();
  }
}

/** True if claimcheck.yaml determines the cluster, so that the settings do not. */
export function isSetInProject({ profileFrom }: Environment): boolean {
  return profileFrom === "project" || profileFrom === "imported";
}
