import assert from "node:assert/strict";
import fc from "fast-check";
import { linesOf, TextLines } from "../../src/language-server/text-lines.ts";
import { readManifestFile } from "../../src/language-server/yaml/manifest-file.ts";

/** Documents, separators with and without something after them, Windows line ends, a byte order mark anywhere. */
const text = fc
  .array(
    fc.constantFrom(
      "apiVersion: v1\n",
      "kind: Pod\n",
      "---\n",
      "--- # next\n",
      "---",
      "\n",
      "\r\n",
      "\ufeff",
      "  ä: 😀\n",
      "...\n",
      "x",
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(""));

function assertCounted(lines: TextLines, whole: string): void {
  let [line, start] = [0, 0];
  for (let offset = 0; offset <= whole.length; offset++) {
    const position = { line, character: offset - start };
    assert.deepEqual(lines.positionAt(offset), position);
    assert.equal(lines.offsetAt(position), offset);
    if (whole[offset] !== "\n") continue;
    assert.equal(lines.offsetAt({ line, character: 1000 }), offset);
    [line, start] = [line + 1, offset + 1];
  }
  assert.equal(lines.offsetAt({ line, character: 1000 }), whole.length);
  assert.equal(lines.offsetAt({ line: line + 1, character: 0 }), whole.length);
  assert.equal(lines.offsetAt({ line: -1, character: 0 }), 0);
}

suite("lines and characters", () => {
  test("each offset is in the line after the last line end before it, and converts back to itself", () => {
    fc.assert(
      fc.property(text, text, (before, whole) => {
        // Reuses documents of an earlier text.
        const file = readManifestFile(whole, readManifestFile(before));
        assertCounted(linesOf(file), whole);
      }),
      { numRuns: 2000 },
    );
  });

  test("an offset outside the text moves to its end", () => {
    const lines = new TextLines(readManifestFile("apiVersion: v1\n---\na"));
    assert.deepEqual(lines.positionAt(-1), { line: 0, character: 0 });
    assert.deepEqual(lines.positionAt(100), { line: 2, character: 1 });
  });
});
