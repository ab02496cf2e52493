/**
 * Reads fixtures. `#-` starts a file, carets in a comment label the line above, `$0` is the cursor. These marks are removed
 * before the code under test sees the text.
 */

export interface Label {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Fixture {
  readonly files: ReadonlyMap<string, string>;
  readonly labels: readonly (Label & { readonly file: string })[];
  readonly cursor?: { readonly file: string; readonly offset: number };
}

export function readFixture(text: string): Fixture {
  const files = new Map<string, string>();
  const labels: (Label & { readonly file: string })[] = [];
  let cursor: Fixture["cursor"];
  for (const { file, lines } of splitFiles(dedent(text))) {
    const { kept, found } = takeLabels(lines);
    labels.push(...found.map((label) => ({ ...label, file })));
    const joined = kept.join("\n");
    const offset = joined.indexOf("$0");
    if (offset >= 0) cursor = { file, offset };
    files.set(file, joined.replace("$0", ""));
  }
  return { files, labels, ...(cursor !== undefined && { cursor }) };
}

/** Removes the indentation of the first non-empty line from all lines. */
export function dedent(text: string): string {
  const lines = text
    .replace(/^\n/, "")
    .replace(/\n[ \t]*$/, "\n")
    .split("\n");
  const indent = /^ */.exec(lines.find((line) => line.trim() !== "") ?? "")?.[0].length ?? 0;
  return lines
    .map((line) => (line.slice(0, indent).trim() === "" ? line.slice(indent) : line))
    .join("\n");
}

function splitFiles(text: string): { file: string; lines: string[] }[] {
  const files: { file: string; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const name = /^#-\s+(\S+)\s*$/.exec(line)?.[1];
    const current = files.at(-1);
    if (name !== undefined) files.push({ file: name, lines: [] });
    else if (current !== undefined) current.lines.push(line);
    else if (line.trim() !== "") files.push({ file: "manifest.yaml", lines: [line] });
  }
  return files;
}

function takeLabels(lines: readonly string[]): { kept: string[]; found: Label[] } {
  const kept: string[] = [];
  const found: Label[] = [];
  for (const line of lines) {
    const carets = /^\s*#\s*(\^+)\s*(.*)$/.exec(line);
    if (carets === null) {
      kept.push(line);
      continue;
    }
    const start = line.indexOf("^");
    const length = carets[1]?.length ?? 0;
    found.push({ line: kept.length - 1, start, end: start + length, text: carets[2] ?? "" });
  }
  return { kept, found };
}
