import assert from "node:assert/strict";
import { parseTemplate } from "../../../../src/language-server/helm/go-template/parser.ts";

/** What is wrong with a template; undefined if it is valid. */
function refusal(text: string): string | undefined {
  const read = parseTemplate(text, "t", () => true);
  return "message" in read ? read.message : undefined;
}

suite("nesting in a template", () => {
  for (const [what, nested] of [
    ["branches", (n: number) => `${"{{if 1}}".repeat(n)}x${"{{end}}".repeat(n)}`],
    ["else-branches", (n: number) => `{{if 1}}${"{{else if 1}}".repeat(n)}x{{end}}`],
    ["loops", (n: number) => `${"{{range 1}}".repeat(n)}x${"{{end}}".repeat(n)}`],
    ["`with`", (n: number) => `${"{{with 1}}".repeat(n)}x${"{{end}}".repeat(n)}`],
    ["brackets", (n: number) => `{{${"(".repeat(n)}1${")".repeat(n)}}}`],
  ] as const)
    test(`is possible to a limited depth for ${what}`, () => {
      assert.equal(refusal(nested(150)), undefined);
      for (const count of [250, 50_000])
        assert.equal(refusal(nested(count)), "exceeded maximum nesting depth");
    });

  test("does not include parts that follow each other", () => {
    for (const part of ["{{if 1}}{{else if 1}}{{end}}", "{{((1))}}", "{{range 1}}{{else}}{{end}}"])
      assert.equal(refusal(part.repeat(1000)), undefined);
  });

  test("after `else` is limited to the branches that Go allows", () => {
    assert.equal(refusal("{{with 1}}{{else with 2}}{{end}}"), undefined);
    for (const text of ["{{if 1}}{{else with 2}}{{end}}", "{{with 1}}{{else if 2}}{{end}}"])
      assert.match(refusal(text) ?? "", /^unexpected <(?:if|with)> in input$/);
    assert.match(refusal("{{range 1}}{{else if 2}}{{end}}") ?? "", /^unexpected <if> in input$/);
    assert.equal(refusal("{{if 1}}{{else}}{{else}}{{end}}"), "expected end; found {{else}}");
  });

  test("matters for `break` and `continue`, which are refused outside a loop", () => {
    assert.equal(refusal("{{range 1}}{{if 1}}{{break}}{{end}}{{continue}}{{end}}"), undefined);
    for (const text of [
      "{{break}}",
      "{{range 1}}{{end}}{{break}}",
      "{{range 1}}{{else}}{{break}}{{end}}",
      "{{range 1}}{{block `x` .}}{{break}}{{end}}{{end}}",
    ])
      assert.equal(refusal(text), "{{break}} outside {{range}}");
  });
});
