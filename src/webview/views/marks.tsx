/** The marks above the slider, each a button that goes to its moment; arrow keys move between them. */

import { useComputed } from "@preact/signals";
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { type Mark, type MarkKind, timelineMarks } from "../model/timeline-marks.ts";
import type { PageState } from "../state.ts";
import { indexForKey } from "./arrow-keys.ts";

export function Marks({ state }: { readonly state: PageState }): JSX.Element {
  const bar = useRef<HTMLDivElement>(null);
  const marks = useComputed(() => timelineMarks(state.summary.value)).value;
  const seq = state.seq.value;
  const { firstSeq = 0, entryCount = 1 } = state.summary.value ?? {};
  const width = Math.max(entryCount - 1 - firstSeq, 1);
  // Tab reaches one of them: the last one at or before the moment.
  const present = Math.max(
    marks.findLastIndex((mark) => mark.seq <= seq),
    0,
  );
  const go = ({ seq: to, about }: Mark): void => {
    state.goTo(to);
    if (about !== undefined) state.select(about);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = indexForKey(event.key, present, marks.length, "beside");
    const mark = next === undefined ? undefined : marks[next];
    if (next === undefined || mark === undefined) return;
    event.preventDefault();
    go(mark);
    bar.current?.querySelectorAll("button").item(next).focus();
  };
  return (
    <div
      class="marks"
      ref={bar}
      role="toolbar"
      aria-label={t("Steps and warnings")}
      onKeyDown={onKeyDown}
    >
      {marks.map((mark, index) => (
        <button
          key={mark.seq}
          type="button"
          class={`mark mark-${mark.kind}`}
          style={{ left: `${((mark.seq - firstSeq) / width) * 100}%` }}
          title={mark.text}
          aria-label={`${kindNames()[mark.kind]}: ${mark.text}`}
          aria-current={mark.seq === seq ? "step" : undefined}
          tabIndex={index === present ? 0 : -1}
          onClick={() => go(mark)}
        />
      ))}
    </div>
  );
}

const kindNames = (): Readonly<Record<MarkKind, string>> => ({
  step: t("Your step"),
  warning: t("Warning"),
});

/** Explains the kinds of marks that this run has. */
export function Legend({ state }: { readonly state: PageState }): JSX.Element | null {
  const { steps = [], events = [] } = state.summary.value ?? {};
  const hasWarning = events.some(({ type }) => type === "Warning");
  const kinds: readonly MarkKind[] = [
    ...(steps.length > 0 ? (["step"] as const) : []),
    ...(hasWarning ? (["warning"] as const) : []),
  ];
  if (kinds.length === 0) return null;
  return (
    <ul class="legend" aria-label={t("Marks")}>
      {kinds.map((kind) => (
        <li key={kind}>
          <span class={`sign mark-${kind}`} aria-hidden="true" /> {kindNames()[kind]}
        </li>
      ))}
    </ul>
  );
}
