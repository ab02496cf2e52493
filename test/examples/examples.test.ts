/** The scenarios of every example meet their expectations. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Ref } from "../../src/engine/api/meta.ts";
import { readScenarioFile } from "../../src/language-server/scenarios/scenario-file.ts";
import { readYamlDocument } from "../../src/language-server/yaml/yaml-document.ts";
import { exampleFiles, exampleNames, serviceWith } from "../support/example-files.ts";
import { memoryUri } from "../support/memory-workspace.ts";

suite("examples", () => {
  for (const example of exampleNames) {
    const files = exampleFiles(example);
    for (const [name, text] of files) {
      if (!name.endsWith(".scenario.yaml")) continue;
      const { title } = readScenarioFile(readYamlDocument(text));
      test(`${example}: ${title}`, async () => {
        const service = await serviceWith(files);
        const report = await service.runScenario(memoryUri(name));
        assert.ok(report !== undefined);
        assert.deepEqual(report.failures, []);
        assert.ok(report.expectationCount > 0);
      });
    }
  }

  test("stuck objects of the chart lead to the production values, and its objects to the templates", async () => {
    const service = await serviceWith(exampleFiles("helm-chart"));
    const [environment] = service.environments();
    assert.ok(environment !== undefined);
    await service.predict(environment);
    const { id } = environment;
    const placeOf = (ref: Ref, field?: string): string => {
      const place = service.locate({ environment: id, ref, ...(field !== undefined && { field }) });
      return `${place?.uri.slice(memoryUri("").length)}:${(place?.range.start.line ?? 0) + 1}`;
    };
    const { groups } = service.outcome({ environment: id }) ?? assert.fail();
    for (const { rows } of groups)
      for (const { name, place } of rows)
        assert.equal(
          placeOf(place?.ref ?? assert.fail(name), place?.field),
          "values-production.yaml:2",
        );
    assert.equal(placeOf("StatefulSet/production/shop-db"), "shop/templates/database.yaml:18");
    assert.equal(placeOf("Deployment/production/shop-web"), "shop/templates/web.yaml:18");
    assert.equal(placeOf("StorageClass//fast-ssd"), "shop/templates/storage-class.yaml:4");
    assert.deepEqual(service.unreadable({ environment: id }), []);
  });

  test("the simulation of the chart is saved as a scenario with a Helm step", async () => {
    const service = await serviceWith(exampleFiles("helm-chart"));
    const [environment] = service.environments();
    assert.ok(environment !== undefined);
    const saved = await service.saveScenario({ environment: environment.id, steps: [] });
    assert.deepEqual(saved?.problems, []);
    assert.match(
      saved.text,
      / {2}- helm: \{chart: shop, namespace: production, values: \[values-production\.yaml\]\}\n/,
    );
  });

  test("the workspace file opens every example", () => {
    const file = path.join(import.meta.dirname, "../../examples/claimcheck.code-workspace");
    const workspace = JSON.parse(readFileSync(file, "utf8")) as { folders: { path: string }[] };
    assert.deepEqual(
      workspace.folders.map((f) => f.path),
      exampleNames,
    );
  });
});
