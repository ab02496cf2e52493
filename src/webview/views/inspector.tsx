/** Everything about the selected object at the chosen moment: its state, the reasons, its history. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { refText } from "../model/entry-text.ts";
import { instantText } from "../model/instant-text.ts";
import type { HistoryRow, Inspection, Refusal } from "../model/reading.ts";
import type { PageState } from "../state.ts";
import { Preformatted } from "./preformatted.tsx";
import { Reason } from "./reason.tsx";
import { RefLink } from "./ref-link.tsx";
import { VerdictMark } from "./verdict-mark.tsx";

export function Inspector({ state }: { readonly state: PageState }): JSX.Element {
  const ref = state.selection.value;
  const inspection = state.moment.value?.selected;
  if (ref === undefined || inspection?.ref !== ref) {
    return <p class="dim">{t("Select an object to see why it is in its present state.")}</p>;
  }
  return (
    <>
      <Title state={state} inspection={inspection} />
      {inspection.refusal === undefined ? null : (
        <Refused
          state={state}
          refusal={inspection.refusal}
          isThere={inspection.json !== undefined}
        />
      )}
      {inspection.verdict === undefined ? null : (
        <Reason state={state} verdict={inspection.verdict} />
      )}
      <History state={state} rows={inspection.history} />
      {inspection.json === undefined ? null : (
        <details>
          <summary>{t("Object at this moment")}</summary>
          <Preformatted>{inspection.json}</Preformatted>
        </details>
      )}
    </>
  );
}

function Title(properties: {
  readonly state: PageState;
  readonly inspection: Inspection;
}): JSX.Element {
  const { state, inspection } = properties;
  const { ref, status, comes } = inspection;
  const [kind = "", ...name] = refText(ref).split(" ");
  return (
    <div class="title">
      <div>
        <h2 id="selected-name">{name.join(" ")}</h2>
        <p>
          {kind}
          {status === undefined ? (
            <>
              <span class="dim"> {t("does not exist at this moment")}</span>
              {comes === undefined ? null : (
                <span id="comes">
                  {t("; it is created at")}{" "}
                  <button type="button" class="link" onClick={() => state.goTo(comes.seq)}>
                    {instantText(comes.at)}
                  </button>
                </span>
              )}
            </>
          ) : (
            <>
              {status.phase === "" ? null : (
                <>
                  {" "}
                  <vscode-badge>{status.phase}</vscode-badge>
                </>
              )}
              {status.targetRef === undefined ? null : (
                <>
                  {" "}
                  <RefLink state={state} target={status.targetRef} />
                </>
              )}
            </>
          )}
        </p>
      </div>
      <div class="buttons">
        {state.canMakeJob(ref) ? (
          <vscode-button
            id="create-job"
            secondary
            icon="play"
            title={t("Without waiting for its schedule, as kubectl create job --from does")}
            onClick={() => state.proposeJob(ref)}
          >
            {t("Create Job…")}
          </vscode-button>
        ) : null}
        {state.isWritten(ref) ? (
          <vscode-button
            id="open-file"
            secondary
            icon="go-to-file"
            onClick={() => state.reveal(ref)}
          >
            {t("Open YAML")}
          </vscode-button>
        ) : null}
      </div>
    </div>
  );
}

/** The last request for the object, which has changed nothing. */
function Refused(properties: {
  readonly state: PageState;
  readonly refusal: Refusal;
  readonly isThere: boolean;
}): JSX.Element {
  const { state, refusal, isThere } = properties;
  return (
    <section id="refusal" aria-label={t("Refusal")}>
      <h3>{t("Refused")}</h3>
      <p class="headline">
        <VerdictMark kind="refused" /> {t("by the API server at")}{" "}
        <button type="button" class="link" onClick={() => state.goTo(refusal.seq)}>
          {instantText(refusal.at)}
        </button>
        {isThere ? t("; what follows is about the object without that change") : ""}
      </p>
      <blockquote>{refusal.message}</blockquote>
    </section>
  );
}

function History(properties: {
  readonly state: PageState;
  readonly rows: readonly HistoryRow[];
}): JSX.Element | null {
  const { state, rows } = properties;
  const seq = state.seq.value;
  if (rows.length === 0) return null;
  return (
    <section id="history" aria-label={t("History")}>
      <h3>{t("History")}</h3>
      <table class="rows">
        <caption class="hidden">{t("What happened to the object, oldest first")}</caption>
        <tbody>
          {rows.map((row) => (
            <tr key={row.seq} aria-current={row.seq === seq ? "step" : undefined}>
              <td class="nowrap">
                <button type="button" class="link" onClick={() => state.goTo(row.seq)}>
                  {instantText(row.at)}
                </button>
              </td>
              <td class={row.warning ? "warning" : ""}>
                <span class="actor">{row.actor}</span> {row.text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
