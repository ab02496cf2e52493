/** Booleans in texts. Upstream: Go 1.26 strconv.ParseBool. */

const truths: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const untruths: ReadonlySet<string> = new Set(["0", "f", "F", "FALSE", "false", "False"]);

/** Undefined if the text is neither. */
export function parseBool(text: string): boolean | undefined {
  if (truths.has(text)) return true;
  return untruths.has(text) ? false : undefined;
}
