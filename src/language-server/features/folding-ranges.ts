/**
 * Folding of documents, blocks and runs of comments, by indentation. Clients ask after every edit, so the text is read line by
 * line and not parsed; broken YAML folds as far as its indentation allows.
 */
import type { WorkspaceFile } from "../workspace/workspace-object.ts";

export interface FoldingRange {
  /** Lines from zero; the first one stays visible. */
  readonly start: number;
  readonly end: number;
  readonly kind: "document" | "block" | "comment";
}

/** Clients show no more than this. */
const rangeCountMax = 20_000;

interface Line {
  readonly number: number;
  readonly text: string;
  /** Columns of indentation; half a column more for a list item. */
  readonly depth: number;
}

export function foldingRanges({ manifest: { text } }: WorkspaceFile): readonly FoldingRange[] {
  const found: FoldingRange[] = [];
  const open: Line[] = [];
  let comment: { first: number; last: number } | undefined;
  let document: number | undefined;
  let last = -1;
  const add = (kind: FoldingRange["kind"], start: number, end: number): void => {
    if (end > start && found.length < rangeCountMax) found.push({ start, end, kind });
  };
  const closeTo = (depth: number): void => {
    for (let line = open.at(-1); line !== undefined && line.depth >= depth; line = open.at(-1)) {
      open.pop();
      add("block", line.number, last);
    }
  };
  const endComment = (): void => {
    if (comment !== undefined) add("comment", comment.first, comment.last);
    comment = undefined;
  };
  const endDocument = (): void => {
    closeTo(0);
    if (document !== undefined && last >= 0) add("document", document, last);
    document = undefined;
  };
  for (const line of linesOfText(text)) {
    const { number, text: content } = line;
    if (content === "") continue;
    if (/^---(?:\s|$)/.test(content) && line.depth === 0) {
      endComment();
      endDocument();
      continue;
    }
    document ??= number;
    if (content.startsWith("#") && !isInBlockText(open, line)) {
      comment = { first: comment?.first ?? number, last: number };
      continue;
    }
    endComment();
    closeTo(line.depth);
    open.push(line);
    last = number;
  }
  endComment();
  endDocument();
  // At the same line the larger range comes first; a document before its only block.
  return found.sort(
    (a, b) =>
      a.start - b.start ||
      b.end - a.end ||
      (a.kind === b.kind ? 0 : a.kind === "document" ? -1 : 1),
  );
}

/** A `#` inside a block scalar begins no comment. */
function isInBlockText(open: readonly Line[], { depth }: Line): boolean {
  const parent = open.findLast((line) => line.depth < depth);
  return parent !== undefined && /[|>][-+\d]*\s*(?:#.*)?$/.test(parent.text);
}

function* linesOfText(text: string): Iterable<Line> {
  let number = 0;
  for (let start = 0; start <= text.length; number++) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const whole = text.slice(start, end).trimEnd();
    const content = whole.trimStart();
    // A list item may stand in the same column as its key and is still its child.
    const isItem = /^-(?:\s|$)/.test(content);
    yield { number, text: content, depth: whole.length - content.length + (isItem ? 0.5 : 0) };
    start = end + 1;
  }
}
