import assert from "node:assert/strict";
import { movedFindings } from "../../../src/language-server/diagnostics/moved-findings.ts";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";

function finding(start: number, end: number): Diagnostic {
  return { uri: "file:///a.yaml", start, end, severity: "warning", code: "x", message: "x" };
}

function placesAfter(before: string, after: string, ...found: Diagnostic[]): string[] {
  return movedFindings(found, before, after).map(({ start, end }) => after.slice(start, end));
}

suite("findings of an earlier text", () => {
  test("stay before an edit and move with the text behind it", () => {
    const places = placesAfter("one two three", "one 2 and three", finding(0, 3), finding(8, 13));
    assert.deepEqual(places, ["one", "three"]);
  });

  test("grow and shrink with the word in which somebody types", () => {
    assert.deepEqual(placesAfter("a word b", "a worrd b", finding(2, 6)), ["worrd"]);
    assert.deepEqual(placesAfter("a word b", "a wd b", finding(2, 6)), ["wd"]);
  });

  test("end up empty where their text is gone", () => {
    assert.deepEqual(placesAfter("a word b", "a ", finding(2, 6)), [""]);
  });

  test("move their related places in the same file, and leave those of other files alone", () => {
    const related = ["file:///a.yaml", "file:///b.yaml"].map((uri) => ({
      uri,
      start: 4,
      end: 7,
      message: "there",
    }));
    const [moved] = movedFindings([{ ...finding(0, 3), related }], "one two", "one, two");
    assert.deepEqual(
      moved?.related?.map(({ start }) => start),
      [5, 4],
    );
  });
});
