import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { profileNames } from "../../../src/engine/profiles/assume-cluster.ts";
import { ruleIds, rules } from "../../../src/language-server/diagnostics/rules.ts";
import { driverList } from "../../../src/language-server/project/described-drivers.ts";
import { schemaOf } from "../../support/shape-schema.ts";

const root: string = join(import.meta.dirname, "../../..");

suite("rules", () => {
  test("the project file's schema knows the same rules and profiles", () => {
    const schema = JSON.parse(readFileSync(join(root, "schemas/claimcheck.schema.json"), "utf8"));
    assert.deepEqual(Object.keys(schema.properties.rules.properties), [...ruleIds].sort());
    assert.deepEqual([...schema.properties.profile.enum].sort(), [...profileNames].sort());
  });

  test("the project file's schema says of drivers what its reader does", () => {
    const path = join(root, "schemas/claimcheck.schema.json");
    const schema = JSON.parse(readFileSync(path, "utf8"));
    const { description } = schema.properties.drivers;
    const drivers = { description, ...schemaOf(driverList) };
    if (process.env["UPDATE_GOLDEN"] === "1") {
      schema.properties.drivers = drivers;
      writeFileSync(path, JSON.stringify(schema, undefined, 2));
    }
    assert.deepEqual(schema.properties.drivers, drivers);
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
