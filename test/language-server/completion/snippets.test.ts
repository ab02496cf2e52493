import assert from "node:assert/strict";
import { kindSchemas } from "../../../src/engine/api/schema.ts";
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
    test(`${label}: the API server accepts it unchanged`, async () => {
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

  test("there is one for each kind, except kinds that components write or people rarely write", () => {
    const labels = new Set(snippets.map(({ label }) => label));
    const without = kindSchemas.map(({ kind }) => kind).filter((kind) => !labels.has(kind));
    const ofComponents = ["CSINode", "CSIStorageCapacity", "ControllerRevision", "ReplicaSet"];
    const seldom = ["PodDisruptionBudget", "PodTemplate", "PriorityClass", "ReplicationController"];
    assert.deepEqual(
      without.sort(),
      [...ofComponents, ...seldom, "RuntimeClass", "ServiceAccount", "VolumeAttachment"].sort(),
    );
  });
});
