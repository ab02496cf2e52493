import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  type ImportedText,
  readImportedText,
} from "../../../src/language-server/workspace/imported-text.ts";

const cluster = readFileSync(
  path.join(import.meta.dirname, "../../support/running-cluster.yaml"),
  "utf8",
);

function namesIn({ objects }: ImportedText): readonly string[] {
  return objects.map(({ kind, metadata }) => `${kind}/${(metadata as { name: string }).name}`);
}

function problemsIn(text: string): readonly string[] {
  return readImportedText(text).problems.map(({ line, message }) =>
    line === undefined ? message : `${line}: ${message}`,
  );
}

const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: a }\nspec: {}\n";

suite("what kubectl has printed", () => {
  test("is read as YAML, as JSON, as a list and as documents", () => {
    const read = readImportedText(cluster);
    assert.deepEqual(read.problems, []);
    assert.equal(read.objects.length, 32);
    const list = { apiVersion: "v1", kind: "List", items: read.objects };
    assert.deepEqual(readImportedText(JSON.stringify(list)).objects, read.objects);
    const documents = `${claim}---\n${claim.replace("name: a", "name: b")}`;
    assert.deepEqual(namesIn(readImportedText(documents)), [
      "PersistentVolumeClaim/a",
      "PersistentVolumeClaim/b",
    ]);
  });

  test("comes without what Secrets hold, in their data and in what was applied last", () => {
    const { objects } = readImportedText(cluster);
    const secret = objects.find(({ kind }) => kind === "Secret");
    assert.deepEqual(secret?.["data"], { password: "" });
    assert.doesNotMatch(JSON.stringify(objects), /aHVudGVyMg|managedFields/);
  });

  test("is told apart from what it prints for people", () => {
    assert.match(problemsIn("NAMESPACE  NAME  READY\nx  y  1/1\n").join(), /add -o yaml/);
    assert.match(problemsIn("Name:   data\nNamespace: x\n").join(), /kubectl describe/);
    assert.match(
      problemsIn("error: the server doesn't have a resource type").join(),
      /kubectl said/,
    );
    assert.match(problemsIn(" \n").join(), /empty/);
  });

  test("is read whole where several commands wrote into one file, and with the lines of Windows", () => {
    const whole = readImportedText(cluster);
    assert.deepEqual(readImportedText(cluster.replaceAll("\n", "\r\n")), whole);
    const twice = readImportedText(`${cluster}${claim}${claim.replace("name: a", "name: b")}`);
    assert.deepEqual(twice.problems, []);
    assert.deepEqual(namesIn(twice).slice(-2), [
      "PersistentVolumeClaim/a",
      "PersistentVolumeClaim/b",
    ]);
    assert.equal(twice.objects.length, whole.objects.length + 2);
    const json = (...objects: readonly unknown[]): string =>
      objects.map((object) => `${JSON.stringify(object, undefined, 2)}\n`).join("");
    const items = { apiVersion: "v1", kind: "List", items: whole.objects };
    const [first] = whole.objects;
    assert.deepEqual(readImportedText(json(items, first)).objects, [...whole.objects, first]);
    assert.deepEqual(readImportedText(json(...whole.objects)).objects, whole.objects);
    const cut = json(first, items).slice(0, -200);
    assert.deepEqual(readImportedText(cut).objects, [first]);
    assert.equal(problemsIn(cut).length, 1);
  });

  test("may have errors and warnings of kubectl beside it, of which the errors are told", () => {
    const forbidden = 'Error from server (Forbidden): secrets is forbidden: User "dev" cannot list';
    const read = readImportedText(`Warning: old\n${claim}${forbidden}\n`);
    assert.deepEqual(namesIn(read), ["PersistentVolumeClaim/a"]);
    assert.deepEqual(read.problems, [{ line: 6, message: `kubectl said: ${forbidden}` }]);
    const before = `${forbidden}\n${claim}`;
    assert.deepEqual(namesIn(readImportedText(before)), ["PersistentVolumeClaim/a"]);
    assert.deepEqual(problemsIn(before), [`1: kubectl said: ${forbidden}`]);
  });

  test("counts up to where it breaks off", () => {
    const lines = cluster.split("\n");
    const at = lines.findIndex((line) => line.includes("kind: StatefulSet")) + 3;
    const half = lines.slice(0, at).join("\n");
    const { objects } = readImportedText(half);
    assert.ok(objects.length > 10 && objects.length < 32);
    assert.match(problemsIn(half).join(), /^\d+: The list breaks off/);
  });

  test("loses one object by one mistake, which is told with its line", () => {
    const broken = cluster.replace("    phase: Active", "    phase: [Active");
    assert.equal(readImportedText(broken).objects.length, 31);
    assert.match(problemsIn(broken).join(), /^1[0-9]: /);
    const mistyped = `apiVersion: v1\nkind: List\nitems:\n- ${claim.trim().replaceAll("\n", "\n  ").replace("spec: {}", "spec: 1")}\n`;
    assert.match(problemsIn(mistyped).join(), /^4: PersistentVolumeClaim a is left out: /);
  });

  test("may hold kinds that are not simulated", () => {
    const text = `${claim}---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: i }\n`;
    const { objects, problems, others } = readImportedText(text);
    assert.deepEqual([objects.length, problems, [...others]], [1, [], [["Ingress", 1]]]);
  });
});
