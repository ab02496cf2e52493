/** Texts of several lines as they fit where they are put: indented as the text around them is. */

/** What is written in blanks of two and lists indented, from the column on where it begins; its first line where it has no room. */
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

/** Whether the next line belongs to the key that is written at a column. */
function hasContent(text: string, start: number, column: number): boolean {
  const next = /^[^\n]*\n(?:[ \t]*(?:#.*)?\r?\n)*( *)(- )?(?=[^\s#])/.exec(text.slice(start));
  const [, blanks = "", dash] = next ?? [];
  if (next === null) return false;
  return blanks.length > column || (dash !== undefined && blanks.length === column);
}

/** How far the text indents what is below a key, and what is in a list; as most do where it does not tell. */
function styleOf(text: string): { readonly step: number; readonly listStep: number } {
  const [, blanks = "  "] = /^[\w"'][^\n]*:[ \t]*\r?\n( +)[^\s#-]/m.exec(text) ?? [];
  const [, above, dash] = /^( *)[^\s#-][^\n]*:[ \t]*\r?\n( *)- /m.exec(text) ?? [];
  const step = blanks.length;
  const listStep = dash === undefined ? step : dash.length - (above ?? "").length;
  return { step, listStep };
}
