/** Everything about the selected object at the chosen moment: its state, the reasons, its history. */
import type { JSX } from "preact";
import type { Ref } from "../../engine/api/meta.ts";
import { refText } from "../model/entry-text.ts";
import { instantText } from "../model/instant-text.ts";
import type { DecisionView, HistoryRow, Inspection } from "../model/reading.ts";
import type { PageState } from "../state.ts";

export function Inspector({ state }: { readonly state: PageState }): JSX.Element {
  const ref = state.selection.value;
  const inspection = state.moment.value?.selected;
  if (ref === undefined || inspection?.ref !== ref) {
    return <p class="dim">Select an object to see why it is as it is.</p>;
  }
  return (
    <>
      <Title state={state} inspection={inspection} />
      {inspection.decision === undefined ? null : (
        <Reason state={state} decision={inspection.decision} />
      )}
      <History state={state} rows={inspection.history} />
    </>
  );
}

function Title(properties: {
  readonly state: PageState;
  readonly inspection: Inspection;
}): JSX.Element {
  const { state, inspection } = properties;
  const { ref, status } = inspection;
  const [kind = "", ...name] = refText(ref).split(" ");
  return (
    <div class="title">
      <h2 id="selected-name">{name.join(" ")}</h2>
      <p>
        {kind}
        {status === undefined ? (
          <span class="dim"> does not exist at this moment</span>
        ) : (
          <>
            {" "}
            <vscode-badge>{status.phase}</vscode-badge>
            {status.targetRef === undefined ? null : (
              <>
                {" "}
                <RefLink state={state} target={status.targetRef} />
              </>
            )}
          </>
        )}
      </p>
      {state.written.value.has(ref) ? (
        <vscode-button id="open-file" secondary icon="go-to-file" onClick={() => state.reveal(ref)}>
          Open YAML
        </vscode-button>
      ) : null}
    </div>
  );
}

function RefLink({
  state,
  target,
}: {
  readonly state: PageState;
  readonly target: Ref;
}): JSX.Element {
  return (
    <button type="button" class="link" onClick={() => state.select(target)}>
      {refText(target)}
    </button>
  );
}

function Reason(properties: {
  readonly state: PageState;
  readonly decision: DecisionView;
}): JSX.Element {
  const { state, decision } = properties;
  const more = decision.candidateCount - decision.candidates.length;
  return (
    <section id="reason" aria-label="Reason">
      <h3>Why</h3>
      <p>
        <strong>{decision.reason}</strong>
        {decision.text === undefined ? null : <> – {decision.text}</>}{" "}
        <span class="dim">
          {decision.actor}, {instantText(decision.at)}
        </span>
      </p>
      {decision.chosen === undefined ? null : (
        <p>
          Chosen: <RefLink state={state} target={decision.chosen} />
        </p>
      )}
      {decision.candidates.length === 0 ? null : (
        <table class="rows">
          <caption>Looked at, best first</caption>
          <thead>
            <tr class="group">
              <th scope="col">Candidate</th>
              <th scope="col">Rule</th>
              <th scope="col">Wanted</th>
              <th scope="col">Found</th>
            </tr>
          </thead>
          <tbody>
            {decision.candidates.map((candidate) => (
              <CandidateRows key={candidate.ref} state={state} candidate={candidate} />
            ))}
          </tbody>
        </table>
      )}
      {more > 0 ? <p class="dim">and {more} more</p> : null}
    </section>
  );
}

function CandidateRows(properties: {
  readonly state: PageState;
  readonly candidate: DecisionView["candidates"][number];
}): JSX.Element {
  const { state, candidate } = properties;
  const link = <RefLink state={state} target={candidate.ref} />;
  if (candidate.failed.length === 0) {
    return (
      <tr>
        <td>{link}</td>
        <td colSpan={3}>fits</td>
      </tr>
    );
  }
  return (
    <>
      {candidate.failed.map((rule, i) => (
        <tr key={rule.rule}>
          <td>{i === 0 ? link : ""}</td>
          <td>{rule.rule}</td>
          <td>{rule.wanted}</td>
          <td>{rule.found}</td>
        </tr>
      ))}
    </>
  );
}

function History(properties: {
  readonly state: PageState;
  readonly rows: readonly HistoryRow[];
}): JSX.Element {
  const { state, rows } = properties;
  return (
    <section id="history" aria-label="History">
      <h3>History</h3>
      <table class="rows">
        <caption class="hidden">What happened to the object, oldest first</caption>
        <tbody>
          {rows.map((row) => (
            <tr key={row.seq}>
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
