import assert from "node:assert/strict";
import { inPlace } from "../../../src/language-server/completion/in-place.ts";

suite("texts of several lines in their place", () => {
  test("are put above what is no part of them, and are their first line where the next one is", () => {
    const spec = "spec:\n  a: 1";
    assert.equal(inPlace(spec, "\n\n# b\nc: 1", 0), spec);
    assert.equal(inPlace(spec, "spec\n\n# b\n  c: 1", 0), "spec:");
  });

  test("are put above any number of empty lines", () =>
    assert.equal(inPlace("a:\n  b", "\n".repeat(300_000), 0), "a:\n  b"));
});
