/** What a chart writes with `toYaml` is read again, by Kubernetes or by the chart itself: the value must be the same. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { GoMap, GoValue } from "../../../../src/language-server/helm/go-template/values.ts";
import { rendered } from "./rendered.ts";

/** YAML's special characters lead to most of its cases; long texts continue on other lines. */
const signs = fc.string({
  unit: fc.constantFrom(
    ..."aä0 :-#'\"\\\n\t{}[],&*!|>%@`?.~=<",
    "yes",
    "null",
    "1e3",
    "word word ",
  ),
  maxLength: 80,
});
/** Texts whose first line begins with a tab are excluded: as Helm writes them they are not valid YAML. */
const text = fc
  .oneof(fc.string({ maxLength: 20 }), signs)
  .filter((written) => !written.startsWith("\t") || !written.includes("\n"));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((float) => float !== 0),
);
const { value } = fc.letrec<{ value: GoValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    text,
    number,
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(text, tie("value")), { maxLength: 4 })
      .map((fields): GoMap => new Map(fields)),
  ),
}));

/** Checks that the template prints the JSON of the values. */
function checkSame(template: string, seed: number): void {
  fc.assert(
    fc.property(value, (original) => {
      const values: GoMap = new Map([["a", original]]);
      assert.equal(rendered(template, values), rendered("{{ toJson .Values }}", values));
    }),
    { seed, numRuns: 2000 },
  );
}

suite("YAML functions", () => {
  for (const name of ["toYaml", "toYamlPretty"])
    test(`what ${name} writes reads as the same value`, () => {
      checkSame(`{{ printf "%s\\n" (${name} .Values) | fromYaml | toJson }}`, 1);
    });

  test("indented YAML reads as the same value", () => {
    const further = '{{ $yaml := toYaml .Values | nindent 4 | printf "x:%s\\n" }}';
    checkSame(`${further}{{ (fromYaml $yaml).x | toJson }}`, 2);
  });
});
