import assert from "node:assert/strict";
import { environmentOf } from "../../src/protocol/uri-spellings.ts";

function folderOf(uri: string, ...folders: readonly string[]): string | undefined {
  const environments = folders.map((folder) => ({ folder }));
  return environmentOf(environments, uri)?.folder;
}

suite("the environment of a file", () => {
  test("is the one with the deepest folder that holds it", () => {
    const folders = ["file:///w", "file:///w/shop", "file:///w/shop/test"] as const;
    assert.equal(folderOf("file:///w/shop/claim.yaml", ...folders), "file:///w/shop");
    assert.equal(folderOf("file:///w/shopping/claim.yaml", ...folders), "file:///w");
    assert.equal(folderOf("file:///elsewhere/claim.yaml", ...folders), undefined);
    assert.equal(folderOf("", ...folders), undefined);
  });

  test("is found however the editor and the server encode its folder", () => {
    const server = "file:///home/me@work/c++%20(new)/100%25";
    const editor = "file:///home/me%40work/c%2B%2B%20%28new%29/100%25/claim.yaml";
    assert.equal(folderOf(editor, "file:///home", server), server);
  });

  test("is found on a drive, which the editor writes with a small letter and the server with a capital", () => {
    const server = "file:///C:/work/shop";
    assert.equal(folderOf("file:///c%3A/work/shop/claim.yaml", "file:///C:/work", server), server);
  });

  test("of a text that is not saved yet is that of its scheme", () => {
    assert.equal(folderOf("untitled:Untitled-1", "file:///w", "untitled:"), "untitled:");
  });
});
