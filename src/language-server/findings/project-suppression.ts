/** Findings that claimcheck.yaml accepts in some files, and suppressions in it that accept nothing. */
import type { Diagnostic, Severity } from "../diagnostics/rule.ts";
import { unusedMessage, unusedSuppression } from "../diagnostics/rules/suppression.ts";
import {
  type ProjectFile,
  type ProjectSuppression,
  projectFileName,
} from "../project/project-file.ts";
import type { Environment } from "../workspace/environment.ts";
import { globMatcher } from "../workspace/files/glob.ts";
import { baseName, pathOf, relativePath } from "../workspace/files/uri.ts";
import { underline } from "../yaml/locate.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";

/** True if the environment's project file accepts the finding. */
export function isAcceptedByProject(diagnostic: Diagnostic, environment: Environment): boolean {
  return environment.project.suppressions.some((suppression) =>
    accepts(suppression, diagnostic, environment),
  );
}

/** Reported at the rule's id in the project file. `accepted` holds all findings in the environment that it accepts. */
export function unusedInProject(
  environment: Environment,
  accepted: readonly Diagnostic[],
  ruleIds: readonly string[],
  isComplete: boolean,
): readonly Diagnostic[] {
  const { suppressions, rules } = environment.project;
  const file = environment.files.find(({ uri }) => baseName(uri) === projectFileName);
  const severity: Severity | "off" = rules.get(unusedSuppression.id) ?? unusedSuppression.severity;
  if (file === undefined || suppressions.length === 0 || severity === "off") return [];
  const document = readYamlDocument(file.manifest.text);
  return suppressions.flatMap((suppression): Diagnostic[] => {
    const { rule, path } = suppression;
    const message = unusedMessage(rule, ruleIds, isComplete);
    const isUsed = accepted.some((diagnostic) => accepts(suppression, diagnostic, environment));
    if (message === undefined || isUsed) return [];
    const place = underline(document, [...path, "rule"]);
    return [{ uri: file.uri, ...place, severity, code: unusedSuppression.id, message }];
  });
}

function accepts(
  suppression: ProjectSuppression,
  { code, uri }: Diagnostic,
  { id, project }: Environment,
): boolean {
  if (code !== suppression.rule) return false;
  return (
    suppression.files.length === 0 ||
    matcherOf(suppression, project)(relativePath(pathOf(id), pathOf(uri)))
  );
}

type Matcher = (path: string) => boolean;

const matchers = new WeakMap<ProjectFile, Map<ProjectSuppression, Matcher>>();

/** Globs are compiled once for each state of the project file. */
function matcherOf(suppression: ProjectSuppression, project: ProjectFile): Matcher {
  const known = matchers.get(project) ?? new Map<ProjectSuppression, Matcher>();
  matchers.set(project, known);
  const matcher = known.get(suppression) ?? globMatcher(suppression.files);
  known.set(suppression, matcher);
  return matcher;
}
