/** `1 error`, `2 errors`; information is not counted in pieces. */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 || noun === "information" ? "" : "s"}`;
}
