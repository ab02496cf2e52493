/** What is too large for the annotation in which kubectl apply keeps it. */
import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { loadFiles } from "../../support/rule-page.ts";

const page = "x".repeat(270_000);
const config = (metadata: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { ${metadata} }\ndata: { page: ${page} }\n`;

async function foundIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const service = await loadFiles(new Map(Object.entries(files)), false);
  return Object.keys(files).flatMap((name) =>
    findingsOf(service, memoryUri(name))
      .filter(({ code }) => code === "apply-too-long")
      .map(({ start, end }) => (files[name] ?? "").slice(start, end)),
  );
}

suite("an object that is too large for kubectl apply", () => {
  test("is told at its name", async () => {
    const small = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: small }\n";
    assert.deepEqual(await foundIn({ "a.yaml": `${small}---\n${config("name: large")}` }), [
      "large",
    ]);
  });

  test("is not told where Argo CD is told to keep nothing of it", async () => {
    const options = "argocd.argoproj.io/sync-options: Prune=false, ServerSideApply=true";
    const annotated = config(`name: large, annotations: { "${options.replace(": ", '": "')}" }`);
    assert.deepEqual(await foundIn({ "a.yaml": annotated }), []);
  });

  test("is not told where Helm installs it", async () => {
    const chart = "apiVersion: v2\nname: shop\nversion: 1.0.0\n";
    const template = config("name: {{ .Release.Name }}");
    const files = { "shop/Chart.yaml": chart, "shop/templates/a.yaml": template };
    assert.deepEqual(await foundIn(files), []);
  });
});
