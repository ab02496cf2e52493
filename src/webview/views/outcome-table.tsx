/** The outcome of each storage object and workload at the chosen moment. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Ref } from "../../engine/api/meta.ts";
import { type OutcomeKind, outcomeKinds } from "../../engine/explain/outcome-kinds.ts";
import { kindTitles } from "../../protocol/outcome-words.ts";
import type { OutcomeObject } from "../model/outcome-objects.ts";
import type { RowState } from "../model/row-state.ts";
import { tabStop } from "../model/tab-stop.ts";
import type { PageState } from "../state.ts";
import { NameFilter } from "./name-filter.tsx";
import { ObjectRow, selectByKey } from "./object-rows.tsx";
import { useRowInSight } from "./row-in-sight.ts";
import { VerdictMark } from "./verdict-mark.tsx";
import { Words } from "./words.tsx";

const targetTitles = (): Readonly<Record<OutcomeKind, string>> => ({
  PersistentVolumeClaim: t("Volume"),
  PersistentVolume: t("Claim"),
  VolumeSnapshot: t("Source"),
  Pod: t("Node"),
  Deployment: t("Up-to-date"),
  StatefulSet: t("Up-to-date"),
  DaemonSet: t("Up-to-date"),
  ReplicaSet: t("Current"),
  ReplicationController: t("Current"),
  Job: t("Completions"),
  CronJob: t("Schedule"),
  VolumeAttachment: t("Node"),
});

interface Row {
  readonly object: OutcomeObject;
  readonly state: RowState | undefined;
}

export function OutcomeTable({ state }: { readonly state: PageState }): JSX.Element {
  const table = useRef<HTMLTableElement>(null);
  // A step, event or link may select a row that is scrolled away, or in a hidden tab.
  useRowInSight(table, "tr.selected", state.selection.value);
  const all = state.summary.value?.objects ?? [];
  const { rows: places, leftOutCount, untouchedCount } = state.listed.value;
  const rows = places.flatMap((place): readonly Row[] => {
    const object = all[place];
    return object === undefined ? [] : [{ object, state: state.moment.value?.rows.get(place) }];
  });
  const refs = rows.map(({ object }) => object.ref);
  const reached = tabStop(refs, state.selection.value);
  const onKeyDown = (event: KeyboardEvent): void => selectByKey(event, state, refs, table);
  return (
    <>
      {untouchedCount > 0 ? <UntouchedSwitch state={state} count={untouchedCount} /> : null}
      <NameFilter state={state} />
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid with selectable rows is a table too. */}
      <table id="outcome" role="grid" class="rows" ref={table} onKeyDown={onKeyDown}>
        <caption class="hidden">
          {t("Outcome at the chosen moment. Arrow keys select an object, Enter opens its file.")}
        </caption>
        {outcomeKinds.map((kind) => (
          <KindRows
            key={kind}
            state={state}
            kind={kind}
            rows={rows.filter(({ object }) => object.kind === kind)}
            reached={reached}
          />
        ))}
      </table>
      {leftOutCount > 0 ? (
        <p class="dim">{t("{0} more; filter by name to see them.", leftOutCount)}</p>
      ) : null}
      {all.length === 0 ? (
        <p class="empty dim">
          {t("No claim, volume, snapshot, pod, workload or attachment exists.")}
        </p>
      ) : rows.length === 0 ? (
        <p class="empty dim">{t("No name contains “{0}”.", state.filter.value)}</p>
      ) : null}
    </>
  );
}

function UntouchedSwitch(properties: {
  readonly state: PageState;
  readonly count: number;
}): JSX.Element {
  const { state, count } = properties;
  return (
    <label class="untouched">
      <input
        type="checkbox"
        checked={state.showsUntouched.value}
        onChange={(event) => {
          state.showsUntouched.value = event.currentTarget.checked;
        }}
      />
      {` ${
        count === 1
          ? t("Show 1 unchanged object of the imported cluster")
          : t("Show {0} unchanged objects of the imported cluster", count)
      }`}
    </label>
  );
}

function KindRows(properties: {
  readonly state: PageState;
  readonly kind: OutcomeKind;
  readonly rows: readonly Row[];
  /** The row that Tab reaches. */
  readonly reached: Ref | undefined;
}): JSX.Element | null {
  const { state, kind, rows, reached } = properties;
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr class="group">
        <th scope="col">{t(kindTitles[kind])}</th>
        <th scope="col">{t("Verdict")}</th>
        <th scope="col">{t("Status")}</th>
        <th scope="col">{targetTitles()[kind]}</th>
      </tr>
      {rows.map((row) => (
        <OutcomeRow
          key={row.object.ref}
          state={state}
          row={row}
          isReached={row.object.ref === reached}
        />
      ))}
    </tbody>
  );
}

function OutcomeRow(properties: {
  readonly state: PageState;
  readonly row: Row;
  readonly isReached: boolean;
}): JSX.Element {
  const { state, row, isReached } = properties;
  const { object } = row;
  const { status, verdict, isRefused } = row.state ?? {};
  const mark = isRefused === true ? "refused" : verdict;
  return (
    <ObjectRow state={state} target={object.ref} isReached={isReached}>
      <td>
        <Words text={object.name} />
      </td>
      <td>{mark === undefined ? null : <VerdictMark kind={mark} />}</td>
      <td class={status === undefined ? "phase dim" : "phase"}>{status?.phase ?? "–"}</td>
      <td data-title={targetTitles()[object.kind]}>
        {status?.target === undefined ? null : <Words text={status.target} />}
      </td>
    </ObjectRow>
  );
}
