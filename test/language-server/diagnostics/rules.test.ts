import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { profileNames } from "../../../src/engine/profiles/assume-cluster.ts";
import { ruleIds, rules } from "../../../src/language-server/diagnostics/rules.ts";

const root: string = join(import.meta.dirname, "../../..");

suite("rules", () => {
  test("the project file's schema knows the same rules and profiles", () => {
    const schema = JSON.parse(readFileSync(join(root, "schemas/claimcheck.schema.json"), "utf8"));
    assert.deepEqual(Object.keys(schema.properties.rules.properties), [...ruleIds].sort());
    assert.deepEqual([...schema.properties.profile.enum].sort(), [...profileNames].sort());
  });

  test("a rule leaves it to other rules that there are", () => {
    const known = new Set(ruleIds);
    const missing = rules.flatMap(({ id, yieldsTo = [] }) =>
      yieldsTo
        .filter((other) => other === id || !known.has(other))
        .map((other) => `${id} to ${other}`),
    );
    assert.deepEqual(missing, []);
  });
});
