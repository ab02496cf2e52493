/** Whatever a template repeats comes to an end soon: without limits, each of these would take minutes. */
import assert from "node:assert/strict";
import { tokensOf } from "../../../../src/language-server/helm/go-template/lexer.ts";
import { parseTemplate } from "../../../../src/language-server/helm/go-template/parser.ts";
import {
  type Piece,
  piecesBetween,
} from "../../../../src/language-server/helm/go-template/rendered-text.ts";
import type { GoMap, GoValue } from "../../../../src/language-server/helm/go-template/values.ts";
import { rendered } from "../functions/rendered.ts";

const big: GoMap = new Map<string, GoValue>([
  ["text", "x".repeat(4_000_000)],
  ["map", new Map(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, "a"]))],
]);

function repeated(action: string): string {
  return `{{ $text := .Values.text }}{{ $map := .Values.map }}{{ range 1000000 }}${action}{{ end }}`;
}

suite("limits of templates", () => {
  for (const action of [
    "{{ range 2000000 }}{{ break }}{{ end }}",
    "{{ range $map }}{{ break }}{{ end }}",
    "{{ $x := len $text }}",
    "{{ $x := index $text 0 }}",
    '{{ $x := contains "y" $text }}',
    '{{ $x := eq $text (printf "%sy" $text) }}',
    "{{ $x := trunc 5 $text }}",
    "{{ $x := tpl $text $ }}",
  ])
    test(`${action} a million times is too much`, () => {
      assert.match(rendered(repeated(action), big), /too much to be rendered here$/);
    });

  test("a loop over whole numbers only makes those that it reaches", () => {
    assert.equal(rendered("{{ range 2000000 }}{{ . }}{{ break }}{{ end }}"), "0");
  });

  test("spaces that are not trimmed are read only once", () => {
    const types = tokensOf(`${" ".repeat(1_000_000)}x{{- 1 }}`).map(({ type }) => type);
    assert.deepEqual(types.slice(0, 2), ["text", "left"]);
  });

  test("a variable is found quickly among many", () => {
    const names = Array.from({ length: 60_000 }, (_, at) => `$a${at}`);
    const declared = names.map((name) => `{{ ${name} := 1 }}`).join("");
    const used = names.map((name) => `{{ ${name} }}`).join("");
    assert.ok("nodes" in parseTemplate(declared + used, "t", () => true));
  });

  test("a text is cut at all its pieces in linear time", () => {
    const source = { name: "a", uri: "file:///a", text: "" };
    const count = 200_000;
    const pieces = Array.from(
      { length: count },
      (_, at): Piece => ({
        ...{ start: at, end: at + 1, source, from: at, to: at + 1 },
        ...{ isLiteral: true, reads: [] },
      }),
    );
    const text = { text: "x".repeat(count), pieces };
    for (let at = 0; at < count; at++)
      assert.deepEqual(
        piecesBetween(text, at, at + 1).map(({ from }) => from),
        [at],
      );
  });
});
