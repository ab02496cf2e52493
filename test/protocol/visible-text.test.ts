import { strict as assert } from "node:assert";
import { visibleText, withoutIcons, withoutLinks } from "../../src/protocol/visible-text.ts";

suite("text of files where a terminal or a person reads it", () => {
  test("what a terminal obeys, and what nobody sees, is written out", () => {
    assert.equal(
      visibleText("a\u001b[2Jb\rc\u009b1m\u007f"),
      "a\\u001b[2Jb\\u000dc\\u009b1m\\u007f",
    );
    assert.equal(visibleText("x\u202ey\u200bz\u2028\ufeff"), "x\\u202ey\\u200bz\\u2028\\ufeff");
    assert.equal(visibleText("\u{e0041}\ud800"), "\\udb40\\udc41\\ud800");
  });

  test("letters of all languages, tabs and ends of lines stay", () => {
    const text = "“Größe”\t中文 עברית \u{1f600}\n";
    assert.equal(visibleText(text), text);
  });

  test("JSON stays the same JSON", () => {
    const value = "\u001b\u009b\u202e\u{e0041}\u2028\n";
    assert.equal(JSON.parse(visibleText(JSON.stringify(value))), value);
  });

  test("a label of the editor has no icon in it", () => {
    assert.equal(withoutIcons("$(sync~spin) \u202ex"), "$ (sync~spin) \\u202ex");
  });

  test("a message of the editor has no link in it", () => {
    assert.equal(withoutLinks("[Fix](command:run) x"), "[Fix] (command:run) x");
  });
});
