import { checkPredicted } from "../../support/language-features.ts";

const chart = (
  template: string,
  values = "persistence: { size: 8Gi, accessModes: [a] }",
): string => `
  #- claimcheck.yaml
  charts: [{ chart: shop, values: [mine.yaml] }]
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  dependencies: [{ name: db, version: 1.0.0, condition: db.enable }]
  #- shop/values.yaml
  ${values}
  #- shop/templates/a.yaml
  a: ${template}
  #- shop/charts/db/Chart.yaml
  apiVersion: v2
  name: db
  version: 1.0.0
  #- shop/charts/db/values.yaml
  storage: { class: fast }
  enabled: true
  #- shop/charts/db/templates/b.yaml
  b: {{ .Values.storage.class }}{{ .Values.enabled }}
  #- mine.yaml`;

const unread = (key: string): string =>
  `helm-value-unread: No template reads the value “${key}”, and the chart has none of that name`;

suite("values that no template reads", () => {
  test("are reported if they nearly match a value of the chart, at any level and in subcharts", () =>
    checkPredicted(`${chart("{{ .Values.persistence.size }}")}
  { persistance: { size: 1Gi },
  # ^^^^^^^^^^^ ${unread("persistance")}; did you mean “persistence”?
    persistence: { sise: 2Gi },
  #                ^^^^ ${unread("sise")}; did you mean “size”?
    db: { storage: { clas: slow }, stroage: 1, enable: true } }
  #                  ^^^^ ${unread("clas")}; did you mean “class”?
  #                                ^^^^^^^ ${unread("stroage")}; did you mean “storage”?
  `));

  test("are reported if a variable holds all values but only one of them is used", () =>
    checkPredicted(`${chart("{{ $all := .Values }}{{ toYaml $all.persistence | quote }}")}
  { persistance: { size: 1Gi } }
  # ^^^^^^^^^^^ ${unread("persistance")}; did you mean “persistence”?
  `));

  test("are reported if the chart or its subchart has them one level further down", () =>
    checkPredicted(`${chart("{{ .Values.primary.persistence.size }}", "primary: { persistence: { size: 8Gi } }")}
  { persistence: { size: 1Gi },
  # ^^^^^^^^^^^ helm-value-unread: No template reads the value “persistence” here; there is primary.persistence
    storage: { class: slow },
  # ^^^^^^^ helm-value-unread: No template reads the value “storage” here; there is db.storage
    primary: { size: 2Gi } }
  #            ^^^^ helm-value-unread: No template reads the value “size” here; there is primary.persistence.size
  `));

  test("are not reported if a template contains their name or uses the whole map", async () => {
    for (const template of [
      "{{ .Values.persistence.size }}{{ .Values.persistance }}",
      `{{ index .Values "persistance" }}`,
      "{{ range $name, $one := .Values }}{{ $name }}{{ end }}",
      "{{ toYaml .Values | quote }}",
      "{{ .Values | toPrettyJson | quote }}",
      "{{ $all := deepCopy .Values }}{{ range $name, $one := $all }}{{ $name }}{{ end }}",
      `{{ $all := omit .Values "global" }}{{ $all | toJson | quote }}`,
      `{{ $key := "size" }}{{ get .Values $key }}`,
      `{{ $all := .Values }}{{ $key := "size" }}{{ index $all $key }}`,
      "{{ with .Values }}{{ range $name, $one := . }}{{ $name }}{{ end }}{{ end }}",
      `{{ $all := merge (dict) .Values.AsMap }}{{ $all | toJson | quote }}`,
      `{{ index . "Values" | toJson | quote }}`,
      `{{ include "names" (dict "all" .Values) }}{{ define "names" }}{{ keys .all | join "" }}{{ end }}`,
    ])
      await checkPredicted(`${chart(template)}
  persistance: { size: 1Gi }
  `);
    await checkPredicted(`${chart("{{ toYaml .Values.persistence | quote }}")}
  persistence: { sise: 1Gi }
  `);
    await checkPredicted(`${chart("{{ toYaml .Values | quote }}")}
  persistence: { sise: 1Gi }
  `);
    for (const template of [
      "{{ .Values.primary.persistence.size }}{{ with .Values }}{{ .persistence }}{{ end }}",
      "{{ $values := .Values }}{{ $values.persistence }}{{ .Values.primary.persistence.size }}",
      `{{ .Values.primary.persistence.size }}{{ get .Values "persistence" }}`,
    ])
      await checkPredicted(`${chart(template, "primary: { persistence: { size: 8Gi } }")}
  persistence: { size: 1Gi }
  `);
  });

  test("are not reported if `tpl` may read them in files or values, but a README does not count", async () => {
    const printing = chart('{{ tpl (.Files.Get "conf.tpl") . }}{{ tpl .Values.text . | quote }}');
    const withFile = (name: string, text: string): string =>
      printing.replace("#- mine.yaml", `#- shop/${name}\n  ${text}\n  #- mine.yaml`);
    await checkPredicted(`${withFile("conf.tpl", "{{ .Values.persistance.size }}")}
  { persistance: { size: 1Gi }, text: "" }
  `);
    await checkPredicted(`${printing}
  { persistance: { size: 1Gi }, text: "{{ .Values.persistance.size }}" }
  `);
    await checkPredicted(`${withFile("README.md", "What it calls persistance {{ here }}")}
  { persistance: { size: 1Gi }, text: "" }
  # ^^^^^^^^^^^ ${unread("persistance")}; did you mean “persistence”?
  `);
  });

  test("are searched in linear time, however many functions may begin in a template", () =>
    checkPredicted(`${chart(`{{/* ${"to".repeat(200_000)} */}}`)}
  { persistance: { size: 1Gi } }
  # ^^^^^^^^^^^ ${unread("persistance")}; did you mean “persistence”?
  `));

  test("are not reported if a subchart is missing", () =>
    checkPredicted(`
  #- claimcheck.yaml
  charts: [{ chart: shop, values: [mine.yaml] }]
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  dependencies: [{ name: db, version: 1.0.0 }]
  #                      ^^ helm-chart: found in Chart.yaml, but missing in charts/ directory: db. Run \`helm dependency build\` in the chart's folder
  #- shop/values.yaml
  size: 8Gi
  #- mine.yaml
  sise: 1Gi
  `));
});
