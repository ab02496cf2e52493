import assert from "node:assert/strict";
import { judgingValuesEdit } from "../../../src/language-server/code-actions/judged-values.ts";
import { valuesLens } from "../../../src/language-server/features/code-lens.ts";
import type { LanguageService } from "../../../src/language-server/service.ts";
import { otherValues } from "../../../src/language-server/workspace/helm/chart-values.ts";
import { actionsAtCursor, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const shop = `
#- shop/Chart.yaml
apiVersion: v2
name: shop
version: 1.0.0
#- shop/values.yaml
name: data
#- shop/values-dev.yaml
disk: { size: 1Gi }
#- shop/values-prod.yaml
disk: { size: 9Gi }
#- shop/templates/values-map.yaml
apiVersion: v1
kind: ConfigMap
metadata: { name: values }
#- shop/templates/claim.yaml
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: {{ .Values.name }} }
spec:
  storageClassName: ""
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: {{ .Values.di$0sk.size }} } }
`;

async function lensesIn(service: LanguageService): Promise<Readonly<Record<string, string>>> {
  const [environment] = service.environments();
  assert.ok(environment !== undefined);
  const lenses = environment.files.flatMap((file) => {
    const title = valuesLens({ environment }, file);
    return title === undefined ? [] : [[file.uri.replace(memoryUri(""), ""), title]];
  });
  return Object.fromEntries(lenses);
}

/** The project file after choosing to judge the chart with that values file. */
async function projectWith(text: string, values: string): Promise<string | undefined> {
  const { files } = readFixture(text);
  const service = await loadFixture(readFixture(text), false);
  const analysis = service.analysisOf(memoryUri(values));
  assert.ok(analysis !== undefined);
  const other = otherValues(analysis.environment).find(({ uri }) => uri === memoryUri(values));
  assert.ok(other !== undefined, "the file is not among the values that are not judged");
  const findFile: LanguageService["file"] = (uri) => service.file(uri);
  const change = judgingValuesEdit({ analysis, findFile }, other);
  if (change === undefined) return undefined;
  const after = afterAction(files, { title: "", kind: "quickfix", ...change });
  return [...after].find(([name]) => name.endsWith("claimcheck.yaml"))?.[1].trimEnd();
}

suite("the values that a chart is judged with", () => {
  test("are its own by default, and a lens in every other values file says so", async () => {
    const service = await loadFixture(readFixture(shop), false);
    assert.deepEqual(await lensesIn(service), {
      "shop/values-dev.yaml": "Not judged; values.yaml alone is judged instead",
      "shop/values-prod.yaml": "Not judged; values.yaml alone is judged instead",
    });
  });

  test("are those of claimcheck.yaml, and lenses in values files beside those say so", async () => {
    const project = `
#- claimcheck.yaml
charts: [{ chart: shop, values: [values/prod.yaml] }]
#- values/prod.yaml
disk: { size: 9Gi }
#- values/dev.yaml
disk: { size: 1Gi }
#- monitoring/values.yaml
disk: { size: 2Gi }
${shop}`;
    const service = await loadFixture(readFixture(project), false);
    const named = "Not judged; ../values/prod.yaml is judged instead";
    assert.deepEqual(await lensesIn(service), {
      "shop/values-dev.yaml": named,
      "shop/values-prod.yaml": named,
      "values/dev.yaml": named,
    });
  });

  test("are named in a lens of a file elsewhere if its keys belong to one chart only", async () => {
    const beside = `
#- claimcheck.yaml
charts: [{ chart: shop }, { chart: web }]
#- web/Chart.yaml
apiVersion: v2
name: web
version: 1.0.0
#- web/values.yaml
name: web
replicas: 2
#- env/prod/values.yaml
replicas: 3
#- env/both/values.yaml
name: prod
#- env/other/values.yaml
replicas: 3
grafana: {}
#- env/empty/values.yaml
# nothing yet
#- env/prod/replicas.yaml
replicas: 3
${shop}`;
    assert.deepEqual(await lensesIn(await loadFixture(readFixture(beside), false)), {
      "env/prod/values.yaml": "Not judged; values.yaml alone is judged instead",
      "shop/values-dev.yaml": "Not judged; values.yaml alone is judged instead",
      "shop/values-prod.yaml": "Not judged; values.yaml alone is judged instead",
    });
    assert.equal(
      await projectWith(beside, "env/prod/values.yaml"),
      "charts: [{ chart: shop }, { chart: web, values: [env/prod/values.yaml] }]",
    );
  });

  test("are not mentioned for a chart that is installed twice", async () => {
    const twice = `
#- claimcheck.yaml
charts: [{ chart: shop, name: a }, { chart: shop, name: b }]
${shop}`;
    assert.deepEqual(await lensesIn(await loadFixture(readFixture(twice), false)), {});
  });

  test("can be chosen from files that have a value that the chart's own lack", async () => {
    const fixture = readFixture(shop);
    const service = await loadFixture(fixture, false);
    const actions = actionsAtCursor(service, fixture).filter(({ title }) => /^Judge/.test(title));
    assert.deepEqual(
      actions.map(({ title }) => title),
      [
        "Judge with “values-dev.yaml” (claimcheck.yaml)",
        "Judge with “values-prod.yaml” (claimcheck.yaml)",
      ],
    );
    const [, production] = actions;
    assert.ok(production !== undefined);
    const files = afterAction(fixture.files, production);
    const judged = await loadFixture({ files, labels: [] }, false);
    assert.deepEqual(findingsOf(judged, memoryUri("shop/templates/claim.yaml")), []);
  });

  test("are not offered for an error that no values can fix", async () => {
    const broken = readFixture(shop.replace("{{ .Values.di$0sk.size }}", "{{ i$0f }}"));
    const service = await loadFixture(broken, false);
    const titles = actionsAtCursor(service, broken).map(({ title }) => title);
    assert.ok(!titles.some((title) => title.startsWith("Judge")), titles.join());
  });

  test("are written into claimcheck.yaml, with the other charts of the cluster", async () => {
    const other = "#- web/Chart.yaml\napiVersion: v2\nname: web\nversion: 1.0.0";
    const wanted =
      "charts:\n  - chart: shop\n    values:\n      - shop/values-dev.yaml\n  - chart: web";
    assert.equal(
      await projectWith(
        `#- claimcheck.yaml\nprofile: kind\n${other}${shop}`,
        "shop/values-dev.yaml",
      ),
      `profile: kind\n${wanted}`,
    );
  });

  test("replace the file that claimcheck.yaml names, if it names only one", async () => {
    const named = (values: string): string =>
      `#- claimcheck.yaml\ncharts: [{ chart: shop${values} }]${shop}`;
    const path = "shop/values-dev.yaml";
    for (const [given, wanted] of [
      ["", ", values: [shop/values-dev.yaml]"],
      [", values: shop/values-prod.yaml", ", values: shop/values-dev.yaml"],
      [", values: [shop/values-prod.yaml]", ", values: [shop/values-dev.yaml]"],
    ] as const)
      assert.equal(await projectWith(named(given), path), `charts: [{ chart: shop${wanted} }]`);
    const several = named(", values: [shop/values.yaml, shop/values-prod.yaml]");
    assert.equal(await projectWith(several, path), undefined);
  });
});
