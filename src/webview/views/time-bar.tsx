/** The slider over all moments of the run. Its keys are those of a native slider. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { instantText } from "../model/instant-text.ts";
import type { PageState } from "../state.ts";
import { Legend, Marks } from "./marks.tsx";

export function TimeBar({ state }: { readonly state: PageState }): JSX.Element | null {
  const summary = state.summary.value;
  if (summary === undefined) return null;
  const seq = state.seq.value;
  const { firstSeq: first, entryCount } = summary;
  const last = entryCount - 1;
  const moment = state.moment.value;
  const when = moment === undefined ? "" : instantText(moment.at);
  const step = t("step {0} of {1}", seq - first + 1, last - first + 1);
  return (
    <section class="time" aria-label={t("Moment")}>
      <div class="time-controls">
        <StepButton
          state={state}
          icon="debug-reverse-continue"
          label={t("To the Start")}
          to={first}
        />
        <StepButton state={state} icon="chevron-left" label={t("One Step Back")} to={seq - 1} />
        <div class="slider">
          <Marks state={state} />
          <input
            id="moment"
            type="range"
            min={first}
            max={last}
            step={1}
            value={seq}
            aria-label={t("Step")}
            aria-valuetext={`${when}, ${step}: ${moment?.actor ?? ""} ${moment?.text ?? ""}`}
            onInput={(event) => state.goTo(event.currentTarget.valueAsNumber)}
          />
        </div>
        <StepButton state={state} icon="chevron-right" label={t("One Step Forward")} to={seq + 1} />
        <StepButton state={state} icon="debug-continue" label={t("To the End")} to={last} />
      </div>
      <div class="time-line">
        <p class="time-text" title={moment?.text}>
          <strong id="moment-time">{when}</strong> <span class="dim">{step}</span> ·{" "}
          <span class="actor">{moment?.actor}</span> <span id="moment-text">{moment?.text}</span>
        </p>
        <Legend state={state} />
      </div>
      {summary.limit === undefined ? null : (
        <p class="time-text" role="alert">
          <vscode-icon name="warning" /> {summary.limit}
        </p>
      )}
    </section>
  );
}

function StepButton(properties: {
  readonly state: PageState;
  readonly icon: string;
  readonly label: string;
  readonly to: number;
}): JSX.Element {
  const { state, icon, label, to } = properties;
  return (
    <vscode-toolbar-button icon={icon} label={label} title={label} onClick={() => state.goTo(to)} />
  );
}
