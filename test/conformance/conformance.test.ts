/**
 * The engine must keep agreeing with the recordings of real Kubernetes listed in `agreeing.json`, which
 * `npm run conformance -- test/recordings --keep test/recordings/agreeing.json` rewrites.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { replay, scenarioIds } from "./replay.ts";

const directory = path.join(import.meta.dirname, "../recordings");
const agreeing = new Set(
  JSON.parse(readFileSync(path.join(directory, "agreeing.json"), "utf8")) as string[],
);

suite("recordings of real Kubernetes", () => {
  for (const id of scenarioIds(directory)) {
    if (agreeing.has(id)) {
      test(`${id} agrees`, () => assert.deepEqual(replay(directory, id).differences, []));
    } else {
      test(`${id} runs to rest`, () => {
        const { recording, differences } = replay(directory, id);
        assert.notEqual(recording, undefined, differences?.join("\n"));
        assert.notDeepEqual(differences, ["the run was ended by a limit"]);
      });
    }
  }
});
