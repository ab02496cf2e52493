/** Schemas and values judged by Helm itself: recorded.txt has its answers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { judged } from "./judged.ts";

interface Line {
  readonly text: string;
  readonly depth: number;
  readonly below: Line[];
}

/** Sorts messages on the same level alphabetically. */
function inOrder(told: string): string {
  const top: Line = { text: "", depth: -1, below: [] };
  const open = [top];
  for (const line of told.split("\n")) {
    const [, indent = ""] = /^( *)- /.exec(line) ?? [];
    const read = { text: withSortedNames(line), depth: indent.length / 2, below: [] };
    while ((open.at(-1)?.depth ?? -1) >= read.depth) open.pop();
    open.at(-1)?.below.push(read);
    open.push(read);
  }
  return printed(top);
}

function printed({ text, below }: Line): string {
  return [text, ...below.map(printed).sort()].join("\n");
}

function withSortedNames(line: string): string {
  return line.replace(
    /(additional properties )(.*)( not allowed)/,
    (_, before, names, behind) => before + names.split(", ").sort().join(", ") + behind,
  );
}

function recorded(family: string): readonly (readonly [string, string, string])[] {
  const text = readFileSync(new URL("recorded.txt", import.meta.url), "utf8");
  const [, lines = ""] = text.match(new RegExp(`^\\[${family}\\]\\n((?:.+\\n)+)`, "m")) ?? [];
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [first = "", values = "", answer = '""'] = line.split("\t");
      return [first, values, JSON.parse(answer)];
    });
}

suite("values are judged by their schemas as Helm judges them", () => {
  test("in all drafts", () => {
    const told = recorded("schemas");
    assert.deepEqual(
      told.map(([schema, values]) => [schema, values, inOrder(judged(schema, JSON.parse(values)))]),
      told.map(([schema, values, answer]) => [schema, values, inOrder(answer)]),
    );
  });

  test("by each format", () => {
    const told = recorded("formats");
    const $schema = "http://json-schema.org/draft-07/schema#";
    const given = told.map(([format, text]) => {
      const schema = JSON.stringify({ $schema, properties: { a: { format } } });
      return [format, text, judged(schema, { a: JSON.parse(text) }).replace("- at '/a': ", "")];
    });
    assert.deepEqual(given, told);
  });
});
