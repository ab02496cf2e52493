import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { replayApi } from "./replay-api.ts";

suite("Recorded API answers", () => {
  test("the engine answers a sample of creates and updates as a real API server did", async () => {
    const directory = path.join(path.dirname(fileURLToPath(import.meta.url)), "api");
    const { total, disagreements } = await replayApi(directory);
    const texts = disagreements.map(({ id, differences }) => [id, ...differences].join("\n  "));
    assert.equal(texts.join("\n"), "");
    assert.ok(total > 400);
  });
});
