import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { importProblem } from "../../../src/language-server/diagnostics/rules/import-problem.ts";
import { ruleIds, rules } from "../../../src/language-server/diagnostics/rules.ts";
import {
  diagnosticsOf,
  filesOf,
  needsPrediction,
  readRulePage,
  rulePages,
} from "../../support/rule-page.ts";

const printed = (found: readonly Diagnostic[]): readonly string[] =>
  found.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);

suite("the pages of the rules", () => {
  test("exist for every rule, and for nothing else", () => {
    const pages = readdirSync(rulePages).filter((name) => name !== "README.md");
    assert.deepEqual(pages, ruleIds.map((id) => `${id}.md`).sort());
  });

  for (const id of ruleIds) {
    test(`${id}: the example has the finding, the corrected manifests have none`, async () => {
      const { text, example, corrected } = readRulePage(id);
      assert.ok(text.startsWith(`# ${id}\n`));
      const severity =
        [...rules, importProblem].find((rule) => rule.id === id)?.severity ?? "warning";
      assert.ok(text.includes(`Severity: ${severity},`), `the severity is ${severity}`);
      const predicts = needsPrediction(id);
      const found = await diagnosticsOf(filesOf(example), predicts);
      assert.ok(
        found.some((finding) => finding.code === id && finding.severity === severity),
        printed(found).join("\n"),
      );
      const left = (await diagnosticsOf(filesOf(corrected), predicts)).filter(
        (finding) => finding.code === id || ["error", "warning"].includes(finding.severity),
      );
      assert.deepEqual(printed(left), []);
    });
  }
});
