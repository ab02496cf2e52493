/** What is read without a syntax tree is what the parser reads, and nothing that the parser complains of is read. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { readSimpleYaml } from "../../../src/language-server/yaml/simple-yaml.ts";
import { splitDocuments } from "../../../src/language-server/yaml/split-documents.ts";
import { parseSyntaxTree } from "../../../src/language-server/yaml/syntax-tree.ts";
import { toValue } from "../../../src/language-server/yaml/to-value.ts";
import { dedent } from "../../support/markers.ts";

/** As the parser reads it; undefined where it finds something wrong. */
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

const examples: readonly string[] = readdirSync("examples", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(join("examples", name), "utf8"))
  .flatMap((text) => splitDocuments(text).map(({ start, end }) => text.slice(start, end)));

/** What gives a line another meaning, or takes it from it. */
const marks: readonly string[] = [
  ..." \n-:#\"'|>[]{},&*!%@?~=_.\\\t0é",
  "  ",
  "- ",
  ": ",
  " #",
  "|-",
  "\n\n",
  "\n  ",
  "\n- ",
  "...",
  "<<",
  "a: b",
  "1e3",
  "null",
  "yes: 1\n",
  "__proto__: 1\n",
];

suite("reading simple YAML without a tree", function (this: Mocha.Suite) {
  this.timeout(60_000);

  test("the manifests of the examples are simple, and are read as the parser reads them", () => {
    const simple = examples.filter(isReadAlike);
    assert.ok(simple.length > 0.8 * examples.length, `${simple.length} of ${examples.length}`);
    const onWindows = examples.map((text) => text.replaceAll("\n", "\r\n")).filter(isReadAlike);
    assert.equal(onWindows.length, simple.length);
  });

  test("whatever is typed into them is read alike, or left to the parser", () => {
    let simpleCount = 0;
    const edit = fc.record({
      at: fc.nat(),
      removed: fc.integer({ min: 0, max: 3 }),
      mark: fc.constantFrom("", ...marks),
    });
    const lines = fc.record({ from: fc.nat(), count: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(
        fc.constantFrom(...examples),
        lines,
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        (document, { from, count }, edits) => {
          const all = document.split("\n");
          const first = from % all.length;
          let text = dedent(all.slice(first, first + count).join("\n"));
          for (const { at, removed, mark } of edits) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + mark + text.slice(place + removed);
          }
          if (isReadAlike(text)) simpleCount++;
        },
      ),
      { numRuns: 5000, seed: 21 },
    );
    assert.ok(simpleCount > 500, `${simpleCount} of 5000 were simple`);
  });

  test("what only looks simple is left to the parser", () => {
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
