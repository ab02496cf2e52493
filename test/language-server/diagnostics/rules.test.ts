import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { profileNames } from "../../../src/engine/profiles/assume-cluster.ts";
import { ruleIds } from "../../../src/language-server/diagnostics/rules.ts";

const root: string = join(import.meta.dirname, "../../..");

suite("rules", () => {
  test("the project file's schema knows the same rules and profiles", () => {
    const schema = JSON.parse(readFileSync(join(root, "schemas/claimcheck.schema.json"), "utf8"));
    assert.deepEqual(Object.keys(schema.properties.rules.properties), [...ruleIds].sort());
    assert.deepEqual([...schema.properties.profile.enum].sort(), [...profileNames].sort());
  });
});
