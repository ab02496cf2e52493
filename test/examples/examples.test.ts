/** Every example's scenarios come out as they say. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { readProjectFile } from "../../src/language-server/project/project-file.ts";
import { runScenarioFile } from "../../src/language-server/scenarios/run-scenario.ts";
import { readScenarioFile } from "../../src/language-server/scenarios/scenario-file.ts";
import { readYamlDocument } from "../../src/language-server/yaml/yaml-document.ts";
import { exhaust } from "../support/replay.ts";

const examples = path.join(import.meta.dirname, "../../examples");
const folders = readdirSync(examples).filter((name) =>
  statSync(path.join(examples, name)).isDirectory(),
);

suite("examples", () => {
  for (const folder of folders) {
    const directory = path.join(examples, folder);
    const files = readdirSync(directory);
    const project = readProjectFile(readFileSync(path.join(directory, "claimcheck.yaml"), "utf8"));
    for (const name of files.filter((file) => file.endsWith(".scenario.yaml"))) {
      const text = readFileSync(path.join(directory, name), "utf8");
      const file = readScenarioFile(readYamlDocument(text));
      test(`${folder}: ${file.title}`, () => {
        assert.deepEqual(file.problems, []);
        const slices = runScenarioFile(file, {
          readFile: (wanted) =>
            files.includes(wanted) ? readFileSync(path.join(directory, wanted), "utf8") : undefined,
          kustomize: (wanted) => `no example has a kustomization, and none is in ${wanted}`,
          profile: project.profile,
          version: "1.36",
          drivers: project.drivers,
        });
        const run = exhaust(slices);
        assert.deepEqual(run.failures, []);
        assert.ok(run.expectationCount > 0);
        assert.equal(run.simulation.stopped, false);
      });
    }
  }

  test("the workspace file opens every example", () => {
    const workspace = JSON.parse(
      readFileSync(path.join(examples, "claimcheck.code-workspace"), "utf8"),
    ) as {
      folders: { path: string }[];
    };
    assert.deepEqual(
      workspace.folders.map((f) => f.path),
      folders,
    );
  });
});
