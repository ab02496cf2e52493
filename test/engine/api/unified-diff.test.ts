import assert from "node:assert/strict";
import { unifiedDiff } from "../../../src/engine/api/unified-diff.ts";

const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

suite("A unified diff", () => {
  test("has hunks with three lines of context around each change", () => {
    const before = lines(1, 20).join("\n");
    const after = before.replace("line 3\n", "line three\n").replace("line 18\n", "");
    assert.equal(
      unifiedDiff(before, after),
      [
        "@@ -1,6 +1,6 @@",
        " line 1",
        " line 2",
        "-line 3",
        "+line three",
        " line 4",
        " line 5",
        " line 6",
        "@@ -15,6 +15,5 @@",
        " line 15",
        " line 16",
        " line 17",
        "-line 18",
        " line 19",
        " line 20",
        "",
      ].join("\n"),
    );
  });

  test("is empty for equal texts", () => {
    assert.equal(unifiedDiff("a\nb", "a\nb"), "");
  });
});
