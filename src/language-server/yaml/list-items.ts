/**
 * A long List in its items, before any of them is parsed: what `kubectl get -o yaml` prints is one document, and an edit
 * touches one item of it.
 */
import { indentOf } from "./simple-yaml.ts";

export interface ListItem {
  /** Offset in the document of its first line. */
  readonly start: number;
  /** Its lines, with a blank in place of the dash: a document of its own. */
  readonly text: string;
}

export interface SplitList {
  /** The document without the lines of its items. */
  readonly rest: string;
  readonly items: readonly ListItem[];
}

/** Shorter ones are read as a whole, which nobody notices. */
const longLength = 20_000;

const kindOfList = /^kind: *List *\r?$/m;
const fieldOfItems = /^items: *\r?\n/m;

/** Undefined for what is short, or no List in block style. Whether it is read so alike, its parts have to tell. */
export function splitList(text: string): SplitList | undefined {
  if (text.length < longLength || !kindOfList.test(text)) return undefined;
  const field = fieldOfItems.exec(text);
  if (field === null) return undefined;
  const from = field.index + field[0].length;
  const starts: number[] = [];
  let column: number | undefined;
  let contentColumn = 0;
  let at = from;
  for (; at < text.length; at = nextLine(text, at)) {
    const lineEnd = text.indexOf("\n", at);
    const line = text.slice(at, lineEnd < 0 ? text.length : lineEnd);
    const indent = indentOf(line);
    const first = line[indent];
    if (first === undefined || first === "\r" || first === "#") continue;
    column ??= indent;
    const isDash = indent === column && first === "-" && line[indent + 1] === " ";
    if (indent < column || (indent === column && !isDash)) break;
    // Too far to the left for the item, and too far to the right for another one.
    if (!isDash && indent < contentColumn) return undefined;
    if (!isDash) continue;
    starts.push(at);
    contentColumn = indent + 1 + indentOf(line.slice(indent + 1));
  }
  if (column === undefined || starts.length === 0) return undefined;
  const dash = column;
  const items = starts.map((start, index) => {
    const lines = text.slice(start, starts[index + 1] ?? at);
    return { start, text: `${lines.slice(0, dash)} ${lines.slice(dash + 1)}` };
  });
  return { rest: text.slice(0, starts[0]) + text.slice(at), items };
}

function nextLine(text: string, from: number): number {
  const lineEnd = text.indexOf("\n", from);
  return lineEnd < 0 ? text.length : lineEnd + 1;
}
