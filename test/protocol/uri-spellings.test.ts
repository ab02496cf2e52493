import assert from "node:assert/strict";
import { environmentOf } from "../../src/protocol/uri-spellings.ts";

function folderOf(uri: string, ...folders: readonly string[]): string | undefined {
  const environments = folders.map((folder) => ({ folder }));
  return environmentOf(environments, uri)?.folder;
}

suite("the environment of a file", () => {
  test("is the one with the deepest folder above it", () => {
    const folders = ["file:///w", "file:///w/shop", "file:///w/shop/test"] as const;
    assert.equal(folderOf("file:///w/shop/claim.yaml", ...folders), "file:///w/shop");
    assert.equal(folderOf("file:///w/shopping/claim.yaml", ...folders), "file:///w");
    assert.equal(folderOf("file:///elsewhere/claim.yaml", ...folders), undefined);
    assert.equal(folderOf("", ...folders), undefined);
  });

  test("is found even if editor and server encode its folder differently", () => {
    const server = "file:///home/me@work/c++%20(new)/100%25";
    const editor = "file:///home/me%40work/c%2B%2B%20%28new%29/100%25/claim.yaml";
    assert.equal(folderOf(editor, "file:///home", server), server);
  });

  test("is found on a drive, whose letter the editor writes in lower case and the server in upper case", () => {
    const server = "file:///C:/work/shop";
    assert.equal(folderOf("file:///c%3A/work/shop/claim.yaml", "file:///C:/work", server), server);
  });

  test("of an unsaved document is that of its scheme", () => {
    assert.equal(folderOf("untitled:Untitled-1", "file:///w", "untitled:"), "untitled:");
  });
});
