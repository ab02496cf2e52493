import assert from "node:assert/strict";
import { executed } from "./executed.ts";

const values = {
  name: "web",
  size: 5,
  disk: { class: "fast", tags: ["a", "b"] },
  list: [{ name: "one" }, { name: "two" }],
  grid: [[1, 2], [3]],
  texts: ["x", "y"],
};

const helpers = [
  '{{ define "name" }}{{ .Values.name }}{{ end }}',
  '{{ define "choice" }}{{ if .Values.name }}chosen{{ end }}{{ end }}',
  '{{ define "class" }}{{ .class }}\n{{ .tags }}{{ end }}',
].join("");

/** Which values each printing action has read. */
function readsIn(text: string): readonly string[] {
  const { output, problem } = executed({ a: text, helpers }, values, { Release: { Name: "rel" } });
  assert.equal(problem, undefined);
  return output.pieces
    .filter(({ isLiteral }) => !isLiteral)
    .map(({ start, end, reads }) => {
      const paths = reads.map(({ path }) => path.join(".") || "all");
      return `${output.text.slice(start, end).trim()} ← ${paths.join(", ") || "nothing"}`;
    });
}

suite("the values that an action reads", () => {
  for (const [what, text, reads] of [
    ["a chain of fields", "{{ .Values.disk.class }}", ["fast ← disk.class"]],
    ["a chain that begins at the dollar", "{{ $.Values.disk.class }}", ["fast ← disk.class"]],
    ["a chain in brackets", "{{ (.Values.disk).class }}", ["fast ← disk, disk.class"]],
    ["a missing value", "{{ .Values.none | default 1 }}", ["1 ← none"]],
    [
      "a map as a whole",
      "{{ .Values.disk | toJson }}",
      ['{"class":"fast","tags":["a","b"]} ← disk'],
    ],
    ["an argument of a function", "{{ .Values.name | quote }}", ['"web" ← name']],
    ["several values", '{{ printf "%s-%v" .Values.name .Values.size }}', ["web-5 ← name, size"]],
    ["nothing", "{{ 1 }}", ["1 ← nothing"]],
    ["the facts of the release: nothing", "{{ .Release.Name }}", ["rel ← nothing"]],
    ["all of the values", "{{ len .Values }}{{ len .Values.AsMap }}", ["6 ← all", "6 ← all"]],

    ["the dot of `with`", "{{ with .Values.name }}{{ . }}{{ end }}", ["web ← name"]],
    ["a field of `with`", "{{ with .Values.disk }}{{ .class }}{{ end }}", ["fast ← disk.class"]],
    ["a variable of `with`", "{{ with $x := .Values.name }}{{ $x }}{{ end }}", ["web ← name"]],
    [
      "`$` and the dot within `with`",
      "{{ with 1 }}{{ $.Values.name }}{{ . }}{{ end }}",
      ["web ← name", "1 ← nothing"],
    ],
    [
      "a value after a condition, without what the condition reads",
      "{{ if .Values.size }}{{ .Values.name }}{{ end }}",
      ["web ← name"],
    ],

    [
      "the items of a list",
      "{{ range .Values.texts }}{{ . }}{{ end }}",
      ["x ← texts.0", "y ← texts.1"],
    ],
    [
      "fields of items",
      "{{ range .Values.list }}{{ .name }}{{ end }}",
      ["one ← list.0.name", "two ← list.1.name"],
    ],
    [
      "items of items",
      "{{ range .Values.grid }}{{ range . }}{{ . }}{{ end }}{{ end }}",
      ["1 ← grid.0.0", "2 ← grid.0.1", "3 ← grid.1.0"],
    ],
    [
      "the fields of a map",
      "{{ range $k, $v := .Values.disk }}{{ $k }}{{ $v }}{{ end }}",
      ["class ← nothing", "fast ← disk.class", "tags ← nothing", "[a b] ← disk.tags"],
    ],
    [
      "a loop's only variable",
      "{{ range $x := .Values.texts }}{{ $x }}{{ end }}",
      ["x ← texts.0", "y ← texts.1"],
    ],
    [
      "a variable that a loop assigns",
      "{{ $x := 1 }}{{ range $x = .Values.texts }}{{ end }}{{ $x }}",
      ["y ← texts.1"],
    ],

    ["a variable", "{{ $x := .Values.name }}{{ $x }}", ["web ← name"]],
    ["a field of a variable", "{{ $x := .Values.disk }}{{ $x.class }}", ["fast ← disk.class"]],
    ["an assigned variable", "{{ $x := 1 }}{{ $x = .Values.name }}{{ $x }}", ["web ← name"]],
    ["a variable made of one value", "{{ $x := .Values.name | upper }}{{ $x }}", ["WEB ← name"]],
    [
      "a variable that is one of several values: only that one",
      "{{ $x := .Values.none | default .Values.disk.class | default .Values.name }}{{ $x }}",
      ["fast ← disk.class"],
    ],
    [
      "a variable made of several values: none",
      "{{ $x := print .Values.name .Values.disk.class }}{{ $x }}",
      ["webfast ← nothing"],
    ],

    [
      "what `index` finds by a key",
      '{{ index .Values "disk" "class" }}',
      ["fast ← all, disk.class"],
    ],
    ["what `index` finds by a number", "{{ index .Values.texts 1 }}", ["y ← texts, texts.1"]],
    [
      "a field of what `index` finds",
      "{{ (index .Values.list 1).name }}",
      ["two ← list, list.1, list.1.name"],
    ],
    ["what `index` finds elsewhere: nothing", '{{ index (dict "a" 1) "a" }}', ["1 ← nothing"]],

    [
      "a map taken from another map",
      '{{ $x := dict "d" .Values.disk }}{{ $x.d.class }}',
      ["fast ← disk.class"],
    ],
    ["what an included line reads and ends with", '{{ include "name" . }}', ["web ← name"]],
    [
      "an included template, without what else it reads",
      '{{ include "name" . | upper }}{{ include "choice" . }}',
      ["WEB ← name", "chosen ← nothing"],
    ],
    [
      "the data of an included template",
      '{{ include "class" .Values.disk | upper }}',
      ["FAST\n[A B] ← disk"],
    ],
    ["the text passed to `tpl`", "{{ tpl .Values.name . }}", ["web ← name"]],
  ] as const)
    test(`are known for ${what}`, () => {
      assert.deepEqual(readsIn(text), reads);
    });

  test("are known in a template that gets a part of them", () => {
    assert.deepEqual(readsIn('{{ include "class" .Values.disk }}').slice(0, 3), [
      "fast ← disk.class",
      " ← disk",
      "[a b] ← disk.tags",
    ]);
  });

  test("have paths that start at `.Values` of the executed template", () => {
    const { output } = executed({ a: "{{ .Values.disk.class }}" }, values);
    const [read] = output.pieces[0]?.reads ?? [];
    assert.ok(read !== undefined && read.root instanceof Map);
    assert.equal(read.root.get("name"), "web");
  });
});
