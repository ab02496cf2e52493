/** The history of each object as a lane below the slider; a click goes to that moment. */

import { useComputed, useSignalEffect } from "@preact/signals";
import { t } from "@vscode/l10n";
import type { JSX, RefObject, TargetedMouseEvent } from "preact";
import { useRef } from "preact/hooks";
import type { Ref } from "../../engine/api/meta.ts";
import { type OutcomeKind, outcomeKinds } from "../../engine/explain/outcome-kinds.ts";
import { kindTitles } from "../../protocol/outcome-words.ts";
import { type LaneLayout, TimelineLayout } from "../model/lane-layout.ts";
import { tabStop } from "../model/tab-stop.ts";
import type { PageState } from "../state.ts";
import { NameFilter } from "./name-filter.tsx";
import { ObjectRow, selectByKey } from "./object-rows.tsx";
import { useRowInSight } from "./row-in-sight.ts";
import { Words } from "./words.tsx";

/** A click this close to a stop means that stop. */
const slackPx = 5;

export function Timeline({ state }: { readonly state: PageState }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  useRowInSight(table, "tr.selected", state.selection.value);
  const layout = useComputed(() => {
    const summary = state.summary.value;
    return summary === undefined ? undefined : new TimelineLayout(summary, state.filter.value);
  });
  // Moves only the line of the moment, without drawing lanes again.
  useSignalEffect(() => {
    const percent = layout.value?.percentOf(state.seq.value) ?? 0;
    frame.current?.style.setProperty("--moment", `${percent}%`);
  });
  const timeline = layout.value;
  if (timeline === undefined) return <div ref={frame} />;
  return (
    <div class="lanes" ref={frame}>
      <NameFilter state={state} />
      {timeline.lanes.length === 0 ? (
        <p class="empty dim">
          {state.filter.value === ""
            ? t("Nothing happens to a claim, volume, snapshot, pod, workload or attachment.")
            : t("No name contains “{0}”.", state.filter.value)}
        </p>
      ) : (
        <LaneTable state={state} timeline={timeline} table={table} />
      )}
      {timeline.leftOutCount === 0 ? null : (
        <p class="dim">{t("{0} more; filter by name to see them.", timeline.leftOutCount)}</p>
      )}
    </div>
  );
}

function LaneTable(properties: {
  readonly state: PageState;
  readonly timeline: TimelineLayout;
  readonly table: RefObject<HTMLTableElement | null>;
}): JSX.Element {
  const { state, timeline, table } = properties;
  const { lanes } = timeline;
  const refs = lanes.map(({ object }) => object.ref);
  const onKeyDown = (event: KeyboardEvent): void => {
    selectByKey(event, state, refs, table);
    const lane = lanes[refs.indexOf(state.selection.value ?? "")];
    const stop = stopForKey(event.key, lane?.stops ?? [], state.seq.value);
    if (stop === undefined) return;
    event.preventDefault();
    state.goTo(stop);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid with selectable rows is a table too.
    <table id="timeline" role="grid" class="rows" ref={table} onKeyDown={onKeyDown}>
      <caption class="hidden">
        {t(
          "What each object went through. Arrow keys up and down select an object, left and right go to where something happens to it, Enter opens its file.",
        )}
      </caption>
      <Scale timeline={timeline} />
      {outcomeKinds.map((kind) => (
        <KindLanes
          key={kind}
          state={state}
          timeline={timeline}
          kind={kind}
          lanes={lanes.filter(({ object }) => object.kind === kind)}
          reached={tabStop(refs, state.selection.value)}
        />
      ))}
    </table>
  );
}

/** The entry that an arrow key leads to along a lane; undefined if there is none. */
function stopForKey(key: string, stops: readonly number[], seq: number): number | undefined {
  if (key === "ArrowRight") return stops.find((stop) => stop > seq);
  return key === "ArrowLeft" ? stops.findLast((stop) => stop < seq) : undefined;
}

/** The times along the lanes. The scale counts entries, as the slider does, so busy times take more space. */
function Scale({ timeline }: { readonly timeline: TimelineLayout }): JSX.Element {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="hidden">{t("Object")}</span>
        </th>
        <th scope="col" class="scale">
          <span class="hidden">{t("Status over time")}</span>
          {timeline.ticks.map(({ leftPercent, text }) => (
            <span key={leftPercent} aria-hidden="true" style={{ left: `${leftPercent}%` }}>
              {text}
            </span>
          ))}
        </th>
      </tr>
    </thead>
  );
}

function KindLanes(properties: {
  readonly state: PageState;
  readonly timeline: TimelineLayout;
  readonly kind: OutcomeKind;
  readonly lanes: readonly LaneLayout[];
  /** The row that Tab reaches. */
  readonly reached: Ref | undefined;
}): JSX.Element | null {
  const { state, timeline, kind, lanes, reached } = properties;
  if (lanes.length === 0) return null;
  return (
    <tbody>
      <tr class="group">
        <th scope="col" colSpan={2}>
          {t(kindTitles[kind])}
        </th>
      </tr>
      {lanes.map((lane) => (
        <LaneRow
          key={lane.object.ref}
          state={state}
          timeline={timeline}
          lane={lane}
          isReached={lane.object.ref === reached}
        />
      ))}
    </tbody>
  );
}

function LaneRow(properties: {
  readonly state: PageState;
  readonly timeline: TimelineLayout;
  readonly lane: LaneLayout;
  readonly isReached: boolean;
}): JSX.Element {
  const { state, timeline, lane, isReached } = properties;
  const { object, boxes, warningPercents } = lane;
  const goThere = (event: TargetedMouseEvent<HTMLTableCellElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const percent = Math.max(0, Math.min(((event.clientX - left) / width) * 100, 100));
    state.goTo(timeline.seqAt(percent, (slackPx / width) * 100, lane));
  };
  return (
    <ObjectRow state={state} target={object.ref} isReached={isReached}>
      <th scope="row">
        <Words text={object.name} />
      </th>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table's arrow keys do the same. */}
      <td class="lane" onClick={goThere}>
        <span class="hidden">{boxes.map(({ text }) => text).join(", ")}</span>
        {boxes.map(({ leftPercent, widthPercent, phase, tone, text }) => (
          <span
            key={text}
            class={`stretch tone-${tone}`}
            style={{ left: `${leftPercent}%`, width: `${widthPercent}%` }}
            title={text}
            aria-hidden="true"
          >
            {phase}
          </span>
        ))}
        {warningPercents.map((percent) => (
          <span key={percent} class="warned" style={{ left: `${percent}%` }} aria-hidden="true" />
        ))}
      </td>
    </ObjectRow>
  );
}
