/**
 * Decides which findings of the rules are shown for a file. Leaves out what somebody has accepted, and reports each cause once:
 * rules declare which findings they replace (`explainsOutcome`, `yieldsTo`), and findings which questions they leave open
 * (`diagnostics/question.ts`).
 */
import type { Analysis } from "../analysis.ts";
import { type Answers, isOpen } from "../diagnostics/question.ts";
import { compareDiagnostics, type Diagnostic } from "../diagnostics/rule.ts";
import { importProblems } from "../diagnostics/rules/import-problem.ts";
import { withoutSuppressed } from "../diagnostics/rules/suppression.ts";
import { ruleIds } from "../diagnostics/rules.ts";
import { type PresentFiles, presentDiagnostic } from "../islands/present-entry.ts";
import { projectFileName } from "../project/project-file.ts";
import type { ServiceState } from "../service-state.ts";
import type { Environment } from "../workspace/environment.ts";
import { judgedFile, judgedFiles, repeatedLinks } from "../workspace/files/repeated-links.ts";
import { baseName } from "../workspace/files/uri.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import type { Findings } from "./findings-cache.ts";
import { folderAnswers } from "./folder-answers.ts";
import { meantAnswers } from "./meant-answers.ts";
import { isAcceptedByProject, unusedInProject } from "./project-suppression.ts";
import { toldAtPlace } from "./told-at-place.ts";
import { toldOnce } from "./told-once.ts";
import { unreadableAnswers } from "./unreadable-answers.ts";

export function fileDiagnostics(state: ServiceState, uri: string): readonly Diagnostic[] {
  const file = state.workspace.file(uri);
  const analysis = state.analysisOf(uri);
  if (file === undefined || analysis === undefined) return [];
  const judged = judgedFile(file, analysis.environment);
  if (judged !== file && !state.workspace.isOpen(uri)) return [];
  const found = diagnosticsOf(state, analysis, judged);
  return judged === file ? found : found.map((one) => ({ ...one, uri }));
}

/** All findings to show for a file; for the project file also its suppressions that accept nothing. */
function diagnosticsOf(
  state: ServiceState,
  analysis: Analysis,
  file: WorkspaceFile,
): readonly Diagnostic[] {
  const { told } = findingsOf(state, analysis, file);
  if (baseName(file.uri) !== projectFileName) return told;
  const unused = unusedEntries(state, analysis, file);
  return unused.length === 0 ? told : [...told, ...unused].sort(compareDiagnostics);
}

function findingsOf(state: ServiceState, analysis: Analysis, file: WorkspaceFile): Findings {
  const { environment, version } = analysis;
  const judged = state.judged(environment);
  const others = [
    environment.project,
    state.settings,
    version,
    judged.isComplete(file.uri),
    environment.kustomized,
    environment.charts,
    environment.imported,
    // This list is new in each state of the files, so it is compared by content.
    JSON.stringify(environment.folderProblems),
  ];
  return state.findings.get(
    { file, reports: judged.sourcesOf(file.uri), others },
    (uri) => state.workspace.file(uri),
    answersOf(state, analysis),
    (answers) => makeFindings(state, analysis, file, answers),
  );
}

function makeFindings(
  state: ServiceState,
  analysis: Analysis,
  file: WorkspaceFile,
  answers: Answers,
): Findings {
  const { environment, assumed } = analysis;
  const accepted: Diagnostic[] = [];
  const others: Diagnostic[] = [];
  for (const found of allFindings(state, analysis, file))
    (isAcceptedByProject(found, environment) ? accepted : others).push(found);
  const kept = withoutSuppressed(file, others, {
    severities: environment.project.rules,
    ruleIds,
    isComplete: state.judged(environment).isComplete(file.uri),
  });
  // Suppressions are applied first: a comment also counts as used if its finding is answered or replaced by another.
  const certain = toldOnce(file.manifest, kept).filter((one) => !isOpen(one, answers));
  const told = toldAtPlace(certain);
  const imports =
    baseName(file.uri) === projectFileName ? importProblems(environment, assumed, file) : [];
  return { told: [...told, ...imports].sort(compareDiagnostics), accepted };
}

/** The file's own findings, and those that compare its objects with others or follow from the prediction. */
function allFindings(
  state: ServiceState,
  { environment }: Analysis,
  file: WorkspaceFile,
): readonly Diagnostic[] {
  const found = [...state.ownDiagnostics(file, environment)];
  const files = presentFiles(state, environment);
  for (const report of state.judged(environment).reportsIn(file.uri)) {
    const diagnostic = presentDiagnostic(report, files);
    if (diagnostic?.uri === file.uri) found.push(diagnostic);
  }
  return found;
}

function presentFiles(
  { workspace }: ServiceState,
  { kustomized, charts }: Environment,
): PresentFiles {
  return { kustomized, charts, findFile: (uri) => workspace.file(uri) };
}

/** Suppressions in the project file that accept no finding in any file. */
function unusedEntries(
  state: ServiceState,
  analysis: Analysis,
  { uri }: WorkspaceFile,
): readonly Diagnostic[] {
  const { environment } = analysis;
  if (environment.project.suppressions.length === 0) return [];
  const accepted = environment.files.flatMap((file) => findingsOf(state, analysis, file).accepted);
  const isComplete = state.judged(environment).isComplete();
  const unused = unusedInProject(environment, accepted, ruleIds, isComplete);
  return unused.filter((diagnostic) => diagnostic.uri === uri);
}

/** Answers questions from objects that are mistyped, unreadable, kept out of the cluster, or in other folders. */
function answersOf(state: ServiceState, analysis: Analysis): Answers {
  const { environment } = analysis;
  const asked = [
    meantAnswers(state.judged(environment), environment, presentFiles(state, environment)),
    unreadableAnswers(environment),
    folderAnswers(state, environment),
    state.keptOut.answers(analysis),
  ];
  return (question) => asked.some((answers) => answers(question));
}

export function allDiagnostics(
  state: ServiceState,
  environment: Environment,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const analysis = state.analysis(environment);
  for (const _ of state.judged(environment).compare());
  const kept = new Map<string, readonly Diagnostic[]>();
  for (const file of judgedFiles(environment)) {
    const found = diagnosticsOf(state, analysis, file);
    if (found.length > 0) kept.set(file.uri, found);
  }
  return kept;
}

/**
 * Judges, but first reads what findings ask of single files, so that the first findings need not wait for that. Yields often.
 */
export function* judge(
  state: ServiceState,
  environment: Environment,
  uri?: string,
): Generator<void> {
  yield* state.keptOut.read(state.analysis(environment));
  yield* state.judge(environment, uri);
}

/** Files whose findings may have changed since the last call. */
export function takeChanged(state: ServiceState, environment: Environment): readonly string[] {
  const files = new Set(state.judged(environment).takeChanged());
  const isIn = (uri: string): boolean => state.workspace.environmentOf(uri)?.id === environment.id;
  const answers = answersOf(state, state.analysis(environment));
  for (const uri of state.findings.askedOtherwise(isIn, answers)) files.add(uri);
  return [...files, ...linksTo(files, environment)];
}

/** Files whose findings a preview has changed. */
export function takeChangedByPreview(
  state: ServiceState,
  environment: Environment,
): readonly string[] {
  const files = new Set(state.judged(environment).takeChangedByPreview());
  return [...files, ...linksTo(files, environment)];
}

/** The links to these files: findings of a file are also shown in its links, if these are open. */
function linksTo(uris: ReadonlySet<string>, { files }: Environment): readonly string[] {
  return [...repeatedLinks(files)].flatMap(([link, { uri }]) => (uris.has(uri) ? link : []));
}
