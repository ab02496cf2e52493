import assert from "node:assert/strict";
import { packedText } from "../../../../src/language-server/helm/archive/packed-chart.ts";
import type { Release, RenderedChart } from "../../../../src/language-server/helm/chart/release.ts";
import { renderChart } from "../../../../src/language-server/helm/chart/render-chart.ts";
import { chartOf } from "./chart-of.ts";

const chartYaml = "apiVersion: v2\nname: web\nversion: 1.0.0\n";
const dbYaml = "apiVersion: v2\nname: db\nversion: 1.2.0\n";

suite("a rendered chart", () => {
  test("is in the order of installation, without what Helm never creates", () => {
    const hook = (name: string, events: string, weight = "0"): string =>
      `kind: Job\nmetadata:\n  name: ${name}\n  annotations: {helm.sh/hook: "${events}", helm.sh/hook-weight: "${weight}"}\n`;
    const made = render({
      "templates/a.yaml": `kind: StatefulSet\n---\nkind: Other\n---\n# nothing\n---\nkind: PersistentVolumeClaim\n`,
      "templates/hooks.yaml": [
        hook("late", "post-install"),
        hook("second", "pre-install,pre-upgrade", "5"),
        hook("first", "Pre-Install , pre-upgrade", "-5"),
        hook("test", "test"),
        hook("up", "pre-upgrade"),
        hook("none", "crd-install"),
      ].join("---\n"),
      "templates/NOTES.txt": "no: {yaml",
      "templates/_parts.tpl": "kind: Part",
      "crds/b.yaml": "kind: CustomResourceDefinition\n---\nkind: Namespace\n",
      "crds/notes.md": "# no: {yaml",
    });
    assert.deepEqual(made.problems, []);
    assert.deepEqual(
      made.manifests.map(({ kind, phase, hook: own }) => [kind, phase, own?.weight]),
      [
        ["CustomResourceDefinition", "crd", undefined],
        ["Namespace", "crd", undefined],
        ["Job", "pre-install", -5],
        ["Job", "pre-install", 5],
        ["PersistentVolumeClaim", "install", undefined],
        ["StatefulSet", "install", undefined],
        ["Other", "install", undefined],
        ["Job", "post-install", 0],
      ],
    );
    assert.deepEqual(
      made.otherHooks.map(({ hook: own }) => own?.events),
      [["test"], ["pre-upgrade"]],
    );
  });

  test("uses the release's values, of which later ones override earlier", () => {
    const made = render(
      {
        "values.yaml": "size: 1Gi\nclass: slow\nkept: yes\ngone: 1\ntable: {a: 1, b: 2}\n",
        "templates/a.yaml": "kind: A\nv: {{ .Values | toJson }}\n",
      },
      {
        values: [
          { type: "set", line: "size=4Gi,n=5" },
          file("one.yaml", "size: 2Gi\nclass: fast\ngone: null\ntable: 1\n"),
          file("two.yaml", "size: 3Gi\ntable: {b: 3, c: 4}\n"),
        ],
      },
    );
    assert.equal(
      made.manifests[0]?.text,
      'kind: A\nv: {"class":"fast","kept":true,"n":5,"size":"4Gi","table":{"a":1,"b":3,"c":4}}\n',
    );
  });

  test("can use the release, the chart, the cluster and the chart's files", () => {
    const made = render(
      {
        "Chart.yaml": `${chartYaml}appVersion: "2.0"\nannotations: {a: b}\n`,
        "cfg/a.ini": "x = 1\n",
        "cfg/sub/b.ini": "y = 2\n",
        "templates/a.yaml": [
          "text: |\n  a: {{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.IsInstall }} {{ .Release.Revision }}",
          "b: {{ .Chart.Name }} {{ .Chart.AppVersion }} {{ .Chart.IsRoot }} {{ .Chart.Annotations.a }}",
          "c: {{ .Capabilities.KubeVersion }} {{ .Capabilities.KubeVersion.Minor }}",
          'd: {{ .Capabilities.APIVersions.Has "x/v1" }} {{ .Capabilities.APIVersions.Has "apps/v1" }} {{ .Capabilities.APIVersions.Has "no/v1" }}',
          'e: {{ .Files.Get "cfg/a.ini" | trim }} {{ range $name, $_ := .Files.Glob "cfg/*" }}{{ $name }};{{ end }}',
          'f: {{ (.Files.Glob "cfg/**").AsSecrets | fromYaml | toJson }} {{ .Files.Lines "cfg/a.ini" }}',
          "g: {{ .Template.Name }} {{ .Template.BasePath }}",
          'h: {{ .Files.Get "none" }}{{ .Values.none }}',
        ].join("\n  "),
      },
      { apiVersions: ["x/v1"] },
    );
    assert.deepEqual(made.manifests[0]?.text.split("\n  "), [
      "text: |",
      "a: rel space true 1",
      "b: web 2.0 true b",
      "c: v1.36.0 36",
      "d: true true false",
      "e: x = 1 cfg/a.ini;",
      'f: {"a.ini":"eCA9IDEK","b.ini":"eSA9IDIK"} [x = 1]',
      "g: web/templates/a.yaml web/templates",
      "h: ",
    ]);
  });

  test("is the same with byte order marks and Windows line ends", () => {
    const files = {
      "Chart.yaml": chartYaml,
      "values.yaml": "size: 1Gi\nclass: fast\n",
      "templates/_a.tpl": '{{- define "x" -}}\nx: y\n{{- end }}\n',
      "templates/a.yaml": 'kind: A\nsize: {{ .Values.size }}\n{{ include "x" . }}\n',
    };
    const otherwise = Object.entries(files).map(([name, text]) => [
      name,
      `\ufeff${text.replaceAll("\n", "\r\n")}`,
    ]);
    const [manifest] = render(Object.fromEntries(otherwise)).manifests;
    assert.equal(manifest?.text.replaceAll("\r\n", "\n"), "kind: A\nsize: 1Gi\nx: y\n");
    const piece = manifest?.pieces.find(({ isLiteral }) => !isLiteral);
    const template = otherwise[3]?.[1] ?? "";
    assert.equal(template.slice(piece?.from, piece?.to), "{{ .Values.size }}");
  });

  test("has a place in the template for each part, and the places of the values printed there", () => {
    const template = "kind: A\nsize: {{ .Values.disk.size }}\n";
    const values = "disk:\n  size: 1Gi\n";
    const made = render(
      { "values.yaml": values, "templates/a.yaml": template },
      { values: [file("given.yaml", "disk: {size: 2Gi}\n")] },
    );
    const [manifest] = made.manifests;
    const at = manifest?.text.indexOf("2Gi") ?? -1;
    const piece = manifest?.pieces.find(({ start, end }) => start <= at && at < end);
    assert.equal(template.slice(piece?.from, piece?.to), "{{ .Values.disk.size }}");
    const places = (piece?.reads ?? []).flatMap((read) => made.placesOf(read));
    assert.deepEqual(
      places.map(({ uri, start, end }) => [uri, start, end]),
      [
        ["file:///given.yaml", 13, 16],
        ["file:///web/values.yaml", values.indexOf("1Gi"), values.indexOf("1Gi") + 3],
      ],
    );
  });

  test("has no place for a value that the command line sets, whatever files say", () => {
    const files = {
      "values.yaml": "disk: {size: 1Gi, class: slow}\nlist: [{a: 1}]\n",
      "templates/a.yaml": [
        "kind: A\nv: |",
        "  {{ .Values.disk.size }} {{ .Values.disk.class }} {{ .Values.disk | toJson }}",
        "  {{ range .Values.list }}{{ .a }}{{ end }}",
      ].join("\n"),
    };
    const made = render(files, { values: [{ type: "set", line: "disk.size=2Gi,list[0].a=5" }] });
    assert.deepEqual(placesIn(made, files), [
      "2Gi at nothing",
      "slow at values.yaml: slow",
      '{"class":"slow","size":"2Gi"} at values.yaml: {size: 1Gi, class: slow}',
      "5 at nothing",
    ]);
  });
});

suite("subcharts of a release", () => {
  test("have the places of their values in the files of the release, of the parent and their own", () => {
    const files = {
      "values.yaml": "db: {size: 2Gi, global: {zone: b}}\nglobal: {class: fast}\nsize: 9Gi\n",
      "charts/db/Chart.yaml": dbYaml,
      "charts/db/values.yaml": "size: 1Gi\nkept: 1\nglobal: {class: slow, zone: a}\n---\nkept: 2\n",
      "charts/db/templates/a.yaml": [
        "kind: A\nv: {{ .Values.size }} {{ .Values.kept }}",
        "w: {{ .Values.global.class }} {{ .Values.global.zone }}",
      ].join("\n"),
      "given.yaml": "db: {size: 3Gi}\n",
    };
    const made = render(files, { values: [file("given.yaml", files["given.yaml"])] });
    assert.deepEqual(placesIn(made, files), [
      "3Gi at given.yaml: 3Gi, values.yaml: 2Gi, charts/db/values.yaml: 1Gi",
      "2 at charts/db/values.yaml: 2, charts/db/values.yaml: 1",
      "fast at values.yaml: fast, charts/db/values.yaml: slow",
      "b at values.yaml: b, charts/db/values.yaml: a",
    ]);
  });

  const showing = "kind: {{ .Chart.Name }}\nv: {{ .Values | toJson }}\n";
  const shown = (made: RenderedChart): Readonly<Record<string, string>> =>
    Object.fromEntries(
      made.manifests.map(({ kind, text }) => [kind, text.slice(text.indexOf("v: ") + 3).trim()]),
    );

  test("have their own values, those from the parent and the global ones", () => {
    const made = render({
      "values.yaml": "global: {class: fast}\ndb: {size: 5Gi, gone: null}\nown: 1\n",
      "charts/db/Chart.yaml": dbYaml,
      "charts/db/values.yaml": "size: 1Gi\ngone: 1\nkept: 2\nglobal: {class: slow, zone: a}\n",
      "charts/db/templates/a.yaml": showing,
    });
    assert.equal(shown(made)["db"], '{"global":{"class":"fast","zone":"a"},"kept":2,"size":"5Gi"}');
  });

  test("lose a value that the release sets to null, whatever the parent says", () => {
    const made = render(
      {
        "values.yaml": "db: {gone: 1, inner: {gone: 1}}\n",
        "charts/db/Chart.yaml": dbYaml,
        "charts/db/values.yaml": "gone: 2\ninner: {gone: 2, kept: 2}\n",
        "charts/db/templates/a.yaml": showing,
      },
      { values: [file("given.yaml", "db: {gone: null, inner: {gone: null}}\n")] },
    );
    assert.equal(shown(made)["db"], '{"global":{},"inner":{"kept":2}}');
  });

  const optional = {
    "Chart.yaml": `${chartYaml}dependencies:\n- {name: db, version: 1.x, condition: "db.enabled,db.also", tags: [store]}\n`,
    "charts/db/Chart.yaml": dbYaml,
    "charts/db/templates/a.yaml": showing,
  };
  for (const [values, isThere] of [
    ["", true],
    ["db: {enabled: false}", false],
    ["db: {also: false}", false],
    ["db: {enabled: true}\ntags: {store: false}", true],
    ["tags: {store: false}", false],
    ["tags: {store: true}", true],
  ] as const)
    test(`are ${isThere ? "enabled" : "disabled"} with ${values.replace("\n", ", ") || "no values"}`, () => {
      assert.equal("db" in shown(render({ ...optional, "values.yaml": values })), isThere);
    });

  test("of subcharts are disabled by values below the names of those", () => {
    const subchart = (name: string, below: string): string =>
      `apiVersion: v2\nname: ${name}\nversion: 1.0.0\ndependencies:\n- {name: ${below}, version: 1.x, condition: ${below}.enabled}\n`;
    const made = render({
      "Chart.yaml": `${chartYaml}dependencies:\n- {name: db, version: 1.x}\n`,
      "values.yaml": "db: {disk: {cache: {enabled: false}}}\ncache: {enabled: true}\n",
      "charts/db/Chart.yaml": subchart("db", "disk"),
      "charts/db/charts/disk/Chart.yaml": subchart("disk", "cache"),
      "charts/db/charts/disk/templates/a.yaml": showing,
      "charts/db/charts/disk/charts/cache/Chart.yaml":
        "apiVersion: v2\nname: cache\nversion: 1.0.0\n",
      "charts/db/charts/disk/charts/cache/templates/a.yaml": showing,
    });
    assert.deepEqual(Object.keys(shown(made)), ["disk"]);
  });

  test("are rendered once for each alias", () => {
    const made = render({
      "Chart.yaml": `${chartYaml}dependencies:\n- {name: db, version: "*", alias: one}\n- {name: db, version: "*", alias: two}\n`,
      "values.yaml": "one: {a: 1}\ntwo: {a: 2}\n",
      "charts/db/Chart.yaml": dbYaml,
      "charts/db/templates/a.yaml": showing,
    });
    assert.deepEqual(made.problems, []);
    assert.deepEqual(shown(made), { one: '{"a":1,"global":{}}', two: '{"a":2,"global":{}}' });
    assert.equal(made.manifests[0]?.templateName, "web/charts/one/templates/a.yaml");
  });

  test("provide the values that the parent imports, which its own override", () => {
    const made = render({
      "Chart.yaml": `${chartYaml}dependencies:\n- name: db\n  version: 1.x\n  import-values: [out, {child: deep.er, parent: in.here}]\n`,
      "values.yaml": "in: {here: {b: 9}}\n",
      "templates/a.yaml": 'kind: A\nv: {{ omit .Values "db" | toJson }}\n',
      "charts/db/Chart.yaml": dbYaml,
      "charts/db/values.yaml": "exports: {out: {a: 1}}\ndeep: {er: {b: 2, c: 3}}\n",
    });
    assert.equal(shown(made)["A"], '{"a":1,"in":{"here":{"b":9,"c":3}}}');
  });

  test("that are libraries only define templates, and the outermost definition of a name wins", () => {
    const made = render({
      "charts/lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n",
      "charts/lib/templates/_a.tpl": '{{ define "x" }}lib{{ end }}{{ define "y" }}lib{{ end }}',
      "charts/lib/templates/a.yaml": "{{ fail `never` }}",
      "templates/_b.tpl": '{{ define "x" }}own{{ end }}',
      "templates/a.yaml": 'kind: {{ include "x" . }}-{{ template "y" . }}\n',
    });
    assert.deepEqual(
      made.manifests.map(({ kind }) => kind),
      ["own-lib"],
    );
  });

  test("that are declared but missing are reported, without the mistakes that follow", () => {
    const made = render({
      "Chart.yaml": `${chartYaml}dependencies:\n- name: common\n  version: 2.x\n- name: redis\n  version: 1.x\n`,
      "charts/redis-1.2.3.tgz": packedText({ failed: "unexpected EOF" }),
      "templates/a.yaml": '{{ include "common.names" . }}',
      "templates/b.yaml": "kind: B\n",
    });
    assert.deepEqual(toldOf(made), [
      "chart: error unpacking subchart redis-1.2.3.tgz in web: unexpected EOF",
      "dependency: found in Chart.yaml, but missing in charts/ directory: common. Run `helm dependency build` in the chart's folder",
    ]);
    assert.equal(made.isWhole, false);
    assert.deepEqual(
      made.manifests.map(({ kind }) => kind),
      ["B"],
    );
  });
});

suite("a mistake in a chart", () => {
  test("does not affect other templates", () => {
    const made = render({
      "templates/a.yaml": "{{ .Values.a.b }}",
      "templates/b.yaml": "kind: B\n",
      "templates/c.yaml": "{{ if }}",
      "templates/d.yaml": "kind: [D\n",
      "templates/e.yaml": "- a\n",
      "templates/NOTES.txt": '{{ fail "no size" }}',
    });
    assert.equal(made.isWhole, false);
    assert.deepEqual(
      made.manifests.map(({ kind }) => kind),
      ["B"],
    );
    assert.deepEqual(
      made.problems.map(({ code, uri, lacks }) => [code, uri.slice(-6), lacks]),
      [
        ["template", "c.yaml", undefined],
        ["template", "a.yaml", "table"],
        ["template", "ES.txt", "value"],
        ["manifest", "d.yaml", undefined],
        ["manifest", "e.yaml", undefined],
      ],
    );
  });

  test("in an included definition is reported once, at its place", () => {
    const helper = '{{ define "x" }}{{ required "a size is needed" .Values.size }}{{ end }}';
    const made = render({
      "templates/_a.tpl": helper,
      "templates/a.yaml": '{{ include "x" . }}',
      "templates/b.yaml": '{{ include "x" . }}',
    });
    assert.deepEqual(toldOf(made), ["template: a size is needed"]);
    const [{ uri, start } = { uri: "", start: 0 }] = made.problems;
    assert.equal(uri, "file:///web/templates/_a.tpl");
    assert.ok(helper.slice(start).startsWith("required"));
  });

  for (const [call, message] of [
    [".Files.Get", "wrong number of args for Get: want 1 got 0"],
    ['.Files.Get "a" "b"', "wrong number of args for Get: want 1 got 2"],
    [".Files.Get .Values.list", "wrong type for value; expected string; got []interface {}"],
    [".Values.size | .Files.Get", "wrong type for value; expected string; got float64"],
    [".Files.Get .Values.none", "wrong type for value; expected string; got interface {}"],
    [".Capabilities.KubeVersion.None", "can't evaluate field None in type common.KubeVersion"],
  ] as const)
    test(`may be a call such as ${call}`, () => {
      const made = render({
        "values.yaml": "list: [1]\nsize: 5\n",
        "templates/a.yaml": `{{ ${call} }}`,
      });
      assert.deepEqual(toldOf(made), [`template: ${message}`]);
    });

  test("in the output of a loop is reported once", () => {
    const made = render({
      "values.yaml": "items: [1, 2]\n",
      "templates/a.yaml": "{{ range .Values.items }}\n---\nkind: [A\n{{ end }}\n",
    });
    assert.equal(made.problems.length, 1);
  });

  test("may be a name that one file defines twice, unless one definition is empty", () => {
    const twice = (text: string): string =>
      `{{ define "x" }}a{{ end }}{{ define "x" }}${text}{{ end }}`;
    assert.deepEqual(toldOf(render({ "templates/_a.tpl": twice(" ") })), []);
    assert.deepEqual(toldOf(render({ "templates/_a.tpl": twice("b") })), [
      'template: multiple definition of template "x"',
    ]);
  });

  test("in a library's definition is reported at the call", () => {
    const template = 'kind: A\nname: {{ include "lib.name" . }}\n';
    const made = render({
      "charts/lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n",
      "charts/lib/templates/_a.tpl":
        '{{ define "lib.name" }}{{ include "lib.deep" . }}{{ end }}{{ define "lib.deep" }}{{ printf "\\nno name" | fail }}{{ end }}',
      "templates/a.yaml": template,
      "templates/b.yaml": template,
    });
    assert.deepEqual(
      made.problems.map(({ uri, start, end, message }) => [
        uri.slice(-6),
        template.slice(start, end),
        message,
      ]),
      [["b.yaml", '{{ include "lib.name" . }}', "no name"]],
    );
  });

  for (const [what, yaml, message] of [
    ["a library", `${chartYaml}type: library\n`, "library charts are not installable"],
    [
      "another Kubernetes",
      `${chartYaml}kubeVersion: "<1.30"\n`,
      "chart requires kubeVersion: <1.30 which is incompatible with Kubernetes v1.36.0",
    ],
  ] as const)
    test(`may be ${what}`, () => {
      assert.deepEqual(toldOf(render({ "Chart.yaml": yaml })), [`chart: ${message}`]);
    });

  test("may be a subchart's value that is not a table, reported where it is written", () => {
    const made = render({
      "values.yaml": "db: 5\n",
      "charts/db/Chart.yaml": dbYaml,
    });
    assert.deepEqual(
      made.problems.map(({ uri, start, end, message }) => [uri.slice(-11), start, end, message]),
      [["values.yaml", 4, 5, "type mismatch on db: %!t(float64=5)"]],
    );
  });

  test("may be `dig` in `.Values` itself, which is not a plain map", () => {
    const rendered = (expression: string) =>
      render({ "values.yaml": "a: {b: x}\n", "templates/a.yaml": `kind: "{{ ${expression} }}"\n` });
    const refused =
      "interface conversion: interface {} is common.Values, not map[string]interface {}";
    assert.deepEqual(toldOf(rendered('dig "a" "b" "" .Values')), [
      `template: error calling dig: ${refused}`,
    ]);
    assert.equal(rendered('dig "a" "b" "" .Values.AsMap').manifests[0]?.kind, "x");
    assert.equal(rendered('hasKey .Values "a"').manifests[0]?.kind, "true");
  });

  test("in an action over several lines is reported with the line where that begins", () => {
    for (const [text, message] of [
      ["x\n{{ if true\n", "unclosed action started at web/templates/a.yaml:2"],
      [
        '{{ .Values.m\n | upper" }}',
        "bad character U+0022 '\"' in action started at web/templates/a.yaml:1",
      ],
      ["x\n{{ if true", "unclosed action"],
    ] as const)
      assert.deepEqual(toldOf(render({ "templates/a.yaml": text })), [`template: ${message}`]);
  });

  test("may be a whole number from --set where a function expects an int", () => {
    const rendered = (expression: string) =>
      render(
        {
          "values.schema.json": '{ "properties": { "n": { "type": "integer", "minimum": 2 } } }',
          "templates/a.yaml": `kind: "{{ ${expression} }}"\n`,
        },
        { values: [{ type: "set", line: "n=3" }] },
      );
    assert.deepEqual(toldOf(rendered("until .Values.n")), [
      "template: wrong type for value; expected int; got int64",
    ]);
    assert.equal(rendered("until (int .Values.n)").manifests[0]?.kind, "[0 1 2]");
  });

  test("may be the lines of an empty file", () => {
    const made = render({ "a.txt": "", "templates/a.yaml": '{{ .Files.Lines "a.txt" }}' });
    assert.deepEqual(toldOf(made), [
      "template: error calling Lines: runtime error: index out of range [-1]",
    ]);
  });

  test("may be an invalid line of --set", () => {
    const made = render({}, { values: [{ type: "set", line: "a" }] });
    assert.deepEqual(toldOf(made), ['values: failed parsing --set data: key "a" has no value']);
  });
});

suite("charts that multiply", () => {
  test("through nested aliases are abandoned", () => {
    const files: Record<string, string> = {};
    const deps = Array.from({ length: 10 }, (_, i) => `- {name: a, version: "*", alias: a${i}}\n`);
    for (let depth = 0; depth < 8; depth++)
      files[`${"charts/a/".repeat(depth)}Chart.yaml`] =
        `apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies:\n${deps.join("")}`;
    assert.match(toldOf(render(files)).join(), /multiply to more than is rendered here/);
  });

  test("through their values are abandoned", () => {
    const files: Record<string, string> = {
      "values.yaml": `global:\n${Array.from({ length: 20_000 }, (_, i) => `  k${i}: {a: 1}\n`).join("")}`,
    };
    for (let i = 0; i < 300; i++)
      files[`charts/c${i}/Chart.yaml`] = `apiVersion: v2\nname: c${i}\nversion: 1.0.0\n`;
    assert.match(toldOf(render(files)).join(), /multiply to more than is rendered here/);
  });

  test("through their templates are abandoned", () => {
    const files: Record<string, string> = {};
    for (let i = 0; i < 40; i++)
      files[`templates/t${i}.yaml`] =
        '{{ $x := repeat 8000000 "x" }}{{ $y := repeat 8000000 "x" }}';
    const made = render(files);
    assert.match(toldOf(made).join(), /templates make too much/);
    assert.equal(made.isWhole, false);
  });
});

/** For each part that an action has produced: where its values are written. */
function placesIn(made: RenderedChart, files: Readonly<Record<string, string>>): readonly string[] {
  const [manifest] = made.manifests;
  return (manifest?.pieces ?? [])
    .filter(({ isLiteral }) => !isLiteral)
    .map(({ start, end, reads }) => {
      const places = reads.flatMap((read) => made.placesOf(read));
      const texts = places.map((place) => {
        const name = place.uri.replace(/^file:\/\/\/(?:web\/)?/, "");
        return `${name}: ${files[name]?.slice(place.start, place.end)}`;
      });
      return `${manifest?.text.slice(start, end)} at ${texts.join(", ") || "nothing"}`;
    });
}

function render(
  files: Readonly<Record<string, string>>,
  release: Partial<Release> = {},
): RenderedChart {
  const chart = chartOf({ "Chart.yaml": chartYaml, ...files });
  const usual = { name: "rel", namespace: "space", values: [], kubeVersion: "1.36.0" };
  return renderChart(chart, { ...usual, ...release });
}

function file(name: string, text: string): Release["values"][number] {
  return { type: "file", file: { uri: `file:///${name}`, text } };
}

function toldOf({ problems }: RenderedChart): readonly string[] {
  return problems.map(({ code, message }) => `${code}: ${message}`);
}
