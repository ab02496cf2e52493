/**
 * Splits a long List into its items before parsing: `kubectl get -o yaml` prints one document, and an edit affects only one
 * item.
 */
import { indentOf } from "./simple-yaml.ts";

export interface ListItem {
  /** Offset of its first line in the document. */
  readonly start: number;
  /** Its lines, with a blank instead of the dash, so that they form a document. */
  readonly text: string;
}

export interface SplitList {
  /** The document without the lines of its items. */
  readonly rest: string;
  readonly items: readonly ListItem[];
}

/** Shorter Lists are read as a whole, which is fast enough. */
const longLength = 20_000;

const kindOfList = /^kind: *List *\r?$/m;
const fieldOfItems = /^items: *\r?\n/m;

/**
 * Undefined for short texts and for anything but a List in block style. The caller must check that the parts are really
 * independent.
 */
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
    // Too far left for this item, and too far right for the next.
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
