/** What a chart writes with `toYaml` is read again, by Kubernetes if not by the chart: it has to be the same value. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { GoMap, GoValue } from "../../../../src/language-server/helm/go-template/values.ts";
import { rendered } from "./rendered.ts";

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  // Two letters of YAML are enough for most of its meanings; long texts go on in other lines.
  fc.string({
    unit: fc.constantFrom(
      ..."aä0 :-#'\"\\\n\t{}[],&*!|>%@`?.~=<",
      "yes",
      "null",
      "1e3",
      "1:2",
      "word word ",
    ),
    maxLength: 80,
  }),
);
const value: fc.Arbitrary<GoValue> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    text,
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((number) => (number === 0 ? 0 : number)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(text, tie("value")), { maxLength: 4 })
      .map((fields) => new Map(fields as [string, GoValue][])),
  ),
})).value as fc.Arbitrary<GoValue>;

suite("YAML of charts", () => {
  for (const name of ["toYaml", "toYamlPretty"])
    test(`what ${name} writes reads as the same value`, () => {
      fc.assert(
        fc.property(value, (original) => {
          const values: GoMap = new Map([["a", original]]);
          const template = `{{ ${name} .Values | fromYaml | toJson }}`;
          assert.equal(rendered(template, values), rendered("{{ toJson .Values }}", values));
        }),
        { seed: 1, numRuns: 3000 },
      );
    });

  test("it stays the same value further in", () => {
    fc.assert(
      fc.property(value, (original) => {
        const values: GoMap = new Map([["a", original]]);
        const template =
          '{{ $y := toYaml .Values | nindent 4 }}{{ (fromYaml (printf "x:%s" $y)).x | toJson }}';
        assert.equal(rendered(template, values), rendered("{{ toJson .Values }}", values));
      }),
      { seed: 2, numRuns: 1000 },
    );
  });
});
