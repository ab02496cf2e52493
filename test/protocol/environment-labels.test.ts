import assert from "node:assert/strict";
import { environmentLabels } from "../../src/protocol/environment-labels.ts";

function labelsOf(...folders: readonly string[]): readonly string[] {
  const environments = folders.map((folder) => ({
    id: folder,
    folder,
    name: folder.slice(folder.lastIndexOf("/") + 1),
  }));
  const labels = environmentLabels(environments);
  return folders.map((folder) => labels.get(folder) ?? "");
}

suite("labels of environments", () => {
  test("are their names if these differ", () => {
    assert.deepEqual(labelsOf("file:///w/shop", "file:///w/pay"), ["shop", "pay"]);
  });

  test("begin with the parent folders if several have the same name", () => {
    assert.deepEqual(
      labelsOf("file:///w/shop/k8s", "file:///w/pay%20%26%20go/k8s", "file:///w/docs"),
      ["shop/k8s", "pay & go/k8s", "docs"],
    );
    assert.deepEqual(labelsOf("file:///w/a/x/k8s", "file:///w/b/x/k8s"), ["a/x/k8s", "b/x/k8s"]);
  });

  test("are the whole paths if one folder is inside the other", () => {
    assert.deepEqual(labelsOf("file:///k8s", "file:///w/k8s"), ["k8s", "w/k8s"]);
  });

  test("keep names that are not well encoded as they are", () => {
    const environment = (folder: string) => ({ id: folder, name: "base", folder });
    const labels = environmentLabels(
      ["memfs:///100%/base", "memfs:///a%20b/base"].map(environment),
    );
    assert.deepEqual([...labels.values()], ["100%/base", "a b/base"]);
  });
});
