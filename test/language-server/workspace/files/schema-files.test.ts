import assert from "node:assert/strict";
import { kubernetesFiles } from "../../../../src/language-server/workspace/files/schema-files.ts";

const uri = "file:///home/me/shop/deploy/my%20app/web.yaml";

suite("files that are checked against Kubernetes' schema", () => {
  for (const [what, schemas, wanted] of [
    ["by name anywhere", { kubernetes: "*.yaml" }, true],
    ["one of several patterns", { kubernetes: ["/ci/*.yaml", "deploy/**/*.yaml"] }, true],
    ["a folder with a space", { kubernetes: "/deploy/my app/*" }, true],
    [
      "the collection of schemas",
      {
        "https://raw.githubusercontent.com/yannh/kubernetes-json-schema/master/v1.36.0-standalone-strict/all.json":
          "*.yaml",
      },
      true,
    ],
    ["another ending", { kubernetes: "*.yml" }, false],
    ["another schema", { "https://json.schemastore.org/github-workflow.json": "*.yaml" }, false],
    ["no schema", {}, false],
    ["an invalid pattern", { kubernetes: 7 }, false],
  ] as const) {
    test(what, () => assert.equal(kubernetesFiles(schemas)(uri), wanted));
  }
});
