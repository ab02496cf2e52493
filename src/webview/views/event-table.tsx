/** Events up to the chosen moment, as `kubectl get events` shows them, with virtual time. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { kindOfRef, nameOfRef, type Ref } from "../../engine/api/meta.ts";
import { type EventRow, eventLines } from "../model/event-rows.ts";
import { instantText } from "../model/instant-text.ts";
import type { PageState } from "../state.ts";
import { NameFilter } from "./name-filter.tsx";
import { useRowInSight } from "./row-in-sight.ts";
import { Words } from "./words.tsx";

/** The most lines that are drawn: the newest. */
const lineCountMax = 400;

export function EventTable({ state }: { readonly state: PageState }): JSX.Element {
  const table = useRef<HTMLTableElement>(null);
  useRowInSight(table, "tr[aria-current]", state.seq.value);
  const filter = state.filter.value;
  const lines = eventLines(state.summary.value?.events ?? [], state.seq.value, filter);
  const shown = lines.slice(-lineCountMax);
  if (lines.length === 0)
    return (
      <>
        <NameFilter state={state} />
        <p class="empty dim">
          {filter === ""
            ? t("No events yet.")
            : t("No events yet for names that contain “{0}”.", filter)}
        </p>
      </>
    );
  return (
    <>
      <NameFilter state={state} />
      {lines.length > shown.length ? (
        <p class="dim">{t("{0} earlier events are not shown.", lines.length - shown.length)}</p>
      ) : null}
      <table id="events" class="rows" ref={table}>
        <caption class="hidden">
          {t("Events up to the chosen moment. The time of an event is a button that goes there.")}
        </caption>
        <thead>
          <tr class="group">
            <th scope="col">{t("Last Seen")}</th>
            <th scope="col">{t("Type")}</th>
            <th scope="col">{t("Reason")}</th>
            <th scope="col">{t("Object")}</th>
            <th scope="col">{t("Message")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <EventLineRow key={line.seq} state={state} line={line} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function EventLineRow(properties: {
  readonly state: PageState;
  readonly line: EventRow;
}): JSX.Element {
  const { state, line } = properties;
  const go = (): void => {
    state.goTo(line.seq);
    state.select(line.about);
  };
  return (
    <tr
      class={line.about === state.selection.value ? "related" : ""}
      aria-current={line.seq === state.seq.value ? "step" : undefined}
    >
      <td>
        <button type="button" class="link nowrap" onClick={go}>
          {instantText(line.at)}
        </button>
        {line.count > 1 ? (
          <div class="dim">{t("x{0} since {1}", line.count, instantText(line.firstAt))}</div>
        ) : null}
      </td>
      <td class={line.type === "Warning" ? "nowrap warning" : "nowrap"}>{line.type}</td>
      <td>
        <Words text={line.reason} />
      </td>
      <td>
        <button type="button" class="link" onClick={() => state.select(line.about)}>
          <KubectlName about={line.about} />
        </button>
      </td>
      <td class="message">{line.message}</td>
    </tr>
  );
}

/** `pod/web`, as in kubectl's OBJECT column. Narrow columns break it after the first word of the kind and at the slash. */
function KubectlName({ about }: { readonly about: Ref }): JSX.Element {
  const kind = kindOfRef(about);
  const [word = ""] = /^[A-Z]*[a-z]+/.exec(kind) ?? [];
  return (
    <>
      {word.toLowerCase()}
      <wbr />
      {kind.slice(word.length).toLowerCase()}/<wbr />
      {nameOfRef(about)}
    </>
  );
}
