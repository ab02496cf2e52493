/** What the service answers to extension, page and command line; `protocol/messages.ts` describes each reply. */
import type { Ref } from "../engine/api/meta.ts";
import type {
  Environment as EnvironmentReply,
  ExplainEventParams,
  ExplainEventReply,
  ExplainParams,
  ExplainReply,
  ImportClusterParams,
  ImportClusterReply,
  LocateParams,
  LocateReply,
  ObjectSource,
  OutcomeParams,
  OutcomeReply,
  Position,
  Range,
  SaveScenarioParams,
  SaveScenarioReply,
  ScenarioParams,
  ScenarioReply,
  StatusReply,
  UnreadableParams,
  UnreadableReply,
} from "../protocol/messages.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import { clusterImport } from "./features/cluster-import.ts";
import { explainEventText } from "./features/event-explanation.ts";
import { explanationPage, refusalPage } from "./features/explanation-page.ts";
import { outcome } from "./features/outcome.ts";
import { refOfReference, targetAt } from "./features/target.ts";
import { allDiagnostics } from "./findings/file-findings.ts";
import { keptOut } from "./findings/kept-out.ts";
import { clusterTitle } from "./prediction/cluster-title.ts";
import type { Prediction } from "./prediction/prediction.ts";
import { userOf } from "./prediction/predictor.ts";
import { type Source, sourceOf } from "./prediction/source-of.ts";
import { projectFileName } from "./project/project-file.ts";
import { saveScenario } from "./scenarios/save-scenario.ts";
import { isScenarioUri } from "./scenarios/scenario-file.ts";
import { runScenarioOf, type ScenarioReport } from "./scenarios/scenario-report.ts";
import type { ServiceState } from "./service-state.ts";
import { linesOf } from "./text-lines.ts";
import { type Environment, hasCluster } from "./workspace/environment.ts";
import { placeOf } from "./workspace/field-place.ts";
import { foundAt, linkNotWritten } from "./workspace/files/file-system.ts";
import { baseName } from "./workspace/files/uri.ts";
import { unreadableCount, unreadableDocuments } from "./workspace/unreadable-documents.ts";
import {
  documentStart,
  isRendered,
  type WorkspaceFile,
  type WorkspaceObject,
} from "./workspace/workspace-object.ts";
import { locate, underline } from "./yaml/locate.ts";
import { calledOf } from "./yaml/manifest.ts";

export function describe(state: ServiceState, environment: Environment): EnvironmentReply {
  const { assumed, profileFrom, version } = state.analysis(environment);
  const overlays = environment.kustomized.overlays.filter(({ isJudged }) => isJudged);
  return {
    id: environment.id,
    name: environment.name,
    folder: environment.id,
    profile: assumed.cluster.name,
    profileFrom,
    profileTitle: clusterTitle(environment, assumed),
    kubernetesVersion: version,
    ...(overlays.length > 0 && { overlays: overlays.map(({ folder }) => folder) }),
    objectCount: environment.objects.length,
    unreadableCount: unreadableCount(environment),
    revision: environment.revision,
  };
}

/** For the environment with the given id, else the file's, else the first that has a cluster; null if there is none. */
export function scenarioReply(
  state: ServiceState,
  { environment: id, uri }: ScenarioParams,
): ScenarioReply | null {
  const { workspace, fileSystem } = state;
  const chosen =
    (id === undefined ? undefined : workspace.environment(id)) ??
    (uri === undefined ? undefined : workspace.environmentOf(fileSystem.canonicalUri(uri))) ??
    state.environments().find(hasCluster);
  if (chosen === undefined || !hasCluster(chosen)) return null;
  return {
    environment: describe(state, chosen),
    scenario: state.analysis(chosen).scenario().scenario,
    sources: chosen.objects.flatMap(sourceOfObject),
  };
}

function lastPrediction(state: ServiceState, id: string): Prediction | undefined {
  const environment = state.workspace.environment(id);
  return environment === undefined ? undefined : state.judged(environment).lastPrediction();
}

export function outcomeReply(
  state: ServiceState,
  { environment }: OutcomeParams,
): OutcomeReply | null {
  const prediction = lastPrediction(state, environment);
  return prediction === undefined ? null : outcome(prediction);
}

export function locateObject(
  state: ServiceState,
  { environment, ref, field }: LocateParams,
): LocateReply | null {
  const prediction = lastPrediction(state, environment);
  const source = prediction && (sourceOf(prediction, ref, field) ?? sourceOfUser(prediction, ref));
  // The prediction may be of an older text, but the object's present place is wanted.
  const known = state.workspace.environment(environment);
  const present = known?.byRef.get(source?.entry.object.ref ?? "")?.at(-1);
  if (source === undefined || present === undefined) return null;
  const { file, ...span } = placeOf(present, source.path);
  return { uri: file.uri, range: linesOf(file.manifest).rangeOf(span) };
}

/** For a volume, where its claim is written; for an attachment, where its volume or the volume's claim is. */
function sourceOfUser(prediction: Prediction, ref: Ref): Source | undefined {
  const user = userOf(prediction, ref);
  if (user === undefined) return undefined;
  return sourceOf(prediction, user) ?? sourceOfUser(prediction, user);
}

export function unreadable(
  { workspace }: ServiceState,
  { environment: id }: UnreadableParams,
): UnreadableReply {
  const environment = workspace.environment(id);
  if (environment === undefined) return [];
  return unreadableDocuments(environment).map(({ file, why, ...span }) => ({
    uri: file.uri,
    range: linesOf(file.manifest).rangeOf(span),
    why,
  }));
}

export async function explainObject(
  state: ServiceState,
  params: ExplainParams,
  isCancelled?: () => boolean,
): Promise<ExplainReply | null> {
  const { workspace, fileSystem } = state;
  const environment =
    "environment" in params
      ? workspace.environment(params.environment)
      : workspace.environmentOf(fileSystem.canonicalUri(params.uri));
  if (environment === undefined) return null;
  const prediction = await state.predictPresent(environment, isCancelled);
  if (prediction === undefined) return null;
  const page =
    "ref" in params
      ? pageAbout(state, prediction, params.ref)
      : pageAt(state, prediction, fileSystem.canonicalUri(params.uri), params.position);
  return page === undefined ? null : { environment: describe(state, environment), ...page };
}

type ExplainedPage = Pick<ExplainReply, "ref" | "text">;

/** Undefined if the simulated cluster has no such object and none was refused. */
function pageAbout(
  state: ServiceState,
  prediction: Prediction,
  ref: Ref,
  entry = prediction.environment.byRef.get(ref)?.at(-1),
): ExplainedPage | undefined {
  const text =
    explanationPage(prediction, ref) ??
    (entry && refusalPage(prediction, entry, refusals(state, prediction)));
  return text === undefined ? undefined : { ref, text };
}

/** About the object that is referred to at the position, else about the object that the position is in. */
function pageAt(
  state: ServiceState,
  prediction: Prediction,
  uri: string,
  position: Position,
): ExplainedPage | undefined {
  const file = state.workspace.file(uri);
  if (file === undefined) return undefined;
  const offset = linesOf(file.manifest).offsetAt(position);
  const target = targetAt(prediction.environment, file, offset);
  if (target === undefined) return undefined;
  const { reference, built } = target;
  return (
    (reference && pageAbout(state, prediction, refOfReference(reference))) ??
    pageAbout(state, prediction, calledOf(built.object), built)
  );
}

/** All findings that keep objects out of the simulated cluster, including rules that the project switches off. Sorted. */
export function refusals(state: ServiceState, prediction: Prediction): readonly Diagnostic[] {
  const ofFile = (file: WorkspaceFile): readonly Diagnostic[] =>
    state.ownDiagnostics(file, prediction.environment, new Map());
  return keptOut(prediction, ofFile);
}

export async function explainPastedEvent(
  state: ServiceState,
  { text, uri }: ExplainEventParams,
  isCancelled?: () => boolean,
): Promise<ExplainEventReply> {
  const { workspace, fileSystem } = state;
  const environment =
    (uri === undefined ? undefined : workspace.environmentOf(fileSystem.canonicalUri(uri))) ??
    state.environments()[0];
  const prediction =
    environment === undefined ? undefined : await state.predictPresent(environment, isCancelled);
  return { text: explainEventText(text, prediction) };
}

/** An open editor's text of the project file takes precedence over the file on disk. */
export async function importCluster(
  { workspace, fileSystem }: ServiceState,
  { text, file, folder: given }: ImportClusterParams,
): Promise<ImportClusterReply> {
  const folder = given.replace(/\/$/, "");
  const uri = fileSystem.canonicalUri(`${folder}/${projectFileName}`);
  const project = workspace.file(uri)?.manifest.text ?? (await fileSystem.readFile(uri));
  const reply = clusterImport(text, file, { folder, project });
  for (const one of reply.files) {
    const { skipped } = await foundAt(one.uri, [folder, ...workspace.folders], fileSystem);
    if (skipped !== undefined) {
      const problem = `${baseName(one.uri)} ${linkNotWritten}`;
      return { ...reply, objectCount: 0, nodeCount: 0, problems: [problem], files: [] };
    }
  }
  return reply;
}

/** Undefined if there is no such scenario file, or if `isStale` became true before the end. */
export async function runScenario(
  state: ServiceState,
  uri: string,
  isStale?: () => boolean,
): Promise<ScenarioReport | undefined> {
  const { workspace, settings } = state;
  const file = workspace.file(uri);
  const environment = workspace.environmentOf(uri);
  if (file === undefined || environment === undefined || !isScenarioUri(uri)) return undefined;
  return (await state.drive(runScenarioOf(file, environment, settings), isStale))?.end;
}

export async function saveScenarioFile(
  state: ServiceState,
  { environment: id, steps }: SaveScenarioParams,
  isStale?: () => boolean,
): Promise<SaveScenarioReply | null> {
  const environment = state.workspace.environment(id);
  if (environment === undefined) return null;
  const work = saveScenario(environment, state.analysis(environment).scenario(), steps);
  return (await state.drive(work, isStale))?.end ?? null;
}

export function status(state: ServiceState): StatusReply {
  const environments = state.environments();
  const counts: Record<string, number> = { error: 0, warning: 0, information: 0, hint: 0 };
  for (const environment of environments) {
    for (const { severity } of [...allDiagnostics(state, environment).values()].flat()) {
      counts[severity] = (counts[severity] ?? 0) + 1;
    }
  }
  return {
    environments: environments.map((environment) => describe(state, environment)),
    fileCount: state.workspace.fileCount,
    objectCount: environments.reduce((sum, { objects }) => sum + objects.length, 0),
    diagnosticCounts: counts,
    predicted: environments
      .filter((environment) => state.judged(environment).prediction() !== undefined)
      .map(({ id }) => id),
    recalled: [...state.recalled],
    limits: environments.flatMap((environment) => {
      const limit = state.judged(environment).prediction()?.limit;
      return limit === undefined ? [] : [{ environment: environment.id, limit }];
    }),
    islands: environments.map((environment) => ({
      environment: environment.id,
      ...state.judged(environment).counts(),
    })),
    timings: state.timings,
  };
}

function sourceOfObject(entry: WorkspaceObject): readonly ObjectSource[] {
  const { object, document, file } = entry;
  if (object.ref === undefined) return [];
  const lines = linesOf(file.manifest);
  const offset = documentStart(entry);
  const inFile = ({ start, end }: { readonly start: number; readonly end: number }): Range =>
    lines.rangeOf({ start: start + offset, end: end + offset });
  if (isRendered(entry)) {
    const { file: at, ...span } = placeOf(entry, ["metadata", "name"]);
    const range = linesOf(at.manifest).rangeOf(span);
    return [{ ref: object.ref, uri: at.uri, range, nameRange: range }];
  }
  const whole = locate(document.yaml, object.path).value;
  const name = underline(document.yaml, [...object.path, "metadata", "name"]);
  return [{ ref: object.ref, uri: file.uri, range: inFile(whole), nameRange: inFile(name) }];
}
