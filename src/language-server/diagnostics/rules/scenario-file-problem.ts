/** Problems in the form of a `*.scenario.yaml`. */
import { isScenarioUri } from "../../scenarios/scenario-file.ts";
import { scenarioProblems } from "../../scenarios/scenario-report.ts";
import { readYamlDocument } from "../../yaml/yaml-document.ts";
import type { DocumentReport, FileRule } from "../rule.ts";

export const scenarioFileProblem: FileRule = {
  id: "scenario-file",
  severity: "error",
  scope: "file",
  *check({ uri, manifest }): Iterable<DocumentReport> {
    if (isScenarioUri(uri)) yield* scenarioProblems(readYamlDocument(manifest.text));
  },
};
