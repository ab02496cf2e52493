/** Which cluster is simulated, and the run's fingerprint. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { environmentLabels } from "../../protocol/environment-labels.ts";
import type { Environment } from "../../protocol/messages.ts";
import type { PageState } from "../state.ts";

export function Header({ state }: { readonly state: PageState }): JSX.Element {
  const environment = state.reply.value?.environment;
  const summary = state.summary.value;
  return (
    <header class="header">
      <h1 class="hidden">{t("Cluster Simulation")}</h1>
      {state.environments.value.length > 1 ? (
        <EnvironmentSelect state={state} chosen={environment?.id} />
      ) : (
        <span>{environment?.name}</span>
      )}
      {environment === undefined ? null : (
        <span class="fact" id="cluster" title={clusterMeaning()[environment.profileFrom]}>
          <vscode-icon name="server-environment" /> {clusterName(environment)} · Kubernetes{" "}
          {environment.kubernetesVersion}
        </span>
      )}
      {environment === undefined || environment.unreadableCount === 0 ? null : (
        <span class="fact" title={t("Broken YAML, or a template: its objects are not simulated")}>
          <vscode-icon class="warning" name="warning" />{" "}
          <button type="button" class="link" onClick={() => state.revealUnreadable()}>
            {unreadableText(environment.unreadableCount)}
          </button>
        </span>
      )}
      {state.stage.value.type === "running" ? (
        <span role="status">
          <vscode-progress-ring class="small" /> {t("simulating")}
        </span>
      ) : null}
      <span
        class="fact hash"
        title={t("Hash of the whole trace: the same scenario gives the same hash everywhere")}
      >
        <vscode-icon name="key" /> <code id="trace-hash">{summary?.hash}</code>
      </span>
    </header>
  );
}

function clusterName({ profile, profileFrom, profileTitle }: Environment): string {
  if (profileFrom === "imported") return profileTitle;
  return profileFrom === "default" || profileFrom === "guess"
    ? t("{0} (assumed)", profile)
    : profile;
}

const clusterMeaning = (): Readonly<Record<Environment["profileFrom"], string>> => ({
  imported: t("The running cluster: the workspace's manifests are applied to its objects"),
  project: t("The cluster that claimcheck.yaml names"),
  settings: t("The cluster that the settings name"),
  guess: t("The cluster that is assumed from the classes and drivers in use"),
  default: t("The cluster that is assumed"),
});

function unreadableText(count: number): string {
  return count === 1 ? t("1 document cannot be read") : t("{0} documents cannot be read", count);
}

function EnvironmentSelect(properties: {
  readonly state: PageState;
  readonly chosen: string | undefined;
}): JSX.Element {
  const { state, chosen } = properties;
  const environments = state.environments.value;
  const labels = environmentLabels(environments);
  return (
    <select
      id="environment"
      class="control"
      aria-label={t("Environment")}
      value={chosen ?? ""}
      onChange={(event) => state.choose(event.currentTarget.value)}
    >
      {environments.map(({ id }) => (
        <option key={id} value={id}>
          {labels.get(id)}
        </option>
      ))}
    </select>
  );
}
