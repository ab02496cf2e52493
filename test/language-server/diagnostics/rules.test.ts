import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { profileNames } from "../../../src/engine/profiles/assume-cluster.ts";
import { ruleIds, rules } from "../../../src/language-server/diagnostics/rules.ts";
import { driverList } from "../../../src/language-server/project/described-drivers.ts";
import { checkGolden } from "../../support/golden.ts";
import { readRulePage } from "../../support/rule-page.ts";
import { schemaOf } from "../../support/shape-schema.ts";

const root: string = join(import.meta.dirname, "../../..");
const schemaPath: string = join(root, "schemas/claimcheck.schema.json");

/** The first paragraph below the page's title. */
function summaryOf(id: string): string {
  const [, summary = ""] = readRulePage(id).text.split("\n\n");
  return summary;
}

/** Checks that `change` changes nothing in the schema; `UPDATE_GOLDEN=1` writes the changes. */
// biome-ignore lint/suspicious/noExplicitAny: a JSON schema.
function checkSchema(change: (properties: any) => void): void {
  const schema = JSON.parse(readFileSync(schemaPath, "utf8"));
  const wanted = structuredClone(schema);
  change(wanted.properties);
  if (process.env["UPDATE_GOLDEN"] === "1")
    writeFileSync(schemaPath, JSON.stringify(wanted, undefined, 2));
  else assert.deepEqual(schema, wanted);
}

suite("rules", () => {
  test("the project file's schema knows the same rules and profiles", () => {
    const schema = JSON.parse(readFileSync(schemaPath, "utf8"));
    assert.deepEqual(Object.keys(schema.properties.rules.properties), [...ruleIds].sort());
    assert.deepEqual([...schema.properties.profile.enum].sort(), [...profileNames].sort());
  });

  test("reports and the project file's schema describe each rule with the first paragraph of its page", () => {
    const sorted = [...ruleIds].sort();
    const summaries = Object.fromEntries(sorted.map((id) => [id, summaryOf(id)]));
    checkGolden(
      join(root, "src/cli/output/rule-summaries.json"),
      `${JSON.stringify(summaries, undefined, 2)}\n`,
    );
    checkSchema(({ rules: { properties } }) => {
      for (const id of sorted) properties[id].description = summaryOf(id);
    });
  });

  test("the project file's schema of drivers matches the reader", () => {
    checkSchema((properties) => {
      const { description } = properties.drivers;
      properties.drivers = { description, ...schemaOf(driverList) };
    });
  });

  test("a rule yields only to other rules that exist", () => {
    const known = new Set(ruleIds);
    const missing = rules.flatMap(({ id, yieldsTo = [] }) =>
      yieldsTo
        .filter((other) => other === id || !known.has(other))
        .map((other) => `${id} to ${other}`),
    );
    assert.deepEqual(missing, []);
  });
});
