import assert from "node:assert/strict";
import { unreadableCount } from "../../../src/language-server/workspace/unreadable-documents.ts";
import { Workspace } from "../../../src/language-server/workspace/workspace.ts";

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;

function countOf(files: Readonly<Record<string, string>>): number | undefined {
  const workspace = new Workspace();
  workspace.setFolders(["file:///w"]);
  for (const [name, text] of Object.entries(files))
    workspace.setDiskText(`file:///w/${name}`, text);
  const [environment] = workspace.environments();
  return environment && unreadableCount(environment);
}

suite("documents that cannot be read", () => {
  const broken = "apiVersion: v1\nkind: Pod\nmetadata: { name: web\nspec: [\n";

  test("are counted where they would bring an object: broken ones, and each of a template", () => {
    assert.equal(countOf({ "a.yaml": `${pod("a")}---\n${broken}` }), 1);
    const template = `${pod("{{ .Values.name }}")}---\n${pod("b")}`;
    assert.equal(countOf({ "a.yaml": pod("a"), "b.yaml": template }), 2);
  });

  test("are neither empty ones nor files that are no manifests", () => {
    const files = { "a.yaml": `${pod("a")}---\n# nothing\n---\n`, "values.yaml": "a: [\n" };
    assert.equal(countOf(files), 0);
  });
});
