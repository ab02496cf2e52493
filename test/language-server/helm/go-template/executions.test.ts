import assert from "node:assert/strict";
import { executed, type Texts } from "./executed.ts";

suite("templates that take part in an execution", () => {
  const used = (texts: Texts): readonly string[] =>
    [...executed(texts).used].map(([name, nodes]) => (nodes === undefined ? `no ${name}` : name));
  const helpers =
    '{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}y{{ end }}{{ define "z" }}z{{ end }}';

  for (const [what, text, names] of [
    ["itself", "a", []],
    ["what it includes, and what that includes", '{{ include "x" . }}', ["x", "y"]],
    ["what `template` calls", '{{ template "y" . }}', ["y"]],
    ["what `tpl` includes", '{{ tpl `{{ include "y" . }}{{ template "z" . }}` . }}', ["y", "z"]],
    ["a missing one", '{{ include "none" . }}', ["no none"]],
    ["another file by its name", '{{ include "helpers" . }}', ["helpers"]],
    [
      "only what the executed branch calls",
      '{{ if 0 }}{{ template "y" }}{{ else }}{{ template "z" }}{{ end }}',
      ["z"],
    ],
  ] as const)
    test(`are ${what}`, () => {
      assert.deepEqual(used({ a: text, helpers }), ["a", ...names]);
    });
});

suite("an execution changes data that others share", () => {
  const changes = (text: string): boolean =>
    executed(
      { a: text, helpers: '{{ define "x" }}{{ $_ := set .Values "b" 1 }}{{ end }}' },
      { map: { a: 1 }, list: [{ a: 1 }] },
      { Release: {} },
    ).changesData;

  for (const text of [
    '{{ $_ := set .Values "b" 1 }}',
    '{{ $_ := set . "b" 1 }}',
    '{{ $_ := set $.Values.map "b" 1 }}',
    '{{ $_ := unset .Values.map "a" }}',
    "{{ $_ := merge .Values.map (dict) }}",
    "{{ $_ := mergeOverwrite .Values.map (dict) }}",
    "{{ $_ := mustMerge .Values.map (dict) }}",
    "{{ $_ := mustMergeOverwrite .Values.map (dict) }}",
    '{{ $m := .Values.map }}{{ $_ := set $m "b" 1 }}',
    '{{ with .Values.map }}{{ $_ := set . "b" 1 }}{{ end }}',
    '{{ range .Values.list }}{{ $_ := set . "b" 1 }}{{ end }}',
    '{{ $_ := set (index .Values.list 0) "b" 1 }}',
    '{{ include "x" . }}',
    '{{ tpl `{{ $_ := set .Values "b" 1 }}` . }}',
  ])
    test(`by ${text}`, () => assert.equal(changes(text), true));

  for (const text of [
    '{{ $m := dict }}{{ $_ := set $m "b" .Values.map }}',
    '{{ $_ := set (deepCopy .Values) "b" 1 }}',
    "{{ $_ := merge (dict) .Values.map }}",
    "{{ $x := 1 }}{{ $x = .Values.map }}{{ $x }}",
  ])
    test(`but not by ${text}`, () => assert.equal(changes(text), false));
});
