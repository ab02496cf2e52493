import assert from "node:assert/strict";
import { wording } from "../../../src/engine/explain/messages/wording.ts";

function valuesOf(
  text: string,
  message: string,
  stands: "whole" | "anywhere" = "whole",
): readonly string[] | undefined {
  return wording(text, stands).valuesIn(message);
}

suite("wordings of messages", () => {
  test("each value is as short as possible, and the last takes the rest", () => {
    assert.deepEqual(valuesOf("a {x} b {y}", "a 1 b 2 b 3"), ["1", "2 b 3"]);
    assert.deepEqual(valuesOf("a {x} b {y} c", "a 1 b 2 c 3 c"), ["1", "2 c 3"]);
    assert.deepEqual(valuesOf("a {x} b", "a 1 b 2 b"), ["1 b 2"]);
    assert.equal(valuesOf("a {x} b", "a 1 b 2"), undefined);
    assert.deepEqual(valuesOf("a", "a"), []);
  });

  test("names have no blanks and no quotes, numbers only digits", () => {
    assert.deepEqual(valuesOf('claim "{claim}" {detail}', 'claim "a/b" is gone'), [
      "a/b",
      "is gone",
    ]);
    assert.equal(valuesOf("claim {claim} is", "claim a b is"), undefined);
    assert.deepEqual(valuesOf("{x} of {count}0", "1 of 2 of 3000"), ["1 of 2", "300"]);
    assert.equal(valuesOf("{count} of", "x of"), undefined);
    assert.deepEqual(valuesOf("{fieldPath}: bad", "* spec.a: bad"), ["* spec.a"]);
  });

  test("a wording for anywhere is found in any case", () => {
    const found = valuesOf("no {x} on node {node}", "Error: No Disk ON node a, sorry", "anywhere");
    assert.deepEqual(found, ["Disk", "a"]);
    assert.deepEqual(valuesOf("refused: {detail}", "it Refused: all of it", "anywhere"), [
      "all of it",
    ]);
    assert.equal(valuesOf("refused", "nothing", "anywhere"), undefined);
  });
});
