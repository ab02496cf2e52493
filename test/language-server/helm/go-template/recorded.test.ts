/** Templates answered by Helm itself: recorded.txt has the templates and its answers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { helmFunctions } from "../../../../src/language-server/helm/functions/all.ts";
import { execute } from "../../../../src/language-server/helm/go-template/execution.ts";
import { readTemplates } from "../../../../src/language-server/helm/go-template/templates.ts";
import type { GoMap, GoValue } from "../../../../src/language-server/helm/go-template/values.ts";

const helpers = `{{- define "h.one" -}}one-{{ .Values.name }}{{- end -}}
{{- define "h.lines" }}
a: {{ .Values.name }}
b: 2
{{- end }}{{ define "h.rec" }}{{ if gt (len .) 0 }}{{ index . 0 }},{{ include "h.rec" (slice . 1) }}{{ end }}{{ end }}`;

function goMap(fields: Readonly<Record<string, GoValue>>): GoMap {
  return new Map(Object.entries(fields));
}

function data(): GoMap {
  const values = goMap({
    port: 80,
    name: "x",
    m: goMap({ a: goMap({ b: 1, s: "hi" }), l: [1, "two", goMap({ k: "v" })] }),
    empty: goMap({}),
    nil: null,
    f: 1.5,
    b: true,
    long: "a {{ .Values.name }} b",
  });
  return goMap({ Values: values, Release: goMap({ Name: "release-name" }) });
}

function answer(template: string): string {
  // Begins a block of text, so that any output is valid YAML.
  const before = "x: |2-\n";
  const sources = [
    { name: "helpers", uri: "file:///helpers", text: helpers },
    { name: "t", uri: "file:///t", text: before + template },
  ];
  const { templates, problems } = readTemplates(sources, helmFunctions);
  const { output, problem = problems[0] } = execute(templates, "t", data(), helmFunctions);
  if (problem !== undefined) return `! ${problem.message}`;
  return JSON.stringify(output.text.slice(before.length).trimEnd());
}

suite("templates of charts", () => {
  test("render what they render in Helm", () => {
    const text = readFileSync(new URL("recorded.txt", import.meta.url), "utf8");
    const recorded = text
      .split("\n")
      .filter((line) => line.startsWith('"'))
      .map((line) => line.split(" => "));
    assert.ok(recorded.length > 100);
    assert.deepEqual(
      recorded.map(([template = ""]) => [template, answer(JSON.parse(template))]),
      recorded,
    );
  });
});
