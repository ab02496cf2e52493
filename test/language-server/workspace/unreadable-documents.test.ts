import assert from "node:assert/strict";
import type { Environment } from "../../../src/language-server/workspace/environment.ts";
import {
  unreadableCount,
  unreadableDocuments,
} from "../../../src/language-server/workspace/unreadable-documents.ts";
import { Workspace } from "../../../src/language-server/workspace/workspace.ts";

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\n`;

function environmentOf(files: Readonly<Record<string, string>>): Environment {
  const workspace = new Workspace();
  workspace.setFolders(["file:///w"]);
  for (const [name, text] of Object.entries(files))
    workspace.setDiskText(`file:///w/${name}`, text);
  const [environment] = workspace.environments();
  assert.ok(environment !== undefined);
  return environment;
}

const countOf = (files: Readonly<Record<string, string>>): number =>
  unreadableCount(environmentOf(files));

suite("documents that cannot be read", () => {
  const broken = "apiVersion: v1\nkind: Pod\nmetadata: { name: web\nspec: [\n";

  test("are counted if they seem to be objects: broken ones, and each document of a template", () => {
    assert.equal(countOf({ "a.yaml": `${pod("a")}---\n${broken}` }), 1);
    const template = `${pod("{{ .Values.name }}")}---\n${pod("b")}`;
    assert.equal(countOf({ "a.yaml": pod("a"), "b.yaml": template }), 2);
  });

  test("are listed with their places and the reason", () => {
    const files = {
      "a.yaml": `${pod("a")}---\n${pod("[")}`,
      "b.yaml": `${pod("b")}---\n${pod('"{{ .Values.name }}"')}`,
    };
    const found = unreadableDocuments(environmentOf(files)).map(({ file, start, end, why }) => [
      file.uri,
      file.manifest.text.slice(start, end === start ? start + 4 : end),
      why,
    ]);
    assert.deepEqual(found, [
      ["file:///w/a.yaml", "}", "A ] is missing for a ["],
      ["file:///w/b.yaml", "apiV", "in a template"],
      ["file:///w/b.yaml", '"{{ ', "in a template"],
    ]);
  });

  test("do not include empty documents and files that are not manifests", () => {
    const files = { "a.yaml": `${pod("a")}---\n# nothing\n---\n`, "values.yaml": "a: [\n" };
    assert.equal(countOf(files), 0);
  });
});
