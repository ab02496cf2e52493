import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import {
  type ImportedText,
  readImportedText,
} from "../../../../src/language-server/workspace/imports/imported-text.ts";

const cluster = readFileSync(
  path.join(import.meta.dirname, "../../../support/running-cluster.yaml"),
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

suite("an import", () => {
  test("may be YAML or JSON, a list or documents", () => {
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

  test("is read without the values of Secrets, in data and in annotations", () => {
    const { objects } = readImportedText(cluster);
    const secret = objects.find(({ kind }) => kind === "Secret");
    assert.deepEqual(secret?.["data"], { password: "" });
    assert.doesNotMatch(JSON.stringify(objects), /aHVudGVyMg|managedFields/);
  });

  test("is distinguished from kubectl's output for people", () => {
    assert.match(problemsIn("NAMESPACE  NAME  READY\nx  y  1/1\n").join(), /add -o yaml/);
    assert.match(problemsIn("LAST SEEN   TYPE\n5m   Warning\n").join(), /add -o yaml/);
    assert.match(problemsIn("pod/web-0\npod/web-1\n").join(), /names alone/);
    const refused = JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      message: "no pods for you",
    });
    assert.match(problemsIn(refused).join(), /^The API server said: no pods for you/);
    assert.match(problemsIn("Name:   data\nNamespace: x\n").join(), /kubectl describe/);
    assert.match(
      problemsIn("error: the server doesn't have a resource type").join(),
      /kubectl said/,
    );
    assert.match(problemsIn(" \n").join(), /empty/);
  });

  test("may be the output of several commands in one file, also with Windows line ends", () => {
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
    assert.deepEqual(readImportedText(cut).objects, [first, ...whole.objects.slice(0, -1)]);
    assert.match(problemsIn(cut).join(), /^\d+: The list breaks off in this object/);
  });

  test("may contain errors and warnings of kubectl, and the errors are reported", () => {
    const forbidden = 'Error from server (Forbidden): secrets is forbidden: User "dev" cannot list';
    const read = readImportedText(`Warning: old\n${claim}${forbidden}\n`);
    assert.deepEqual(namesIn(read), ["PersistentVolumeClaim/a"]);
    assert.deepEqual(read.problems, [{ line: 6, message: `kubectl said: ${forbidden}` }]);
    const note = 'E1127 10:00:00.000000   12345 memcache.go:265] "Unhandled Error" err="no {list"';
    for (const text of [claim, '{"kind":"List","items":[]}', cluster])
      assert.deepEqual(readImportedText(`${note}\n${text}`), readImportedText(`\n${text}`));
    const before = `${forbidden}\n${claim}`;
    assert.deepEqual(namesIn(readImportedText(before)), ["PersistentVolumeClaim/a"]);
    assert.deepEqual(problemsIn(before), [`1: kubectl said: ${forbidden}`]);
  });

  test("is used up to where it is truncated", () => {
    const lines = cluster.split("\n");
    const at = lines.findIndex((line) => line.includes("kind: StatefulSet")) + 3;
    const half = lines.slice(0, at).join("\n");
    const { objects } = readImportedText(half);
    assert.ok(objects.length > 10 && objects.length < 32);
    assert.match(problemsIn(half).join(), /^\d+: The list breaks off/);
  });

  test("is used up to where its JSON is truncated, wherever that is", () => {
    const { objects } = readImportedText(cluster);
    const text = JSON.stringify({ apiVersion: "v1", items: objects, kind: "List" }, undefined, 4);
    const ends = objects.map((object) => {
      const own = JSON.stringify(object, undefined, 4).replaceAll("\n", "\n        ");
      return text.indexOf(own) + own.length;
    });
    for (let at = 20; at < text.length - 1; at += 997) {
      const read = readImportedText(text.slice(0, at));
      const wholeCount = ends.filter((end) => end <= at).length;
      assert.deepEqual(read.objects, objects.slice(0, wholeCount), `cut at ${at}`);
      assert.match(read.problems[0]?.message ?? "", /breaks off/);
    }
  });

  test("of a single truncated object is reported as such", () => {
    const [object] = readImportedText(cluster).objects;
    const half = JSON.stringify(object, undefined, 2).slice(0, -10);
    assert.deepEqual(problemsIn(`\n${half}`), ["2: This object breaks off, and is left out"]);
  });

  test("is read in linear time, wherever it is truncated", () => {
    const note = '\\"{}[]'.repeat(200_000);
    const text = `{"apiVersion":"v1","kind":"List","items":[{"metadata":{"annotations":{"a":"${note}`;
    assert.match(problemsIn(text).join(), /breaks off/);
    assert.match(problemsIn("[".repeat(1_000_000)).join(), /breaks off/);
  });

  test("may be the API server's own lists, whose items have no kind", () => {
    const metadata = { name: "a", namespace: "b" };
    const list = (kind: string) => ({
      kind: `${kind}List`,
      apiVersion: "v1",
      items: [{ metadata }],
    });
    const expected = ["PersistentVolumeClaim/a", "ServiceAccount/a"];
    const lists = [list("PersistentVolumeClaim"), list("ServiceAccount")];
    for (const text of [
      lists.map((one) => JSON.stringify(one)).join("\n"),
      JSON.stringify({ kind: "List", apiVersion: "v1", items: lists }),
      `${JSON.stringify(lists[0])} ${JSON.stringify(lists[1]).slice(0, -2)}`,
      lists.map((one) => stringify(one)).join("---\n"),
    ])
      assert.deepEqual(namesIn(readImportedText(text)), expected);
  });

  test("may contain container logs between its objects", () => {
    const log =
      "==== START logs for container c of pod b/a ====\n{ [ x\nkind: Pod\nend==== END logs for container c of pod b/a ====\n";
    const [first, second] = readImportedText(cluster).objects;
    const text = `${JSON.stringify(first)}\n${log}${log}${JSON.stringify(second)}\n[`;
    assert.deepEqual(readImportedText(text).objects, [first, second]);
    assert.match(problemsIn(text).join(), /^11: /);
    assert.deepEqual(readImportedText(`${claim}${log}`).problems, []);
    assert.deepEqual(readImportedText(`${claim}${log.slice(0, 60)}`).problems, []);
  });

  test("may begin with a byte order mark", () => {
    const json = JSON.stringify({ kind: "List", items: readImportedText(cluster).objects });
    for (const text of [cluster, json, `${claim}${claim}`])
      assert.deepEqual(readImportedText(`\uFEFF${text}`), readImportedText(text));
    assert.match(problemsIn("k8s\0\n\u0002v1").join(), /no text/);
  });

  test("loses only one object to a mistake, which is reported with its line", () => {
    const broken = cluster.replace("    phase: Active", "    phase: [Active");
    assert.equal(readImportedText(broken).objects.length, 31);
    assert.match(problemsIn(broken).join(), /^1[0-9]: /);
    const mistyped = `apiVersion: v1\nkind: List\nitems:\n- ${claim.trim().replaceAll("\n", "\n  ").replace("spec: {}", "spec: 1")}\n`;
    assert.match(problemsIn(mistyped).join(), /^4: PersistentVolumeClaim a is left out: /);
  });

  test("may contain kinds that are not simulated", () => {
    const other = (version: string, kind: string): string =>
      `---\napiVersion: ${version}\nkind: ${kind}\nmetadata: { name: i }\n`;
    const { objects, problems, others } = readImportedText(
      `${claim}${other("networking.k8s.io/v1", "Ingress")}${other("policy/v1beta1", "PodDisruptionBudget")}`,
    );
    assert.deepEqual([objects.length, problems], [1, []]);
    assert.deepEqual(
      [...others],
      [
        ["Ingress", 1],
        ["PodDisruptionBudget of policy/v1beta1", 1],
      ],
    );
  });
});
