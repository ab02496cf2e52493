/** Copied text as the lines that kubectl printed: without what terminals, logs, chats and web pages added. */
import { parsedJson } from "../../engine/api/json.ts";

const lineCountMax = 5000;
/** The rest of a longer line is ignored. */
export const lineLengthMax = 8192;

export function plainLines(text: string): readonly string[] {
  const lines = withoutPatch(outOfString(text))
    .split(/\r?\n/, lineCountMax)
    .map((line) => withoutMarkup(line.slice(0, lineLengthMax)));
  const margin = marginOf(lines);
  return margin === undefined ? lines : lines.map((line) => line.replace(margin, ""));
}

/** If the whole text is one JSON string, its value. */
function outOfString(text: string): string {
  if (!/^\s*"[^\n]*"\s*$/.test(text)) return text;
  const value = parsedJson(text)?.value;
  return typeof value === "string" ? value : text;
}

/**
 * Shortens an error of `kubectl apply` (`error when applying patch:`, the patch, `to:`, the object, `for: "file": the server's
 * answer`) to its first line and the answer. Upstream: kubectl pkg/cmd/apply/apply.go.
 */
function withoutPatch(text: string): string {
  return text.replace(/(error when applying patch:)\r?\n[\s\S]{0,8192}?\nfor: "[^"\n]*":/g, "$1");
}

/** Color codes of a terminal, also if copying has spelled out or dropped the escape character. */
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

/** Removes color codes, window frames, marks of quotations or comments, and Markdown emphasis and code marks. */
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

/**
 * What a log, a viewer or a web page puts before each line: indentation, a time, a line number, a name in brackets, klog's
 * head.
 */
const margins =
  /^((?:[\s+|-]|\d+[:.)|]?(?=\s)|\[[^\]]{1,40}\]|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\S+(?=\s)|[IWEF]\d{4} [\d:.]+\s+\d+ [\w.]+:\d+\])+)Name:\s/;

/**
 * Matches what stands before the first head of a description, and thus before each of its lines: any digits, and any number of
 * spaces before an aligned number. Undefined if there is nothing.
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
