import assert from "node:assert/strict";
import {
  compareHooks,
  compareKinds,
} from "../../../../src/language-server/helm/chart/install-order.ts";
import { splitManifests } from "../../../../src/language-server/helm/chart/split-manifests.ts";

suite("the documents of a rendered text", () => {
  const parts = (text: string): readonly string[] =>
    splitManifests(text).map(({ start, end }) => text.slice(start, end));

  for (const [name, text, documents] of [
    ["are separated by three dashes", "a: 1\n---\nb: 2\n", ["a: 1", "b: 2\n"]],
    ["are none in a text without content", "\n---\n  \n", []],
    ["are separated whatever follows the dashes", "a: 1\n---b: 2", ["a: 1", "b: 2"]],
    ["are not separated by indented dashes", "a: |\n  ---\n  b", ["a: |\n  ---\n  b"]],
    [
      "do not include the spaces around the dashes",
      "a: 1  \n\n \n---  \n\n  b: 2",
      ["a: 1", "b: 2"],
    ],
    ["include dashes that directly follow a separator", "---\n---\na: 1", ["---\na: 1"]],
    ["may begin without dashes", "\n\n  # note\na: 1\n", ["# note\na: 1\n"]],
  ] as const)
    test(name, () => {
      assert.deepEqual(parts(text), documents);
    });

  test("are found quickly in a long text of blanks", () => {
    const text = `a: 1${"\n ".repeat(500_000)}\n---\nb: 2`;
    assert.deepEqual(parts(text), ["a: 1", "b: 2"]);
  });
});

suite("the order of installation", () => {
  test("is by kind, with unknown kinds last and by name", () => {
    const kinds = ["Zebra", "Pod", "StatefulSet", "Ant", "PersistentVolumeClaim", "StorageClass"];
    assert.deepEqual(kinds.toSorted(compareKinds), [
      "StorageClass",
      "PersistentVolumeClaim",
      "Pod",
      "StatefulSet",
      "Ant",
      "Zebra",
    ]);
  });

  test("is by weight among hooks, then by name", () => {
    const hooks = [
      { name: "b", weight: 0 },
      { name: "a", weight: 0 },
      { name: "c", weight: -5 },
    ];
    assert.deepEqual(
      hooks.toSorted(compareHooks).map(({ name }) => name),
      ["c", "a", "b"],
    );
  });
});
