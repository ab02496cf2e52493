/** Keeps one row of a table visible: it may be scrolled away, or chosen while another tab hides the table. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Scrolls to the row when another is chosen, and when the table appears. */
export function useRowInSight(
  table: RefObject<HTMLTableElement | null>,
  row: string,
  chosen: unknown,
): void {
  const show = (): void => bringInSight(table.current?.querySelector(row));
  useEffect(show, [chosen]);
  const isThere = table.current !== null;
  useEffect(() => {
    if (table.current === null) return;
    let heightPx = 0;
    const observer = new ResizeObserver(([entry]) => {
      const wasHidden = heightPx === 0;
      heightPx = entry?.contentRect.height ?? 0;
      if (wasHidden) show();
    });
    observer.observe(table.current);
    return () => observer.disconnect();
  }, [isThere]);
}

/** Unlike scrollIntoView, does not change where Tab starts on a page without focus. */
function bringInSight(row: Element | null | undefined): void {
  const pane = row?.closest("vscode-tab-panel");
  if (row === null || row === undefined || pane === null || pane === undefined) return;
  const [inner, outer] = [row.getBoundingClientRect(), pane.getBoundingClientRect()];
  if (inner.top < outer.top) pane.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom)
    pane.scrollTop += Math.min(inner.bottom - outer.bottom, inner.top - outer.top);
}
