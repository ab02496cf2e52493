/** Arrow-key navigation among focusable items in a column or a row. */

const arrows = {
  below: { back: "ArrowUp", on: "ArrowDown" },
  beside: { back: "ArrowLeft", on: "ArrowRight" },
} as const;

/** The index to go to; undefined if the key has no meaning here. */
export function indexForKey(
  key: string,
  index: number,
  count: number,
  stand: keyof typeof arrows,
): number | undefined {
  switch (key) {
    case arrows[stand].on:
      return Math.min(index + 1, count - 1);
    case arrows[stand].back:
      return Math.max(index - 1, 0);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
