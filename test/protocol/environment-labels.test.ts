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
  test("are their names where these differ", () => {
    assert.deepEqual(labelsOf("file:///w/shop", "file:///w/pay"), ["shop", "pay"]);
  });

  test("begin with the folders above where several have one name", () => {
    assert.deepEqual(
      labelsOf("file:///w/shop/k8s", "file:///w/pay%20%26%20go/k8s", "file:///w/docs"),
      ["shop/k8s", "pay & go/k8s", "docs"],
    );
    assert.deepEqual(labelsOf("file:///w/a/x/k8s", "file:///w/b/x/k8s"), ["a/x/k8s", "b/x/k8s"]);
  });

  test("are all that there is where one folder holds the other", () => {
    assert.deepEqual(labelsOf("file:///k8s", "file:///w/k8s"), ["k8s", "w/k8s"]);
  });

  test("folders whose names are not well encoded are called as they are", () => {
    const environment = (folder: string) => ({ id: folder, name: "base", folder });
    const labels = environmentLabels(
      ["memfs:///100%/base", "memfs:///a%20b/base"].map(environment),
    );
    assert.deepEqual([...labels.values()], ["100%/base", "a b/base"]);
  });
});
