import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { replayApi } from "./replay-api.ts";

/** Returns how many recorded answers there are; fails if the engine's differ. */
function countOfAgreeing(folder: string): number {
  const directory = path.join(path.dirname(fileURLToPath(import.meta.url)), folder);
  const { total, disagreements } = replayApi(directory);
  const texts = disagreements.map(({ id, differences }) => [id, ...differences].join("\n  "));
  assert.equal(texts.join("\n"), "");
  return total;
}

suite("Recorded API answers", () => {
  test("the engine answers a sample of creates and updates as a real API server did", () => {
    assert.ok(countOfAgreeing("api") > 400);
  });

  // Recorded as dry runs with apiextensions-apiserver 1.36.4 and the definitions of external-snapshotter v8 and gateway-api.
  test("the engine answers for snapshots and reference grants as Kubernetes' own server for custom resources", () => {
    assert.ok(countOfAgreeing("custom-resources") > 80);
  });
});
