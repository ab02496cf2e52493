/** Expressions answered by Helm itself, by family of functions: recorded.txt has the answers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { GoMap } from "../../../../src/language-server/helm/go-template/values.ts";
import { rendered } from "./rendered.ts";

interface Recorded {
  readonly template: string;
  readonly answer: string;
}

/** A line without braces is one expression. */
function recordedOf(line: string): Recorded {
  const at = line.lastIndexOf(" => ");
  const [written, answer] = [line.slice(0, at), line.slice(at + 4)];
  return {
    template: written.includes("{{") ? written : `{{ ${written} }}`,
    answer: answer.startsWith("! ") ? answer : JSON.parse(answer),
  };
}

function values(): GoMap {
  const inner: GoMap = new Map([["d", [1, new Map([["e", "f"]])]]]);
  return new Map<string, GoMap | string | number | boolean | null | number[]>([
    ["i", 80],
    ["m", 1_000_000],
    ["f", 1.5],
    ["s", "text"],
    ["e", ""],
    ["false", null],
    ["t", true],
    ["l", [1, 2, 3]],
    [
      "d",
      new Map<string, GoMap | string | number>([
        ["b", 1],
        ["a", "x"],
        ["c", inner],
      ]),
    ],
  ]);
}

suite("functions of charts answer as Helm's do", () => {
  const text = readFileSync(new URL("recorded.txt", import.meta.url), "utf8");
  for (const [, family = "", lines = ""] of text.matchAll(/^\[(\w+)\]\n((?:.+\n)+)/gm))
    test(family, () => {
      const recorded = lines.trimEnd().split("\n").map(recordedOf);
      const given = recorded.map(({ template }) => ({
        template,
        answer: rendered(template, values()),
      }));
      assert.deepEqual(given, recorded);
    });
});
