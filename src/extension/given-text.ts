/** The text that somebody passes to a command in place of being asked for one; undefined where there is none. */
export function givenText(argument: unknown): string | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { text } = argument as { readonly text?: unknown };
  return typeof text === "string" ? text : undefined;
}
