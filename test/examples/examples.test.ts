/** Every example's scenarios come out as they say. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
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

  test("the workspace file opens every example", () => {
    const file = path.join(import.meta.dirname, "../../examples/claimcheck.code-workspace");
    const workspace = JSON.parse(readFileSync(file, "utf8")) as { folders: { path: string }[] };
    assert.deepEqual(
      workspace.folders.map((f) => f.path),
      exampleNames,
    );
  });
});
