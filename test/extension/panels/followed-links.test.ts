import assert from "node:assert/strict";
import { withFollowedLinks } from "../../../src/extension/panels/followed-links.ts";

const folder = "file:///home/me/shop";
const followed = (address: string): string => withFollowedLinks(`see [it](${address}).`, folder);

suite("links in explanations", () => {
  test("are relative to the workspace's first folder, whose files the preview opens", () => {
    assert.equal(followed(`${folder}/base/app.yaml#L3`), "see [it](/base/app.yaml#L3).");
    assert.equal(
      withFollowedLinks(`[a](${folder}/a.yaml) and [b](${folder}/b.yaml#L1)`, folder),
      "[a](/a.yaml) and [b](/b.yaml#L1)",
    );
  });

  test("lead out of it to the files of other folders", () => {
    assert.equal(followed("file:///home/me/other/a.yaml#L1"), "see [it](/../other/a.yaml#L1).");
    assert.equal(followed("file:///srv/a.yaml"), "see [it](/../../../srv/a.yaml).");
  });

  test("to pages, commands or unsaved documents are not changed", () => {
    for (const address of [
      "https://kubernetes.io/docs/",
      "command:claimcheck.explain?%5B%5D",
      "untitled:Untitled-1#L2",
      "#why",
    ])
      assert.equal(followed(address), `see [it](${address}).`);
  });
});
