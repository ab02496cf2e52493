/** What is read without a syntax tree has the value that the parser reads, and is nothing that the parser complains about. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { readSimpleYaml } from "../../../src/language-server/yaml/simple-yaml.ts";
import { parseSyntaxTree } from "../../../src/language-server/yaml/syntax-tree.ts";
import { toValue } from "../../../src/language-server/yaml/to-value.ts";
import { exampleDocuments, typedYaml } from "../../support/typed-yaml.ts";

/** The value that the parser reads; undefined if it finds a mistake. */
function parsed(text: string): string | undefined {
  const tree = parseSyntaxTree(text);
  const { value, problems } = toValue(tree.root);
  return tree.problems.length + problems.length > 0 ? undefined : JSON.stringify(value);
}

function isReadAlike(text: string): boolean {
  const value = readSimpleYaml(text);
  if (value !== undefined) assert.equal(JSON.stringify(value), parsed(text), text);
  return value !== undefined;
}

suite("reading simple YAML without a syntax tree", function (this: Mocha.Suite) {
  this.timeout(60_000);

  test("most manifests of the examples are simple, and are read as by the parser", () => {
    const simple = exampleDocuments.filter(isReadAlike);
    const count = exampleDocuments.length;
    assert.ok(simple.length > 0.8 * count, `${simple.length} of ${count}`);
    const onWindows = exampleDocuments
      .map((text) => text.replaceAll("\n", "\r\n"))
      .filter(isReadAlike);
    assert.equal(onWindows.length, simple.length);
  });

  test("whatever is typed into them, they are read as by the parser or left to it", () => {
    let simpleCount = 0;
    fc.assert(
      fc.property(typedYaml, (text) => {
        if (isReadAlike(text)) simpleCount++;
      }),
      { numRuns: 5000, seed: 21 },
    );
    assert.ok(simpleCount > 500, `${simpleCount} of 5000 were simple`);
  });

  test("a long object is read as by the parser, up to the limit on values", () => {
    const long = (count: number, line: (index: number) => string): string =>
      `kind: ConfigMap\ndata:\n${Array.from({ length: count }, (_, index) => line(index)).join("")}`;
    const lines = long(9_000, (index) => `  key_${index}: "a value of the map"\n`);
    assert.ok(lines.length > 250_000);
    assert.ok(isReadAlike(lines));
    const block = long(1, () => `  text: |\n${"    a line - of the text\n".repeat(20_000)}`);
    assert.ok(isReadAlike(block));
    const full = long(1, () => `  list: [${"a, ".repeat(210_000)}a]\n`);
    assert.equal(readSimpleYaml(full), undefined);
  });

  test("text that only looks simple is left to the parser", () => {
    for (const text of [
      "",
      "# nothing\n",
      "a: b: c\n",
      "a: b\n  c\n",
      "a: 1\na: 2\n",
      "a: &x 1\nb: *x\n",
      "a: !!str 1\n",
      "a: >\n  folded\n",
      'a: "\\n"\n',
      "a:\n   - 1\n  - 2\n",
      "a: |\n  text",
      "a: [1, 2\n",
      "__proto__: 1\n",
      "a: {{ .Values.a }}\n",
    ])
      assert.equal(readSimpleYaml(text), undefined, JSON.stringify(text));
  });
});
