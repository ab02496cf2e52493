/** The step slider: any moment of the run, back and forth. Its keys are a native slider's. */
import type { JSX } from "preact";
import { instantText } from "../model/instant-text.ts";
import type { Summary } from "../model/reading.ts";
import type { PageState } from "../state.ts";

export function TimeBar({ state }: { readonly state: PageState }): JSX.Element | null {
  const summary = state.summary.value;
  if (summary === undefined) return null;
  const seq = state.seq.value;
  const { firstSeq: first, entryCount } = summary;
  const last = entryCount - 1;
  const moment = state.moment.value;
  const when = moment === undefined ? "" : instantText(moment.at);
  return (
    <section class="time" aria-label="Moment">
      <div class="time-controls">
        <StepButton state={state} icon="debug-reverse-continue" label="To the Start" to={first} />
        <StepButton state={state} icon="chevron-left" label="One Step Back" to={seq - 1} />
        <div class="slider">
          <Marks summary={summary} />
          <input
            id="moment"
            type="range"
            min={first}
            max={last}
            step={1}
            value={seq}
            aria-label="Step"
            aria-valuetext={`${when}, step ${seq - first + 1} of ${last - first + 1}: ${moment?.actor ?? ""} ${moment?.text ?? ""}`}
            onInput={(event) => state.goTo(event.currentTarget.valueAsNumber)}
          />
        </div>
        <StepButton state={state} icon="chevron-right" label="One Step On" to={seq + 1} />
        <StepButton state={state} icon="debug-continue" label="To the End" to={last} />
      </div>
      <p class="time-text" title={moment?.text}>
        <strong id="moment-time">{when}</strong>{" "}
        <span class="dim">
          step {seq - first + 1} of {last - first + 1}
        </span>{" "}
        · <span class="actor">{moment?.actor}</span> <span id="moment-text">{moment?.text}</span>
      </p>
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

/** Where the user's steps and the warnings lie. Only for the eye: the tables hold the same facts. */
function Marks({ summary }: { readonly summary: Summary }): JSX.Element {
  const { firstSeq: first } = summary;
  const width = Math.max(summary.entryCount - 1 - first, 1);
  return (
    <svg
      class="marks"
      viewBox={`${first} 0 ${width} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {summary.steps.map(({ seq }) => (
        <line key={seq} class="mark-step" x1={seq} x2={seq} y1={0} y2={10} />
      ))}
      {summary.events
        .filter((event) => event.type === "Warning")
        .map(({ seq }) => (
          <line key={seq} class="mark-warning" x1={seq} x2={seq} y1={3} y2={10} />
        ))}
    </svg>
  );
}
