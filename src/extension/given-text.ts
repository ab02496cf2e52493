/** The text that is passed to a command, so that it need not ask the user for one; undefined if there is none. */
export function givenText(argument: unknown): string | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { text } = argument as { readonly text?: unknown };
  return typeof text === "string" ? text : undefined;
}
