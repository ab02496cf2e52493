import assert from "node:assert/strict";
import fc from "fast-check";
import { goPattern } from "../../src/language-server/go-pattern.ts";

const fitsWhole = (pattern: string, text: string): boolean | string => {
  const matches = goPattern(pattern, "whole");
  return typeof matches === "string" ? matches : matches(text);
};

const fitsPart = (pattern: string, text: string): boolean | string => {
  const matches = goPattern(pattern, "part");
  return typeof matches === "string" ? matches : matches(text);
};

suite("Go patterns", () => {
  test("match what Go matches", () => {
    for (const [pattern, text, wanted] of [
      ["web-.*", "web-1", true],
      ["web-.*", "my-web-1", false],
      ["a|bc", "bc", true],
      ["(?i)WEB", "web", true],
      ["(?i:W)eB", "weB", true],
      ["(?i:W)EB", "weB", false],
      ["[^a-c]+[[:digit:]]{2,3}", "xyz123", true],
      ["[]a]+", "]a", true],
      ["\\Aweb\\b-\\d+\\z", "web-10", true],
      ["a\\.b", "axb", false],
      ["(?P<name>a)(?:b)?", "a", true],
      ["", "", true],
      ["(a*)*b", "aab", true],
    ] as const)
      assert.equal(fitsWhole(pattern, text), wanted, `${pattern} ${text}`);
  });

  test("that Go cannot read are refused in Go's words", () => {
    for (const [pattern, wanted] of [
      ["(", "missing closing ): `(`"],
      ["a)", "unexpected ): `a)`"],
      ["[a", "missing closing ]: `[a`"],
      ["*a", "missing argument to repetition operator: `*`"],
      ["a**", "invalid nested repetition operator: `**`"],
      ["a{1001}", "invalid repeat count: `{1001}`"],
      ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
      ["(a)\\1", "invalid escape sequence: `\\1`"],
    ] as const)
      assert.equal(goPattern(pattern, "whole"), `error parsing regexp: ${wanted}`);
  });

  test("take linear time even if nested, and are refused if they grow too large", () => {
    const text = "a".repeat(4000);
    assert.equal(fitsWhole("(a+)+b", text), false);
    assert.equal(fitsWhole("(.*)*(.*)*(.*)*x", text), false);
    for (const pattern of ["((a{999}){999}){999}", "(".repeat(100_000), "a{1000}".repeat(100)])
      assert.equal(typeof goPattern(pattern, "whole"), "string");
  });

  test("match what JavaScript matches, for syntax that both know", () => {
    // Deeper patterns would keep JavaScript's backtracking matcher busy forever.
    const depth = { maxDepth: 2, depthIdentifier: "pattern" };
    const { pattern } = fc.letrec((tie) => ({
      atom: fc.oneof(
        depth,
        fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w"),
        tie("pattern").map((inner) => `(${String(inner)})`),
      ),
      item: fc
        .tuple(tie("atom"), fc.constantFrom("", "", "*", "+", "?", "{1,2}"))
        .map((parts) => parts.join("")),
      pattern: fc
        .array(fc.array(tie("item"), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
        .map((choices) => choices.map((items) => items.join("")).join("|")),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
    fc.assert(
      fc.property(pattern, text, (one, letters) => {
        const source = String(one);
        assert.equal(fitsWhole(source, letters), new RegExp(`^(?:${source})$`).test(letters));
        assert.equal(fitsPart(source, letters), new RegExp(source).test(letters));
      }),
      { numRuns: 500 },
    );
  });
});
