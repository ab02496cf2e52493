/** What became of each claim, volume, pod and attachment, at the chosen moment. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { ObjectState, OutcomeObject } from "../model/reading.ts";
import type { PageState } from "../state.ts";
import { indexForKey } from "./arrow-keys.ts";
import { useRowInSight } from "./row-in-sight.ts";
import { RefusedMark, VerdictMark } from "./verdict-mark.tsx";

const headings: Readonly<Record<string, readonly [name: string, target: string]>> = {
  PersistentVolumeClaim: ["Claims", "Volume"],
  PersistentVolume: ["Volumes", "Claim"],
  Pod: ["Pods", "Node"],
  VolumeAttachment: ["Attachments", "Node"],
};

/** More rows than anybody reads would only slow the slider down; the filter finds the others. */
const rowCountMax = 400;

interface Row {
  readonly object: OutcomeObject;
  readonly status: ObjectState | null;
  readonly isRefused: boolean;
}

export function OutcomeTable({ state }: { readonly state: PageState }): JSX.Element {
  const filter = useSignal("");
  const body = useRef<HTMLTableElement>(null);
  // What a step, an event or a link selects may be scrolled away, or selected while another tab hides the table.
  useRowInSight(body, "tr.selected", state.selection.value);
  const { statuses = [], refused = [] } = state.moment.value ?? {};
  const all: readonly Row[] = (state.summary.value?.objects ?? []).map((object, i) => ({
    object,
    status: statuses[i] ?? null,
    isRefused: refused[i] === true,
  }));
  const untouched = all.filter(({ object }) => object.isImported && !object.isTouched);
  const showsAll = state.showsUntouched.value || untouched.length === all.length;
  const isListed = ({ isImported, isTouched, ref }: OutcomeObject): boolean =>
    showsAll || !isImported || isTouched || ref === state.selection.value;
  const matching = all.filter(
    ({ object }) => object.name.includes(filter.value) && isListed(object),
  );
  const rows = matching.slice(0, rowCountMax);
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = rows.findIndex(({ object }) => object.ref === state.selection.value);
    const selected = rows[index];
    if (event.key === "Enter" && selected !== undefined) state.reveal(selected.object.ref);
    const next = indexForKey(event.key, index, rows.length, "below");
    if (next === undefined) return;
    event.preventDefault();
    state.select(rows[next]?.object.ref);
    body.current?.querySelectorAll<HTMLElement>("tr[data-ref]").item(next)?.focus();
  };
  return (
    <>
      {untouched.length === 0 || untouched.length === all.length ? null : (
        <label class="untouched">
          <input
            type="checkbox"
            checked={state.showsUntouched.value}
            onChange={(event) => {
              state.showsUntouched.value = event.currentTarget.checked;
            }}
          />
          {` Show ${untouched.length} of the imported cluster that ${untouched.length === 1 ? "stays" : "stay"} as before`}
        </label>
      )}
      {all.length > 20 ? (
        <input
          class="control filter"
          type="search"
          placeholder="Filter by name"
          aria-label="Filter by name"
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid with selectable rows is a table too. */}
      <table id="outcome" role="grid" class="rows" ref={body} onKeyDown={onKeyDown}>
        <caption class="hidden">
          Outcome at the chosen moment. Arrow keys select an object, Enter opens its file.
        </caption>
        {Object.keys(headings).map((kind) => (
          <KindRows
            key={kind}
            state={state}
            kind={kind}
            rows={rows.filter(({ object }) => object.kind === kind)}
            firstRow={rows[0]}
          />
        ))}
      </table>
      {matching.length > rows.length ? (
        <p class="dim">{matching.length - rows.length} more; filter by name to see them.</p>
      ) : null}
      {all.length === 0 ? (
        <p class="empty dim">No claim, volume, pod or attachment exists.</p>
      ) : matching.length === 0 ? (
        <p class="empty dim">No name holds “{filter.value}”.</p>
      ) : null}
    </>
  );
}

function KindRows(properties: {
  readonly state: PageState;
  readonly kind: string;
  readonly rows: readonly Row[];
  readonly firstRow: Row | undefined;
}): JSX.Element | null {
  const { state, kind, rows, firstRow } = properties;
  const [title, target] = headings[kind] ?? ["", ""];
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr class="group">
        <th scope="col">{title}</th>
        <th scope="col">Verdict</th>
        <th scope="col">Status</th>
        <th scope="col">{target}</th>
      </tr>
      {rows.map((row) => (
        <ObjectRow key={row.object.ref} state={state} row={row} first={row === firstRow} />
      ))}
    </tbody>
  );
}

function ObjectRow(properties: {
  readonly state: PageState;
  readonly row: Row;
  readonly first: boolean;
}): JSX.Element {
  const { state, row, first } = properties;
  const { object, status, isRefused } = row;
  const selected = state.selection.value === object.ref;
  const focusable = selected || (first && state.selection.value === undefined);
  return (
    <tr
      data-ref={object.ref}
      class={selected ? "selected" : ""}
      tabIndex={focusable ? 0 : -1}
      aria-selected={selected}
      onClick={() => state.select(object.ref)}
      onDblClick={() => state.reveal(object.ref)}
    >
      <td>{object.name}</td>
      <td>
        {isRefused ? (
          <RefusedMark />
        ) : status?.verdict === undefined ? null : (
          <VerdictMark kind={status.verdict} />
        )}
      </td>
      <td class={status === null ? "phase dim" : "phase"}>{status?.phase ?? "–"}</td>
      <td>{status?.target ?? ""}</td>
    </tr>
  );
}
