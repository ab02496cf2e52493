/**
 * Everything the language server can do, without the Language Server Protocol: the command line and the tests use it the
 * same way. Boundary of the language server.
 */
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
import type { Analysis } from "./analysis.ts";
import { keptOut } from "./diagnostics/kept-out.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import { clusterImport } from "./features/cluster-import.ts";
import { explainEventText } from "./features/event-explanation.ts";
import { explanationPage } from "./features/explanation-page.ts";
import { refOfReference, targetAt } from "./features/target.ts";
import { allDiagnostics, fileDiagnostics } from "./file-findings.ts";
import type { WorkLeft } from "./islands/judged-environment.ts";
import { clusterTitle } from "./prediction/cluster-title.ts";
import type { Pause, Prediction } from "./prediction/predictor.ts";
import type { PredictionSettings } from "./prediction/scenario-of.ts";
import { sourceOf } from "./prediction/source-of.ts";
import { projectFileName } from "./project/project-file.ts";
import { saveScenario } from "./scenarios/save-scenario.ts";
import { isScenarioUri } from "./scenarios/scenario-file.ts";
import {
  runScenarioOf,
  type ScenarioReport,
  scenarioFilesOf,
} from "./scenarios/scenario-report.ts";
import { mattersWithoutObjects, ServiceState } from "./service-state.ts";
import { linesOf } from "./text-lines.ts";
import type { Exclusions } from "./workspace/excluded-files.ts";
import { placeOf } from "./workspace/field-place.ts";
import type { FileSystem } from "./workspace/file-system.ts";
import type { SchemaAssociations } from "./workspace/schema-files.ts";
import {
  documentStart,
  type Environment,
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "./workspace/workspace.ts";
import type { LoadProgress } from "./workspace/workspace-reader.ts";
import { locate, underline } from "./yaml/locate.ts";
import { documentAt } from "./yaml/manifest-file.ts";

export interface ServiceOptions {
  readonly fileSystem: FileSystem;
  /** The next turn of the event loop. */
  readonly pause: Pause;
  /** Up to so many objects are judged together, and always all where it is infinite; see islands/parting.ts for the default. */
  readonly smallEnvironment?: number;
  /** A run that keeps more is ended, before there is no memory left; without end where absent. */
  readonly traceBytesMax?: number;
}

export interface ServiceSettings extends PredictionSettings {
  /** The YAML language server's setting `yaml.schemas`, where it runs beside us and tells structural errors. */
  readonly yamlSchemas?: SchemaAssociations;
  /** The editor's setting `files.exclude`. */
  readonly exclude?: Exclusions;
  /** Files with the objects of a cluster that runs, in place of those that project files name. */
  readonly imports?: readonly string[];
}

export interface LanguageService {
  /** Reads all manifests of the folders; what editors have open stays. */
  loadFolders(folders: readonly string[], progress?: LoadProgress): Promise<void>;
  /** The same folders again, after settings have changed. */
  rereadFolders(): Promise<void>;
  /** Reads files that have come into the folders, and forgets those that are gone; what else is known stays as it is. */
  syncFolders(): Promise<void>;
  /** Reads single known files anew, or forgets those that are gone. */
  reloadFiles(uris: readonly string[]): Promise<void>;
  /** Whether claimcheck.yaml names a file that nobody has read yet. */
  hasUnreadImports(): boolean;
  readImports(): Promise<void>;
  setEditorText(uri: string, text: string): void;
  closeEditor(uri: string): void;
  /** Whether folders are being read: what is known is not all there is. */
  isLoading(): boolean;
  /** Says whether other files are to be read than before, by `loadFolders`. */
  configure(settings: ServiceSettings): boolean;

  /** Those that hold objects or a project file, by folder. */
  environments(): readonly Environment[];
  environment(id: string): Environment | undefined;
  /** Of all files that hold objects, or should; in no particular order. */
  manifestUris(): readonly string[];
  environmentOf(uri: string): Environment | undefined;
  file(uri: string): WorkspaceFile | undefined;
  /** Undefined where the file is in no environment. Knows the names of files that are still to be read. */
  analysisOf(uri: string): Analysis | undefined;
  /** While folders are being read: those files first that give the name at a place, or all in which it stands. */
  readAhead(uri: string, offset: number, what: "definitions" | "uses"): Promise<void>;
  analysis(environment: Environment): Analysis;

  /** Runs the engine; undefined where `isStale` became true before the end, at once where the result is known. */
  predict(environment: Environment, isStale?: () => boolean): Promise<Prediction | undefined>;
  /** The last prediction, if it is of the environment's present state. */
  prediction(environment: Environment): Prediction | undefined;

  /** The newest there is, which may be of an earlier state of the files. */
  lastPrediction(environment: Environment): Prediction | undefined;

  /** Of a file, with all that its objects have to do with others, and what has been predicted. Sorted. */
  diagnostics(uri: string): readonly Diagnostic[];
  /** What is known of a file now; of objects that wait to be judged, what was known of them last. Sorted. */
  knownDiagnostics(uri: string): readonly Diagnostic[];
  /** Of all files, what is not in the simulated cluster because it is refused, whether or not the project wants to hear of it. */
  keptOut(prediction: Prediction): readonly Diagnostic[];
  /** Of all files that have any. */
  environmentDiagnostics(environment: Environment): ReadonlyMap<string, readonly Diagnostic[]>;
  /** Asks the rules that compare objects, where their answer is not known. Yields often. */
  compare(environment: Environment): Iterable<void>;
  /**
   * The work that is left until all is known of a file, or of all files: rules that compare objects, then the engine. Yields
   * often; whoever drives it may stop at any time.
   */
  judge(environment: Environment, uri?: string): Iterable<void>;
  /**
   * Where a run of everything would take long: what the edits since the last one change, as far as they reach, beside what all
   * others have become in it. Found among what is known until all is known. Yields often.
   */
  preview(environment: Environment): Iterable<void>;
  canPreview(environment: Environment): boolean;
  hasPreview(environment: Environment): boolean;
  /** What the preview has come to for the objects at a place; undefined where it does not tell of them. */
  previewAt(environment: Environment, file: WorkspaceFile, offset: number): Prediction | undefined;
  /** Makes ready for previews of edits to come. Yields often. */
  preparePreviews(environment: Environment): Iterable<void>;
  /** How much that is: of a file, or of all. */
  workLeft(environment: Environment, uri?: string): WorkLeft;
  /** Our own bugs in what was judged, each once: the islands that they are in say nothing. */
  takeFailures(environment: Environment): readonly unknown[];
  /** Files whose findings may have changed since this was asked last. */
  takeChanged(environment: Environment): readonly string[];
  /** Those of them that a preview tells something else of. */
  takeChangedByPreview(environment: Environment): readonly string[];

  describe(environment: Environment): EnvironmentReply;
  scenario(params: ScenarioParams): ScenarioReply | null;
  /** Where an object or its field is written, as predicted; null where no file brings it about. */
  locate(params: LocateParams): LocateReply | null;
  /** Waits for the prediction; null where there is no such object. */
  explain(params: ExplainParams): Promise<ExplainReply | null>;
  /** Waits for the prediction; without files the messages alone are explained. */
  explainEvent(params: ExplainEventParams): Promise<ExplainEventReply>;
  importCluster(params: ImportClusterParams): Promise<ImportClusterReply>;
  status(): StatusReply;
  /** All `*.scenario.yaml`, by place. */
  scenarioFiles(): readonly WorkspaceFile[];
  /** Undefined where there is no such file, or where `isStale` became true before the end. */
  runScenario(uri: string, isStale?: () => boolean): Promise<ScenarioReport | undefined>;
  /** What was done on the simulation page, as a scenario file that is not there yet; null where the environment is gone. */
  saveScenario(
    params: SaveScenarioParams,
    isStale?: () => boolean,
  ): Promise<SaveScenarioReply | null>;
  canonicalUri(uri: string): string;
}

export function createLanguageService(options: ServiceOptions): LanguageService {
  const state = new ServiceState(options);
  const { workspace, reader } = state;
  return Object.freeze({
    loadFolders: (folders: readonly string[], progress?: LoadProgress) =>
      state.loadFolders(folders, progress),
    rereadFolders: () => state.loadFolders(workspace.folders),
    syncFolders: () => reader.syncFolders(),
    reloadFiles: (uris: readonly string[]) => reader.reloadFiles(uris),
    hasUnreadImports: () => reader.hasUnreadImports(),
    readImports: () => reader.readImports(),
    setEditorText: (uri: string, text: string) => workspace.setEditorText(uri, text),
    closeEditor: (uri: string) => workspace.closeEditor(uri),
    isLoading: () => reader.isLoading,
    configure: (settings: ServiceSettings) => state.configure(settings),
    environments: () => state.environments(),
    environment: (id: string) => workspace.environment(id),
    manifestUris: () =>
      state
        .environments()
        .flatMap(({ files }) =>
          files.flatMap((file) => (mattersWithoutObjects(file) ? [file.uri] : [])),
        ),
    environmentOf: (uri: string) => workspace.environmentOf(uri),
    file: (uri: string) => workspace.file(uri),
    analysis: (environment: Environment) => state.analysis(environment),
    analysisOf: (uri: string) => {
      const analysis = state.analysisOf(uri);
      return analysis === undefined ? undefined : state.withUnreadNames(analysis);
    },
    readAhead: (uri: string, offset: number, what: "definitions" | "uses") =>
      state.readAhead(uri, offset, what),
    predict: (environment: Environment, isStale?: () => boolean) =>
      state.predict(environment, isStale),
    prediction: (environment: Environment) => state.judged(environment).prediction(),
    lastPrediction: (environment: Environment) => state.judged(environment).lastPrediction(),
    diagnostics: (uri: string) => {
      const environment = workspace.environmentOf(uri);
      if (environment !== undefined) for (const _ of state.judged(environment).compare());
      return fileDiagnostics(state, uri);
    },
    knownDiagnostics: (uri: string) => fileDiagnostics(state, uri),
    compare: (environment: Environment) => state.judged(environment).compare(),
    judge: (environment: Environment, uri?: string) => state.judge(environment, uri),
    preview: (environment: Environment) => state.preview(environment),
    canPreview: (environment: Environment) => state.judged(environment).canPreview,
    hasPreview: (environment: Environment) => state.judged(environment).hasPreview,
    previewAt: (environment: Environment, file: WorkspaceFile, offset: number) => {
      const index = documentAt(file.manifest, offset)?.index;
      const there = objectsOfFile(file).filter(({ documentIndex }) => documentIndex === index);
      return state.judged(environment).previewOf(there);
    },
    preparePreviews: (environment: Environment) => state.judged(environment).prepare(),
    workLeft: (environment: Environment, uri?: string) => state.judged(environment).workLeft(uri),
    takeFailures: (environment: Environment) => state.judged(environment).takeFailures(),
    takeChanged: (environment: Environment) => state.judged(environment).takeChanged(),
    takeChangedByPreview: (environment: Environment) =>
      state.judged(environment).takeChangedByPreview(),
    keptOut: (prediction: Prediction) =>
      keptOut(prediction, (file) => state.ownDiagnostics(file, prediction.environment, new Map())),
    environmentDiagnostics: (environment: Environment) => allDiagnostics(state, environment),
    describe: (environment: Environment) => describe(state, environment),
    scenario: (params: ScenarioParams) => scenarioReply(state, params),
    locate: (params: LocateParams) => locateObject(state, params),
    explain: (params: ExplainParams) => explainObject(state, params),
    explainEvent: (params: ExplainEventParams) => explainPastedEvent(state, params),
    importCluster: (params: ImportClusterParams) => importCluster(state, params),
    status: () => status(state),
    scenarioFiles: () => workspace.environments().flatMap(scenarioFilesOf),
    runScenario: (uri: string, isStale?: () => boolean) => runScenario(state, uri, isStale),
    saveScenario: (params: SaveScenarioParams, isStale?: () => boolean) =>
      saveScenarioFile(state, params, isStale),
    canonicalUri: (uri: string) => options.fileSystem.canonicalUri(uri),
  });
}

function describe(state: ServiceState, environment: Environment): EnvironmentReply {
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
function scenarioReply(
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

function locateObject(
  state: ServiceState,
  { environment, ref, field }: LocateParams,
): LocateReply | null {
  const { workspace } = state;
  const known = workspace.environment(environment);
  const prediction = known === undefined ? undefined : state.judged(known).lastPrediction();
  const source = prediction === undefined ? undefined : sourceOf(prediction, ref, field);
  // The prediction may be of an older text; the object's present place is wanted.
  const present =
    source?.entry.object.ref === undefined
      ? undefined
      : workspace.environment(environment)?.byRef.get(source.entry.object.ref)?.at(-1);
  if (source === undefined || present === undefined) return null;
  const { file, ...span } = placeOf(present, source.path);
  return { uri: file.uri, range: linesOf(file.manifest).rangeOf(span) };
}

async function explainObject(
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

async function explainPastedEvent(
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
async function importCluster(
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

async function runScenario(
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

async function saveScenarioFile(
  state: ServiceState,
  { environment: id, steps }: SaveScenarioParams,
  isStale?: () => boolean,
): Promise<SaveScenarioReply | null> {
  const environment = state.workspace.environment(id);
  if (environment === undefined) return null;
  const work = saveScenario(environment, state.analysis(environment).scenario(), steps);
  return (await state.drive(work, isStale))?.end ?? null;
}

function status(state: ServiceState): StatusReply {
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
