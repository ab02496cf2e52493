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
    ["are parted by three dashes", "a: 1\n---\nb: 2\n", ["a: 1", "b: 2\n"]],
    ["are none where nothing stands", "\n---\n  \n", []],
    ["are parted whatever stands behind the dashes", "a: 1\n---b: 2", ["a: 1", "b: 2"]],
    ["are not parted by dashes further in", "a: |\n  ---\n  b", ["a: |\n  ---\n  b"]],
    ["lack the spaces before the dashes", "a: 1  \n\n \n---  \n\n  b: 2", ["a: 1", "b: 2"]],
    ["keep dashes whose line end went with those before", "---\n---\na: 1", ["---\na: 1"]],
    ["may begin without dashes", "\n\n  # note\na: 1\n", ["# note\na: 1\n"]],
  ] as const)
    test(name, () => {
      assert.deepEqual(parts(text), documents);
    });

  test("are found in a long text of blanks at once", () => {
    const text = `a: 1${"\n ".repeat(500_000)}\n---\nb: 2`;
    assert.deepEqual(parts(text), ["a: 1", "b: 2"]);
  });
});

suite("the order of an installation", () => {
  test("goes by kinds, unknown ones last and by name", () => {
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

  test("goes by weight among hooks, then by name", () => {
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
