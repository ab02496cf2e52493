/** Adjusts texts of several lines to the indentation at the place where they are inserted. */

/**
 * Indents an insert of several lines, which is written with steps of two blanks and indented lists, like the text around it.
 * Returns only its first line if its key does not begin the line, or has content already.
 */
export function inPlace(insert: string, text: string, start: number): string {
  const [first = "", ...others] = insert.split("\n");
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  if (others.length === 0) return insert;
  if (!/^ *(?:- +)*$/.test(before) || hasContent(text, start, before.length)) return first;
  const { step, listStep } = styleOf(text);
  const lines = others.map((line) => {
    const [, blanks = "", dash = "", rest = ""] = /^( *)(- )?(.*)$/.exec(line) ?? [];
    const depth = blanks.length / 2;
    const indent = dash === "" ? depth * step : (depth - 1) * step + listStep;
    return " ".repeat(before.length + indent) + dash + rest;
  });
  return [first, ...lines].join("\n");
}

/** True if the next line belongs to the key that is written at the column. */
function hasContent(text: string, start: number, column: number): boolean {
  const next = /^[^\n]*\n(?:[ \t]*(?:#.*)?\r?\n)*( *)(- )?(?=[^\s#])/.exec(text.slice(start));
  const [, blanks = "", dash] = next ?? [];
  if (next === null) return false;
  return blanks.length > column || (dash !== undefined && blanks.length === column);
}

/** How far the text indents mappings and lists; the usual two blanks if it has neither. */
function styleOf(text: string): { readonly step: number; readonly listStep: number } {
  const [, blanks = "  "] = /^[\w"'][^\n]*:[ \t]*\r?\n( +)[^\s#-]/m.exec(text) ?? [];
  const [, above, dash] = /^( *)[^\s#-][^\n]*:[ \t]*\r?\n( *)- /m.exec(text) ?? [];
  const step = blanks.length;
  const listStep = dash === undefined ? step : dash.length - (above ?? "").length;
  return { step, listStep };
}
