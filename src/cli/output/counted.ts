/** `1 error`, `2 errors`; "information" has no plural. */
export function counted(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 || noun === "information" ? "" : "s"}`;
}
