/** All that is open of a file, from the rules that look at it, at its objects and at what becomes of them. */
import type { Analysis } from "./analysis.ts";
import { isOpen } from "./diagnostics/open-questions.ts";
import { isAcceptedByProject, unusedInProject } from "./diagnostics/project-suppression.ts";
import { compareDiagnostics, type Diagnostic } from "./diagnostics/rule.ts";
import { importProblems } from "./diagnostics/rules/import-problem.ts";
import { withoutSuppressed } from "./diagnostics/rules/suppression.ts";
import { ruleIds } from "./diagnostics/rules.ts";
import { presentDiagnostic } from "./islands/present-entry.ts";
import { projectFileName } from "./project/project-file.ts";
import type { ServiceState } from "./service-state.ts";
import type { Environment } from "./workspace/environment.ts";
import { type Question, unreadableAnswers } from "./workspace/unreadable-documents.ts";
import { baseName } from "./workspace/uri.ts";
import type { WorkspaceFile } from "./workspace/workspace-object.ts";

export function fileDiagnostics(state: ServiceState, uri: string): readonly Diagnostic[] {
  const file = state.workspace.file(uri);
  const analysis = state.analysisOf(uri);
  if (file === undefined || analysis === undefined) return [];
  return diagnosticsOf(state, analysis, file);
}

/** All that is open of a file. */
function diagnosticsOf(
  state: ServiceState,
  analysis: Analysis,
  file: WorkspaceFile,
): readonly Diagnostic[] {
  const { environment, version } = analysis;
  const judged = state.judged(environment);
  // What is said of the project file depends on all the others.
  const answers = unreadableAnswers(environment);
  const make = (recorded: typeof answers): readonly Diagnostic[] =>
    openFindings(state, analysis, file, recorded);
  if (environment.project.suppressions.length > 0)
    return state.findings.noteAsked(file.uri, answers, make);
  const others = [
    environment.project,
    state.settings,
    version,
    judged.isComplete(file.uri),
    environment.kustomized,
    environment.imported,
  ];
  return state.findings.get(
    { file, reports: judged.sourcesOf(file.uri), others },
    (uri) => state.workspace.file(uri),
    answers,
    make,
  );
}

function openFindings(
  state: ServiceState,
  analysis: Analysis,
  file: WorkspaceFile,
  answers: (question: Question) => boolean,
): readonly Diagnostic[] {
  const { environment } = analysis;
  const found = findingsOf(state, analysis, file);
  const open = found.filter((diagnostic) => !isAcceptedByProject(diagnostic, environment));
  const kept = withoutSuppressed(file, open, {
    severities: environment.project.rules,
    ruleIds,
    isComplete: state.judged(environment).isComplete(file.uri),
  });
  // A comment that accepts what is left open stays of use: it is looked at before.
  const told = kept.filter(
    (one) => !isOpen(one, file.manifest.text.slice(one.start, one.end), answers),
  );
  return [...told, ...ofProject(state, analysis, file)].sort(compareDiagnostics);
}

/** What a file says for itself, and what its objects have to do with others. */
function findingsOf(
  state: ServiceState,
  { environment }: Analysis,
  file: WorkspaceFile,
): readonly Diagnostic[] {
  const found = [...state.ownDiagnostics(file, environment)];
  const { kustomized } = environment;
  const files = { kustomized, findFile: (uri: string) => state.workspace.file(uri) };
  for (const report of state.judged(environment).reportsIn(file.uri)) {
    const diagnostic = presentDiagnostic(report, files);
    if (diagnostic?.uri === file.uri) found.push(diagnostic);
  }
  return found;
}

/** What can be said of the project file once all findings are known. */
function ofProject(
  state: ServiceState,
  analysis: Analysis,
  projectFile: WorkspaceFile,
): readonly Diagnostic[] {
  const { uri } = projectFile;
  const { environment, assumed } = analysis;
  if (baseName(uri) !== projectFileName) return [];
  const imports = importProblems(environment, assumed, projectFile);
  if (environment.project.suppressions.length === 0) return imports;
  const found = environment.files.flatMap((file) => findingsOf(state, analysis, file));
  const isComplete = state.judged(environment).prediction() !== undefined;
  const unused = unusedInProject(environment, found, ruleIds, isComplete);
  return [...imports, ...unused.filter((diagnostic) => diagnostic.uri === uri)];
}

export function allDiagnostics(
  state: ServiceState,
  environment: Environment,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const analysis = state.analysis(environment);
  for (const _ of state.judged(environment).compare());
  const kept = new Map<string, readonly Diagnostic[]>();
  for (const file of environment.files) {
    const found = diagnosticsOf(state, analysis, file);
    if (found.length > 0) kept.set(file.uri, found);
  }
  return kept;
}

/** Files whose findings may have changed since this was asked last. */
export function takeChanged(state: ServiceState, environment: Environment): readonly string[] {
  const files = new Set(state.judged(environment).takeChanged());
  const isIn = (uri: string): boolean => state.workspace.environmentOf(uri)?.id === environment.id;
  const answers = unreadableAnswers(environment);
  for (const uri of state.findings.askedOtherwise(isIn, answers)) files.add(uri);
  return [...files];
}
