/** `claimcheck test`: the result of each scenario, for people and for build servers. */
import type { ScenarioReport } from "../../language-server/scenarios/scenario-report.ts";
import type { LanguageService } from "../../language-server/service.ts";
import { counted } from "./counted.ts";
import { printPath, printPlace } from "./place.ts";

/** One line per scenario, and below it one for each expectation that was not met. */
export function testText(
  reports: readonly ScenarioReport[],
  service: LanguageService,
  cwd: string,
): string {
  const lines = reports.flatMap((report) => [
    `${report.failures.length === 0 ? "pass" : "FAIL"} ${printPath(report.uri, cwd)}: ${report.title} (${extentOf(report)})`,
    ...failureLines(report, service, cwd).map((line) => `  ${line}`),
  ]);
  const failed = reports.filter(({ failures }) => failures.length > 0).length;
  const summary = `${counted(reports.length, "scenario")}, ${failed} failed`;
  return `${[...lines, summary].join("\n")}\n`;
}

/** The results in JUnit's format, for build servers. Times are the cluster's, not this machine's. */
export function testJunit(
  reports: readonly ScenarioReport[],
  service: LanguageService,
  cwd: string,
): string {
  const failed = reports.filter(({ failures }) => failures.length > 0).length;
  const cases = reports.flatMap((report) => caseLines(report, service, cwd));
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${reports.length}" failures="${failed}">`,
    `  <testsuite name="claimcheck" tests="${reports.length}" failures="${failed}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n")}\n`;
}

function caseLines(
  report: ScenarioReport,
  service: LanguageService,
  cwd: string,
): readonly string[] {
  const path = printPath(report.uri, cwd);
  const head = `    <testcase classname="${escaped(path)}" name="${escaped(report.title)}" time="${report.virtualTimeMs / 1000}"`;
  const failures = failureLines(report, service, cwd);
  const [first] = report.failures;
  return first === undefined
    ? [`${head}/>`]
    : [
        `${head}>`,
        `      <failure message="${escaped(first.message)}">${escaped(failures.join("\n"))}</failure>`,
        "    </testcase>",
      ];
}

function failureLines(
  { uri, failures }: ScenarioReport,
  service: LanguageService,
  cwd: string,
): readonly string[] {
  const file = service.file(uri);
  return failures.map(({ start, message }) =>
    file === undefined ? message : `${printPlace(file, start, cwd)} ${message}`,
  );
}

function extentOf({ expectationCount, virtualTimeMs }: ScenarioReport): string {
  return `${counted(expectationCount, "expectation")}, ${Math.round(virtualTimeMs / 1000)}s`;
}

/** Escapes text for XML. Most control characters, U+FFFE and U+FFFF are not allowed even escaped: they are replaced. */
function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, "\uFFFD")
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
