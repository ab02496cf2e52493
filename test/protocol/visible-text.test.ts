import { strict as assert } from "node:assert";
import { visibleText, withoutIcons, withoutLinks } from "../../src/protocol/visible-text.ts";

suite("text of files for terminals and people", () => {
  test("control characters and invisible ones are escaped", () => {
    assert.equal(
      visibleText("a\u001b[2Jb\rc\u009b1m\u007f"),
      "a\\u001b[2Jb\\u000dc\\u009b1m\\u007f",
    );
    assert.equal(visibleText("x\u202ey\u200bz\u2028\ufeff"), "x\\u202ey\\u200bz\\u2028\\ufeff");
    assert.equal(visibleText("\u{e0041}\ud800"), "\\udb40\\udc41\\ud800");
  });

  test("letters of all languages, tabs and line ends are kept", () => {
    const text = "“Größe”\t中文 עברית \u{1f600}\n";
    assert.equal(visibleText(text), text);
  });

  test("JSON keeps its value", () => {
    const value = "\u001b\u009b\u202e\u{e0041}\u2028\n";
    assert.equal(JSON.parse(visibleText(JSON.stringify(value))), value);
  });

  test("an editor's label gets no icon", () => {
    assert.equal(withoutIcons("$(sync~spin) \u202ex"), "$ (sync~spin) \\u202ex");
  });

  test("an editor's message gets no link", () => {
    assert.equal(withoutLinks("[Fix](command:run) x"), "[Fix] (command:run) x");
  });
});
