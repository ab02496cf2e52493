/** Rows of object tables: a click or the arrow keys select a row, a double click or Enter opens its file. */
import type { ComponentChildren, JSX, RefObject } from "preact";
import type { Ref } from "../../engine/api/meta.ts";
import type { PageState } from "../state.ts";
import { indexForKey } from "./arrow-keys.ts";

export function ObjectRow(properties: {
  readonly state: PageState;
  readonly target: Ref;
  /** True if Tab reaches this row. */
  readonly isReached: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { state, target, isReached, children } = properties;
  const selected = state.selection.value === target;
  return (
    <tr
      data-ref={target}
      class={selected ? "selected" : ""}
      tabIndex={isReached ? 0 : -1}
      aria-selected={selected}
      onClick={() => state.select(target)}
      onDblClick={() => state.reveal(target)}
    >
      {children}
    </tr>
  );
}

/** Handles a key in a table whose rows have the objects `refs`; ignores other keys. */
export function selectByKey(
  event: KeyboardEvent,
  state: PageState,
  refs: readonly Ref[],
  table: RefObject<HTMLTableElement | null>,
): void {
  const index = refs.indexOf(state.selection.value ?? "");
  const selected = refs[index];
  if (event.key === "Enter" && selected !== undefined) state.reveal(selected);
  const next = indexForKey(event.key, index, refs.length, "below");
  if (next === undefined) return;
  event.preventDefault();
  state.select(refs[next]);
  table.current?.querySelectorAll<HTMLElement>("tr[data-ref]").item(next)?.focus();
}
