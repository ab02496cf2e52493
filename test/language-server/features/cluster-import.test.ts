import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { kindSchemas } from "../../../src/engine/api/schema.ts";
import { clusterImport } from "../../../src/language-server/features/cluster-import.ts";
import { readProjectFile } from "../../../src/language-server/project/project-file.ts";
import { readImportedText } from "../../../src/language-server/workspace/imports/imported-text.ts";
import { kubectlResources } from "../../../src/protocol/kubectl-command.ts";

const cluster = readFileSync(
  path.join(import.meta.dirname, "../../support/running-cluster.yaml"),
  "utf8",
);

function imported(project?: string) {
  const { files, ...reply } = clusterImport(cluster, "cluster.yaml", {
    folder: "file:///w",
    project,
  });
  const [objects, named] = files;
  return { ...reply, objects, named };
}

suite("objects imported from a cluster", () => {
  test("are written without the contents of Secrets, and are otherwise read back unchanged", () => {
    const { objects, objectCount, nodeCount } = imported();
    assert.deepEqual([objectCount, nodeCount], [32, 2]);
    assert.equal(objects?.uri, "file:///w/cluster.yaml");
    assert.doesNotMatch(objects?.text ?? "", /aHVudGVyMg/);
    assert.deepEqual(
      readImportedText(objects?.text ?? "").objects,
      readImportedText(cluster).objects,
    );
  });

  test("are referred to in the project file, which otherwise stays as it is", () => {
    const files = (text: string | undefined): readonly string[] =>
      readProjectFile(text ?? "").imports.map(({ file }) => file);
    assert.equal(imported().named?.text, "cluster:\n  import: cluster.yaml\n");
    const before = "# ours\nprofile: eks";
    assert.equal(imported(before).named?.text, `${before}\ncluster:\n  import: cluster.yaml\n`);
    assert.equal(
      imported(`${before}\n`).named?.text,
      `${before}\ncluster:\n  import: cluster.yaml\n`,
    );
    const other = imported("# ours\ncluster: { import: old.yaml }\n").named?.text;
    assert.deepEqual(files(other), ["cluster.yaml"]);
    assert.match(other ?? "", /# ours/);
    const same = "cluster: { import: [cluster.yaml, more.yaml] }\n";
    assert.deepEqual([imported(same).isImportAlready, imported(same).named], [true, undefined]);
    assert.equal(imported(before).isImportAlready, false);
  });

  test("cannot be read from a table that kubectl printed", () => {
    const table = "NAME   READY\nweb    1/1\n";
    const reply = clusterImport(table, "cluster.yaml", { folder: "file:///w", project: undefined });
    assert.deepEqual([reply.objectCount, reply.files], [0, []]);
    assert.match(reply.problems.join(), /-o yaml/);
  });

  test("are requested from kubectl only by kinds that are simulated, and not Secrets", () => {
    const known = new Set(kindSchemas.map(({ plural }) => plural));
    assert.deepEqual(
      kubectlResources.filter((name) => !known.has(name)),
      [],
    );
    assert.ok(!kubectlResources.includes("secrets"));
  });
});
