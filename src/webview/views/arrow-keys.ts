/** Arrow keys among focusable things that stand below or beside each other. */

const arrows = {
  below: { back: "ArrowUp", on: "ArrowDown" },
  beside: { back: "ArrowLeft", on: "ArrowRight" },
} as const;

/** Which of them to go to; undefined where the key means nothing. */
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
