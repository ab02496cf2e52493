/** Copied text as the lines that kubectl has printed: without what terminals, logs, chats and pages have put around them. */
import { parsedJson } from "../../engine/api/json.ts";

const lineCountMax = 5000;
/** What a longer line has beyond is not read. */
export const lineLengthMax = 8192;

export function plainLines(text: string): readonly string[] {
  const lines = withoutPatch(outOfString(text))
    .split(/\r?\n/, lineCountMax)
    .map((line) => withoutMarkup(line.slice(0, lineLengthMax)));
  const margin = marginOf(lines);
  return margin === undefined ? lines : lines.map((line) => line.replace(margin, ""));
}

/** All of it as one string of JSON, with its line breaks written out. */
function outOfString(text: string): string {
  if (!/^\s*"[^\n]*"\s*$/.test(text)) return text;
  const value = parsedJson(text)?.value;
  return typeof value === "string" ? value : text;
}

/**
 * `error when applying patch:`, the patch, `to:`, the object, `for: "file": the server's answer`: without what stands
 * between. Upstream: kubectl pkg/cmd/apply/apply.go.
 */
function withoutPatch(text: string): string {
  return text.replace(/(error when applying patch:)\r?\n[\s\S]{0,8192}?\nfor: "[^"\n]*":/g, "$1");
}

/** A terminal's colours, also where copying has written out the escape character in front, or dropped it. */
const colour = new RegExp(
  String.raw`(?:${String.fromCharCode(27)}|\\x1b|\\u001b|\\033|\\e)\[[\d;]*[A-Za-z]|\[(?:[01]|[349]\d)(?:;\d+)*m`,
  "gi",
);

const entities: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&#34;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": " ",
  "&amp;": "&",
};

/** Without a terminal's colours, the frame of its window, the marks of a quotation or a comment, and those of emphasis and code. */
function withoutMarkup(line: string): string {
  const plain = line
    .replace(colour, "")
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, "")
    .replace(/[│┃║\u00a0]/g, " ")
    .replace(/&(?:quot|#3[49]|apos|lt|gt|nbsp|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/^(?:\s*>)+ ?|^\s*#+(?=\s)/, "")
    .replace(/\*\*|`/g, "")
    .replace(/^_(.*)_$/, "$1")
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .trimEnd();
  // A row of a Markdown table.
  return /^\s*\|\s/.test(plain) ? plain.replace(/(?<!\s)\s+\|(?=\s|$)/g, "   ") : plain;
}

/** What a log, a viewer or a page has put before each line: an indent, a time, a number, a name in brackets, klog's head. */
const margins =
  /^((?:[\s+|-]|\d+[:.)|]?(?=\s)|\[[^\]]{1,40}\]|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\S+(?=\s)|[IWEF]\d{4} [\d:.]+\s+\d+ [\w.]+:\d+\])+)Name:\s/;

/**
 * Before the first head of a description, as it looks before each of its lines: other digits, and blanks as many as there
 * may be where a number is aligned. Undefined where there is none.
 */
function marginOf(lines: readonly string[]): RegExp | undefined {
  const found = lines.find((line) => /^Name:\s/.test(line) || margins.test(line));
  const margin = margins.exec(found ?? "")?.[1];
  if (margin === undefined) return undefined;
  const shape = margin
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\d+/g, "\\d+")
    .replace(/\s*\\d\+/, "\\s*\\d+")
    .replace(/^ +/, (blanks) => `\\s{${blanks.length}}`);
  return new RegExp(`^${shape}`);
}
