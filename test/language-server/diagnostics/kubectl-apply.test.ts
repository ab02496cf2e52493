/** Objects that kubectl can create but not apply. */
import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { loadFiles } from "../../support/rule-page.ts";

const page = "x".repeat(270_000);
const config = (metadata: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { ${metadata} }\ndata: { page: ${page} }\n`;

async function foundIn(
  files: Readonly<Record<string, string>>,
  rule = "apply-too-long",
): Promise<readonly string[]> {
  const service = await loadFiles(new Map(Object.entries(files)), false);
  return Object.keys(files).flatMap((name) =>
    findingsOf(service, memoryUri(name))
      .filter(({ code }) => code === rule)
      .map(({ start, end }) => (files[name] ?? "").slice(start, end)),
  );
}

suite("an object that is too large for kubectl apply", () => {
  test("is reported at its name", async () => {
    const small = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: small }\n";
    assert.deepEqual(await foundIn({ "a.yaml": `${small}---\n${config("name: large")}` }), [
      "large",
    ]);
  });

  test("is not reported if Argo CD applies it server-side", async () => {
    const options = "argocd.argoproj.io/sync-options: Prune=false, ServerSideApply=true";
    const annotated = config(`name: large, annotations: { "${options.replace(": ", '": "')}" }`);
    assert.deepEqual(await foundIn({ "a.yaml": annotated }), []);
  });

  test("is not reported if Helm installs it", async () => {
    const chart = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";
    const template = config("name: {{ .Release.Name }}");
    const files = { "shop/Chart.yaml": chart, "shop/templates/a.yaml": template };
    assert.deepEqual(await foundIn(files), []);
  });
});

suite("an object without a name", () => {
  const job = (metadata: string): string =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: { ${metadata} }\nspec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: b }] } } }\n`;
  const foundFor = (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    foundIn(files, "apply-without-name");

  test("is reported at its generateName", async () => {
    assert.deepEqual(await foundFor({ "a.yaml": job("generateName: import-") }), ["import-"]);
  });

  test("is not reported if it also has a name, is an Argo CD hook, or is in a chart", async () => {
    const hook = 'generateName: import-, annotations: { "argocd.argoproj.io/hook": Sync }';
    const chart = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";
    const files = {
      "a.yaml": `${job("name: a, generateName: import-")}---\n${job(hook)}`,
      "shop/Chart.yaml": chart,
      "shop/templates/a.yaml": job('generateName: "{{ .Release.Name }}-"'),
    };
    assert.deepEqual(await foundFor(files), []);
  });
});
