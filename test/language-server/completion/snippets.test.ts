import assert from "node:assert/strict";
import {
  localVolumes,
  plainText,
  snippets,
} from "../../../src/language-server/completion/snippets.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

suite("snippets", () => {
  for (const { label, body } of [...snippets, localVolumes(["node-1", "node-2"])]) {
    test(`${label}: the API server accepts it as it stands`, async () => {
      const files = new Map([["a.yaml", plainText(body)]]);
      const service = await loadFixture({ files, labels: [] }, false);
      assert.ok((service.file(memoryUri("a.yaml"))?.manifest.documents.length ?? 0) > 0);
      const found = findingsOf(service, memoryUri("a.yaml"));
      assert.deepEqual(
        found.filter(({ severity }) => severity === "error"),
        [],
      );
    });
  }
});
