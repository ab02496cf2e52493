/** Keeps one row of a table in sight: it may be scrolled away, or chosen while another tab hides the table. */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Scrolls to the row when another is chosen, and when the table appears. */
export function useRowInSight(
  table: RefObject<HTMLTableElement | null>,
  row: string,
  chosen: unknown,
): void {
  const show = (): void => table.current?.querySelector(row)?.scrollIntoView({ block: "nearest" });
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
