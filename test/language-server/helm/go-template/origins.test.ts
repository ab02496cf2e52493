import assert from "node:assert/strict";
import { executed, type Texts } from "./executed.ts";

/** Each part of the output, followed by what produced it, with the file in front unless it is the executed one. */
function originsIn(texts: Texts, values: Parameters<typeof executed>[1] = {}): readonly string[] {
  const { output, problem } = executed(texts, values);
  assert.equal(problem, undefined);
  const [executedName] = Object.keys(texts);
  return output.pieces.map(({ start, end, source, from, to, isLiteral }) => {
    const made = output.text.slice(start, end);
    const by = source.text.slice(from, to);
    if (isLiteral) assert.equal(by, made, "a text that stands in a template is there as it is");
    const file = source.name === executedName ? "" : `${source.name} `;
    return `${made} ← ${file}${isLiteral ? "as it stands" : by}`;
  });
}

const block = '{{ define "block" }}\nkind: A\nname: {{ .Values.name }}\n{{ end }}';
const name = '{{ define "name" }}\nshop-{{ .Values.name }}\n{{ end }}';
const values = { name: "web" };

suite("the origin of rendered text", () => {
  test("is the template's own text, or the action with its braces", () => {
    assert.deepEqual(originsIn({ a: "a: {{ .Values.name }}\nb: {{ 1 }}" }, values), [
      "a:  ← as it stands",
      "web ← {{ .Values.name }}",
      "\nb:  ← as it stands",
      "1 ← {{ 1 }}",
    ]);
  });

  test("is found despite trimmed spaces, comments and actions that print nothing", () => {
    assert.deepEqual(
      originsIn({ a: "a:  {{- /* x */ -}}  b{{ $x := 1 }}c{{- .Values.none }}  {{- 2 }}" }),
      ["a: ← as it stands", "b ← as it stands", "c ← as it stands", "2 ← {{- 2 }}"],
    );
  });

  test("is the same in each round of a loop", () => {
    assert.deepEqual(originsIn({ a: "{{ range tuple 1 2 }}- {{ . }};{{ end }}" }), [
      ...["-  ← as it stands", "1 ← {{ . }}", "; ← as it stands"],
      ...["-  ← as it stands", "2 ← {{ . }}", "; ← as it stands"],
    ]);
  });

  for (const call of [
    '{{ include "block" . | nindent 2 }}',
    '{{ include "block" . | indent 4 }}',
    '{{- include "block" . | trim }}',
  ])
    test(`is that of each single line, with the spaces from ${call}`, () => {
      const made = originsIn({ a: `a:${call}`, helpers: block }, values);
      assert.deepEqual(
        made.filter((piece) => !piece.endsWith(call)),
        [
          "a: ← as it stands",
          "kind: A ← helpers as it stands",
          "name:  ← helpers as it stands",
          "web ← helpers {{ .Values.name }}",
        ],
      );
      for (const spaces of made.filter((piece) => piece.endsWith(call)))
        assert.match(spaces, /^\s+ ← /);
    });

  test("is the innermost template with the line, however often it is indented", () => {
    const outer = '{{ define "outer" }}\nspec:\n{{ include "block" . | indent 2 }}\n{{ end }}';
    assert.deepEqual(
      originsIn(
        { a: '{{ include "outer" . | nindent 2 }}', helpers: block, others: outer },
        values,
      ).filter((piece) => /^\S/.test(piece)),
      [
        "spec: ← others as it stands",
        "kind: A ← helpers as it stands",
        "name:  ← helpers as it stands",
        "web ← helpers {{ .Values.name }}",
      ],
    );
  });

  for (const [what, call] of [
    ["changed", '{{ include "block" . | replace "kind" "sort" }}'],
    ["shortened", '{{ include "block" . | trim | trimSuffix "web" }}'],
    ["combined with another", '{{ print (include "block" .) (include "block" .) }}'],
    ["of one line", '{{ include "name" . }}'],
    ["of one line by `template`", '{{ template "name" . }}'],
  ] as const)
    test(`is the action for an included text ${what}`, () => {
      assert.deepEqual(
        originsIn({ a: call, helpers: block + name }, values).map((piece) =>
          piece.slice(piece.indexOf("← ")),
        ),
        [`← ${call}`],
      );
    });

  test("is the called template for the lines of `template`", () => {
    assert.deepEqual(originsIn({ a: '{{ template "block" . }}z', helpers: block }, values), [
      "\nkind: A\nname:  ← helpers as it stands",
      "web ← helpers {{ .Values.name }}",
      "\n ← helpers as it stands",
      "z ← as it stands",
    ]);
  });

  test("is the action that passes a text to `tpl`, even if that includes another template", () => {
    for (const text of ["{{ .Values.name }}\\nb", '{{ include \\"block\\" . }}{{ 1 }}']) {
      const call = `{{ tpl "${text}" . }}`;
      assert.deepEqual(
        originsIn({ a: `a{{ 1 }}${call}`, helpers: block }, values).map((piece) =>
          piece.slice(piece.indexOf("← ")),
        ),
        ["← as it stands", "← {{ 1 }}", `← ${call}`],
      );
    }
  });

  test("is correct after a missing value that Helm omits", () => {
    assert.deepEqual(
      originsIn({ a: "a{{ .Values.no }}b{{ .Values.no }}{{ .Values.name }}" }, values),
      ["a ← as it stands", "b ← as it stands", "web ← {{ .Values.name }}"],
    );
    assert.deepEqual(originsIn({ a: "a<no value>b{{ 1 }}" }), [
      "a ← as it stands",
      "b ← as it stands",
      "1 ← {{ 1 }}",
    ]);
  });
});

suite("the place of an error", () => {
  /** The text that is blamed, and the call in the executed template that led there. */
  function blamed(texts: Texts): readonly (string | undefined)[] {
    const { problem } = executed(texts, values);
    const called = problem?.calledAt;
    return [
      problem?.message,
      problem?.source.text.slice(problem.start, problem.end),
      called?.source.text.slice(called.start, called.end),
    ];
  }

  test("is the word that failed, with the first of the calls that led there", () => {
    assert.deepEqual(blamed({ a: 'a{{ fail "no" }}' }), ["no", "fail", undefined]);
    const helpers =
      '{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}{{ .Values.a.b }}{{ end }}';
    assert.deepEqual(blamed({ a: 'a{{ 1 }}{{ include "x" . }}', helpers }), [
      "nil pointer evaluating interface {}.b",
      ".Values.a.b",
      '{{ include "x" . }}',
    ]);
    assert.deepEqual(blamed({ a: '{{ template "x" . }}', helpers })[2], '{{ template "x" . }}');
  });

  test("is not an earlier call that succeeded", () => {
    const helpers = '{{ define "x" }}{{ end }}';
    assert.deepEqual(blamed({ a: '{{ include "x" . }}{{ fail "no" }}', helpers }), [
      "no",
      "fail",
      undefined,
    ]);
  });

  test("is the action that passes the text to `tpl`", () => {
    const call = '{{ tpl "{{ .Values.a.b }}" . }}';
    assert.deepEqual(blamed({ a: `{{ tpl "x" . }}${call}` }).slice(0, 2), [
      "nil pointer evaluating interface {}.b",
      call,
    ]);
    assert.deepEqual(blamed({ a: '{{ tpl "x" . }}{{ .Values.a.b }}' })[1], ".Values.a.b");
  });

  test("is where the output ends", () => {
    const { output } = executed({ a: 'a{{ if true }}b{{ fail "no" }}c{{ end }}d{{ 1 }}' });
    assert.equal(output.text, "ab");
  });
});
