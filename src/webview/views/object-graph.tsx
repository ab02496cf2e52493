/** The graph of the selected object and those related to it, at the chosen moment. */
import { t } from "@vscode/l10n";
import type { JSX, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Relation } from "../../engine/explain/relations.ts";
import { refText } from "../model/entry-text.ts";
import {
  boxForKey,
  boxHeight,
  boxWidth,
  type GraphBox,
  type GraphLayout,
  layoutGraph,
} from "../model/graph-layout.ts";
import type { GraphObject, ObjectGraph } from "../model/object-graph.ts";
import { tabStop } from "../model/tab-stop.ts";
import type { PageState } from "../state.ts";
import { RefLink } from "./ref-link.tsx";
import { VerdictMark } from "./verdict-mark.tsx";

/** The limits of a column's width. */
const columnPx = { min: 98, max: 220 };

/** Short names of kinds; the whole name is in the tooltip. */
const titles = (): Readonly<Record<string, string>> => ({
  PersistentVolumeClaim: t("Claim"),
  PersistentVolume: t("Volume"),
  VolumeAttachment: t("Attachment"),
  VolumeSnapshot: t("Snapshot"),
  VolumeSnapshotContent: t("Content"),
  StorageClass: t("Class"),
  CSIDriver: t("Driver"),
});

export function Graph({ state }: { readonly state: PageState }): JSX.Element {
  const graph = state.moment.value?.graph;
  if (graph === undefined)
    return <p class="empty dim">{t("Select an object to see what it depends on.")}</p>;
  const notes = [
    ...(graph.isCut ? [t("Not all of its relations are drawn.")] : []),
    ...(graph.relations.some(({ holds }) => !holds)
      ? [t("A dashed line is a relation that is requested but does not exist yet.")]
      : []),
  ];
  return (
    <>
      <Picture state={state} graph={graph} />
      {notes.length === 0 ? null : <p class="dim">{notes.join(" ")}</p>}
      {graph.relations.length === 0 ? null : (
        <details>
          <summary>{t("As a table")}</summary>
          <RelationTable state={state} relations={graph.relations} />
        </details>
      )}
    </>
  );
}

function Picture(properties: {
  readonly state: PageState;
  readonly graph: ObjectGraph;
}): JSX.Element {
  const { state, graph } = properties;
  const layout = layoutGraph(graph);
  const selected = state.selection.value;
  const refs = layout.boxes.map(({ object }) => object.ref);
  const reached = tabStop(refs, selected);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => showSelected(frame.current), [selected, refs.join()]);
  return (
    <div class="graph" ref={frame}>
      <section
        id="graph"
        aria-label={t(
          "What the selected object depends on. Arrow keys go from box to box, Enter selects.",
        )}
        style={{
          height: `${layout.height}px`,
          minWidth: `${layout.columnCount * columnPx.min}px`,
          maxWidth: `${layout.columnCount * columnPx.max}px`,
        }}
      >
        <svg
          viewBox={`0 0 ${layout.width} ${layout.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {layout.lines.map(({ from, to, path, holds }) => (
            <path
              key={`${from} ${to}`}
              d={path}
              class={`${holds ? "" : "wanted"} ${from === selected || to === selected ? "own" : ""}`}
            />
          ))}
        </svg>
        {layout.boxes.map((box) => (
          <Box
            key={box.object.ref}
            state={state}
            layout={layout}
            box={box}
            isReached={box.object.ref === reached}
          />
        ))}
      </section>
    </div>
  );
}

/** Scrolls to the selected box: on a narrow page the picture is wider than its frame. */
function showSelected(frame: HTMLElement | null): void {
  const box = frame?.querySelector(".selected");
  if (frame === null || box === null || box === undefined) return;
  const [inner, outer] = [box.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right)
    frame.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

function Box(properties: {
  readonly state: PageState;
  readonly layout: GraphLayout;
  readonly box: GraphBox;
  readonly isReached: boolean;
}): JSX.Element {
  const { state, layout, box, isReached } = properties;
  const { object, left, top } = box;
  const isSelected = state.selection.value === object.ref;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLButtonElement>): void => {
    const next = boxForKey(layout, event.key, box);
    if (next === undefined) return;
    event.preventDefault();
    const boxes = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>("[data-ref]");
    [...(boxes ?? [])].find(({ dataset }) => dataset["ref"] === next.object.ref)?.focus();
  };
  return (
    <button
      type="button"
      class={`box ${isSelected ? "selected" : ""} ${object.exists ? "" : "missing"}`}
      data-ref={object.ref}
      tabIndex={isReached ? 0 : -1}
      aria-pressed={isSelected}
      title={`${refText(object.ref)} ${object.status?.phase ?? ""}`.trimEnd()}
      style={{
        left: `${(left / layout.width) * 100}%`,
        top: `${top}px`,
        width: `${(boxWidth / layout.width) * 100}%`,
        height: `${boxHeight}px`,
      }}
      onClick={() => state.select(object.ref)}
      onDblClick={() => state.reveal(object.ref)}
      onKeyDown={onKeyDown}
    >
      <span class="dim">{titles()[object.kind] ?? object.kind}</span>
      <span>{object.name}</span>
      <BoxState object={object} />
    </button>
  );
}

function BoxState({ object }: { readonly object: GraphObject }): JSX.Element {
  const { exists, isRefused, verdict, status } = object;
  if (isRefused) return <VerdictMark kind="refused" />;
  if (!exists) return <span class="warning">{t("does not exist")}</span>;
  const phase = status?.phase ?? "";
  return verdict === undefined ? <span>{phase}</span> : <VerdictMark kind={verdict} seen={phase} />;
}

function RelationTable(properties: {
  readonly state: PageState;
  readonly relations: readonly Relation[];
}): JSX.Element {
  const { state, relations } = properties;
  return (
    <table class="rows">
      <tbody>
        {relations.map(({ from, to, text, holds }) => (
          <tr key={`${from} ${to}`}>
            <td>
              <RefLink state={state} target={from} />
            </td>
            <td>
              {text}
              {holds ? "" : ` ${t("(not yet)")}`}
            </td>
            <td>
              <RefLink state={state} target={to} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
