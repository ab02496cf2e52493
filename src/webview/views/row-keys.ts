/** Arrow keys in a table of focusable rows. Returns the row to go to, or undefined where the key means nothing. */
export function rowForKey(key: string, index: number, rowCount: number): number | undefined {
  switch (key) {
    case "ArrowDown":
      return Math.min(index + 1, rowCount - 1);
    case "ArrowUp":
      return Math.max(index - 1, 0);
    case "Home":
      return 0;
    case "End":
      return rowCount - 1;
    default:
      return undefined;
  }
}
