/** What the service answers to the extension, the simulation page and the command line. `protocol/messages.ts` says what each is. */
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
  Position,
  Range,
  SaveScenarioParams,
  SaveScenarioReply,
  ScenarioParams,
  ScenarioReply,
  StatusReply,
} from "../protocol/messages.ts";
import { clusterImport } from "./features/cluster-import.ts";
import { explainEventText } from "./features/event-explanation.ts";
import { explanationPage } from "./features/explanation-page.ts";
import { refOfReference, targetAt } from "./features/target.ts";
import { allDiagnostics } from "./file-findings.ts";
import { clusterTitle } from "./prediction/cluster-title.ts";
import { sourceOf } from "./prediction/source-of.ts";
import { projectFileName } from "./project/project-file.ts";
import { saveScenario } from "./scenarios/save-scenario.ts";
import { isScenarioUri } from "./scenarios/scenario-file.ts";
import { runScenarioOf, type ScenarioReport } from "./scenarios/scenario-report.ts";
import type { ServiceState } from "./service-state.ts";
import { linesOf } from "./text-lines.ts";
import type { Environment } from "./workspace/environment.ts";
import { placeOf } from "./workspace/field-place.ts";
import { documentStart, type WorkspaceObject } from "./workspace/workspace-object.ts";
import { locate, underline } from "./yaml/locate.ts";

export function describe(state: ServiceState, environment: Environment): EnvironmentReply {
  const { assumed, profileFrom, version } = state.analysis(environment);
  return {
    id: environment.id,
    name: environment.name,
    folder: environment.id,
    profile: assumed.cluster.name,
    profileFrom,
    profileTitle: clusterTitle(environment, assumed),
    kubernetesVersion: version,
    objectCount: environment.objects.length,
    revision: environment.revision,
  };
}

/** Of the environment that is named, else of the file's, else of the first one. */
export function scenarioReply(
  state: ServiceState,
  { environment: id, uri }: ScenarioParams,
): ScenarioReply | null {
  const { workspace, fileSystem } = state;
  const chosen =
    (id === undefined ? undefined : workspace.environment(id)) ??
    (uri === undefined ? undefined : workspace.environmentOf(fileSystem.canonicalUri(uri))) ??
    state.environments()[0] ??
    workspace.environments().find(({ imported }) => imported !== undefined);
  // A cluster that runs can be looked at before anybody writes a manifest for it.
  if (chosen === undefined || (chosen.objects.length === 0 && chosen.imported === undefined))
    return null;
  return {
    environment: describe(state, chosen),
    scenario: state.analysis(chosen).scenario().scenario,
    sources: chosen.objects.flatMap(sourceOfObject),
  };
}

export function locateObject(
  state: ServiceState,
  { environment, ref, field }: LocateParams,
): LocateReply | null {
  const { workspace } = state;
  const known = workspace.environment(environment);
  const prediction = known === undefined ? undefined : state.judged(known).lastPrediction();
  const source = prediction === undefined ? undefined : sourceOf(prediction, ref, field);
  // The prediction may be of an older text; the object's present place is wanted.
  const present = known?.byRef.get(source?.entry.object.ref ?? "")?.at(-1);
  if (source === undefined || present === undefined) return null;
  const { file, ...span } = placeOf(present, source.path);
  return { uri: file.uri, range: linesOf(file.manifest).rangeOf(span) };
}

export async function explainObject(
  state: ServiceState,
  params: ExplainParams,
): Promise<ExplainReply | null> {
  const { workspace, fileSystem } = state;
  const uri = "uri" in params ? fileSystem.canonicalUri(params.uri) : undefined;
  const environment =
    "environment" in params
      ? workspace.environment(params.environment)
      : workspace.environmentOf(uri ?? "");
  if (environment === undefined) return null;
  const prediction = await state.predictPresent(environment);
  const ref = "ref" in params ? params.ref : refAt(state, uri ?? "", params.position);
  if (prediction === undefined || ref === undefined) return null;
  const text = explanationPage(prediction, ref);
  return text === undefined ? null : { environment: describe(state, environment), ref, text };
}

export async function explainPastedEvent(
  state: ServiceState,
  { text, uri }: ExplainEventParams,
): Promise<ExplainEventReply> {
  const { workspace, fileSystem } = state;
  const environment =
    (uri === undefined ? undefined : workspace.environmentOf(fileSystem.canonicalUri(uri))) ??
    state.environments()[0];
  const prediction =
    environment === undefined ? undefined : await state.predictPresent(environment);
  return { text: explainEventText(text, prediction) };
}

/** What an editor has open of the project file counts. */
export async function importCluster(
  { workspace, fileSystem }: ServiceState,
  { text, file, folder: given }: ImportClusterParams,
): Promise<ImportClusterReply> {
  const folder = given.replace(/\/$/, "");
  const uri = fileSystem.canonicalUri(`${folder}/${projectFileName}`);
  const project = workspace.file(uri)?.manifest.text ?? (await fileSystem.readFile(uri));
  return clusterImport(text, file, { folder, project });
}

function refAt({ workspace }: ServiceState, uri: string, position: Position): Ref | undefined {
  const file = workspace.file(uri);
  if (file === undefined) return undefined;
  const environment = workspace.environmentOf(uri);
  if (environment === undefined) return undefined;
  const target = targetAt(environment, file, linesOf(file.manifest).offsetAt(position));
  return target?.reference === undefined
    ? target?.built.object.ref
    : refOfReference(target.reference);
}

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
  const whole = locate(document.yaml, object.path).value;
  const name = underline(document.yaml, [...object.path, "metadata", "name"]);
  return [{ ref: object.ref, uri: file.uri, range: inFile(whole), nameRange: inFile(name) }];
}
