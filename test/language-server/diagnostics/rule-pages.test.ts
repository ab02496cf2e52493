import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { defaultSeverity } from "../../../src/language-server/diagnostics/diagnose.ts";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { ruleIds, rules } from "../../../src/language-server/diagnostics/rules.ts";
import { diagnosticsOf, readRulePage, rulePages } from "../../support/rule-page.ts";

const printed = (found: readonly Diagnostic[]): readonly string[] =>
  found.map(({ code, message }) => `${code}: ${message}`);

/** What only shows once the cluster has come to rest. */
function needsPrediction(id: string): boolean {
  return id === "unused-suppression" || rules.some((r) => r.id === id && r.scope === "prediction");
}

suite("the pages of the rules", () => {
  test("every rule has one, and none is left over", () => {
    const pages = readdirSync(rulePages).filter((name) => name !== "README.md");
    assert.deepEqual(pages, ruleIds.map((id) => `${id}.md`).sort());
  });

  for (const id of ruleIds) {
    test(`${id}: the example has the finding, the corrected manifests have nothing`, async () => {
      const { text, example, corrected } = readRulePage(id);
      assert.ok(text.startsWith(`# ${id}\n`));
      const rule = rules.find((candidate) => candidate.id === id);
      if (rule !== undefined) assert.ok(text.includes(`Severity: ${defaultSeverity(rule)},`));
      const predicts = needsPrediction(id);
      const found = await diagnosticsOf(example, predicts);
      assert.ok(
        found.some(({ code }) => code === id),
        printed(found).join("\n"),
      );
      const left = (await diagnosticsOf(corrected, predicts)).filter(
        ({ code, severity }) => code === id || severity === "error" || severity === "warning",
      );
      assert.deepEqual(printed(left), []);
    });
  }
});
