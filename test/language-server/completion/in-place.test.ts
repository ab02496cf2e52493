import assert from "node:assert/strict";
import { inPlace } from "../../../src/language-server/completion/in-place.ts";

suite("multi-line insertions", () => {
  test("are inserted whole, but only their first line if the key has content below", () => {
    const spec = "spec:\n  a: 1";
    assert.equal(inPlace(spec, "\n\n# b\nc: 1", 0), spec);
    assert.equal(inPlace(spec, "spec\n\n# b\n  c: 1", 0), "spec:");
  });

  test("are inserted whole above any number of empty lines", () =>
    assert.equal(inPlace("a:\n  b", "\n".repeat(300_000), 0), "a:\n  b"));
});
