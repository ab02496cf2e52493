import assert from "node:assert/strict";
import { compareText, sortedKeys } from "../../../src/engine/api/go/text-order.ts";

suite("The order of texts", () => {
  test("is byte-wise, as in Go", () => {
    const texts = ["b", "a", "ab", "", "Z", "é", "\u{1f600}", "\uff5e", "a-b", "a.b"];
    const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    assert.deepEqual(texts.toSorted(compareText), byBytes);
    assert.deepEqual(byBytes.slice(-2), ["\uff5e", "\u{1f600}"]);
    assert.equal(compareText("same", "same"), 0);
  });

  test("applies to the keys of a map; without a map there are none", () => {
    assert.deepEqual(sortedKeys({ b: 1, a: 2 }), ["a", "b"]);
    assert.deepEqual(sortedKeys(undefined), []);
  });
});
