/**
 * Everything that the language server can do, without the Language Server Protocol: the boundary of this layer. The command line
 * and the tests use it just as the server does.
 */
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
  OutcomeParams,
  OutcomeReply,
  SaveScenarioParams,
  SaveScenarioReply,
  ScenarioParams,
  ScenarioReply,
  StatusReply,
  UnreadableParams,
  UnreadableReply,
} from "../protocol/messages.ts";
import type { Analysis } from "./analysis.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import {
  allDiagnostics,
  fileDiagnostics,
  judge,
  takeChanged,
  takeChangedByPreview,
} from "./findings/file-findings.ts";
import type { WorkLeft } from "./islands/judged-environment.ts";
import type { Prediction } from "./prediction/prediction.ts";
import {
  describe,
  explainObject,
  explainPastedEvent,
  importCluster,
  locateObject,
  outcomeReply,
  refusals,
  runScenario,
  saveScenarioFile,
  scenarioReply,
  status,
  unreadable,
} from "./replies.ts";
import { type ScenarioReport, scenarioFilesOf } from "./scenarios/scenario-report.ts";
import type { ServiceOptions, ServiceSettings } from "./service-options.ts";
import { ServiceState } from "./service-state.ts";
import type { TextStorage } from "./storage/text-storage.ts";
import type { Environment } from "./workspace/environment.ts";
import { objectsOfFile, type WorkspaceFile } from "./workspace/workspace-object.ts";
import type { LoadProgress } from "./workspace/workspace-reader.ts";
import { documentAt } from "./yaml/manifest-file.ts";

/** The manifests of all folders, by environment. */
interface Manifests {
  /** Reads all manifests of the folders. Files that are open in an editor keep the editor's text. */
  loadFolders(folders: readonly string[], progress?: LoadProgress): Promise<void>;
  /** Reads the same folders again, after settings have changed. */
  rereadFolders(): Promise<void>;
  /** Reads files that were added to the folders, and forgets those that were removed; all others stay as they are. */
  syncFolders(): Promise<void>;
  /** Reads single known files anew, or forgets those that are gone. */
  reloadFiles(uris: readonly string[]): Promise<void>;
  /** Whether claimcheck.yaml names a file that nobody has read yet. */
  hasUnreadImports(): boolean;
  readImports(): Promise<void>;
  setEditorText(uri: string, text: string): void;
  closeEditor(uri: string): void;
  /** Whether folders are still being read, so that not everything is known yet. */
  isLoading(): boolean;
  canonicalUri(uri: string): string;

  /** Those that hold objects, or should, sorted by folder. */
  environments(): readonly Environment[];
  environment(id: string): Environment | undefined;
  /** The files that hold objects, or should, in no particular order. */
  manifestUris(): readonly string[];
  /** All project files, including those with no manifest beside them. */
  projectUris(): readonly string[];
  environmentOf(uri: string): Environment | undefined;
  /** Ids of the other environments whose charts the file is a part of. */
  madeOf(uri: string): readonly string[];
  file(uri: string): WorkspaceFile | undefined;
  /** Frees what is kept of an environment that no longer exists. */
  forget(id: string): void;
  /** Undefined where the file is in no environment. Includes the names in files that are still to be read. */
  analysisOf(uri: string): Analysis | undefined;
  /** While folders are being read: reads first the files that define the name at a place, or all that contain it. */
  readAhead(uri: string, offset: number, what: "definitions" | "uses"): Promise<void>;
  analysis(environment: Environment): Analysis;
}

/** What becomes of the objects, as far as it is known, and the work that remains until everything is known. */
interface Judging {
  /** Runs the engine, unless the result is known already. Undefined if `isStale` became true before the end. */
  predict(environment: Environment, isStale?: () => boolean): Promise<Prediction | undefined>;
  /** The last prediction, if it is of the environment's present state. */
  prediction(environment: Environment): Prediction | undefined;
  /** The newest there is, which may be of an earlier state of the files. */
  lastPrediction(environment: Environment): Prediction | undefined;

  /** The findings of a file as far as they are known now, sorted. Objects that wait to be judged keep their last ones. */
  knownDiagnostics(uri: string): readonly Diagnostic[];
  /**
   * In all files, the findings that keep an object out of the simulated cluster, whether or not the project has them
   * switched off.
   */
  keptOut(prediction: Prediction): readonly Diagnostic[];
  /** By file, for all files that have any. */
  environmentDiagnostics(environment: Environment): ReadonlyMap<string, readonly Diagnostic[]>;
  /** Runs the rules that compare objects, as far as their findings are not known. Yields often. */
  compare(environment: Environment): Generator<void>;
  /**
   * Does the work that remains until everything is known of a file, or of all files: the rules that compare objects, then the
   * engine. Yields often; the caller may stop at any time.
   */
  judge(environment: Environment, uri?: string): Generator<void>;
  /**
   * Where a run of everything takes long: works out what the edits since the last run change, while everything else is taken to
   * be as that run left it. The result is used until the next run has ended. Yields often.
   */
  preview(environment: Environment): Generator<void>;
  canPreview(environment: Environment): boolean;
  hasPreview(environment: Environment): boolean;
  /** The preview's result for the objects at a place; undefined where it does not cover them. */
  previewAt(environment: Environment, file: WorkspaceFile, offset: number): Prediction | undefined;
  /** Prepares what the next edits will need. Yields often. */
  prepare(environment: Environment): Generator<void>;
  /** Takes up the results that an earlier process has kept for the same files, until they have been judged anew. */
  recall(): Promise<void>;
  /** Keeps the results for the next start, if the files are as on disk. Yields often. */
  keep(environment: Environment): Generator<void>;
  /** How many objects `judge` still has to look at: those of a file, or all. */
  workLeft(environment: Environment, uri?: string): WorkLeft;
  /** Errors of our own that judging has run into, each once. The islands in which they happened have no findings. */
  takeFailures(environment: Environment): readonly unknown[];
  /** Files whose findings may have changed since the last call. */
  takeChanged(environment: Environment): readonly string[];
  /** Those for which a preview has other findings than before. */
  takeChangedByPreview(environment: Environment): readonly string[];
}

/** What the extension, the page, other clients and the command line ask. */
interface Replies {
  describe(environment: Environment): EnvironmentReply;
  scenario(params: ScenarioParams): ScenarioReply | null;
  /** Of the newest prediction; null where there is none. */
  outcome(params: OutcomeParams): OutcomeReply | null;
  /** Where an object or its field is written, as predicted; null where no file brings it about. */
  locate(params: LocateParams): LocateReply | null;
  /** Documents that cannot be read; none where the environment no longer exists. */
  unreadable(params: UnreadableParams): UnreadableReply;
  /** Waits for the prediction; null where there is no such object, or once it is cancelled. */
  explain(params: ExplainParams, isCancelled?: () => boolean): Promise<ExplainReply | null>;
  /** Waits for the prediction; without files the messages alone are explained. */
  explainEvent(params: ExplainEventParams, isCancelled?: () => boolean): Promise<ExplainEventReply>;
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
}

export interface LanguageService extends Manifests, Judging, Replies {
  /** Returns whether `loadFolders` would now read other files than before. */
  configure(settings: ServiceSettings): boolean;
  /** Sets where results are kept for the next start; without it nothing is kept. */
  keepIn(storage: TextStorage): void;
}

export function createLanguageService(options: ServiceOptions): LanguageService {
  const state = new ServiceState(options);
  const { workspace, reader } = state;
  const service: LanguageService = {
    loadFolders: (folders, progress) => state.loadFolders(folders, progress),
    rereadFolders: () => state.loadFolders(workspace.folders),
    syncFolders: () => reader.syncFolders(),
    reloadFiles: (uris) => reader.reloadFiles(uris),
    hasUnreadImports: () => reader.hasUnreadImports(),
    readImports: () => reader.readImports(),
    setEditorText: (uri, text) => workspace.setEditorText(uri, text),
    closeEditor: (uri) => workspace.closeEditor(uri),
    isLoading: () => reader.isLoading,
    configure: (settings) => state.configure(settings),
    environments: () => state.environments(),
    environment: (id) => workspace.environment(id),
    manifestUris: () => state.manifestUris(),
    projectUris: () => workspace.projectUris(),
    environmentOf: (uri) => workspace.environmentOf(uri),
    madeOf: (uri) => workspace.madeOf(uri),
    file: (uri) => workspace.file(uri),
    forget: (id) => state.forget(id),
    analysis: (environment) => state.analysis(environment),
    analysisOf: (uri) => {
      const analysis = state.analysisOf(uri);
      return analysis === undefined ? undefined : state.withUnreadNames(analysis);
    },
    readAhead: (uri, offset, what) => state.readAhead(uri, offset, what),
    predict: (environment, isStale) => state.predict(environment, isStale),
    prediction: (environment) => state.judged(environment).prediction(),
    lastPrediction: (environment) => state.judged(environment).lastPrediction(),
    knownDiagnostics: (uri) => fileDiagnostics(state, uri),
    compare: (environment) => state.judged(environment).compare(),
    judge: (environment, uri) => judge(state, environment, uri),
    preview: (environment) => state.preview(environment),
    canPreview: (environment) => state.judged(environment).canPreview,
    hasPreview: (environment) => state.judged(environment).hasPreview,
    previewAt: (environment, file, offset) => {
      const index = documentAt(file.manifest, offset)?.index;
      const there =
        index === undefined
          ? environment.charts.renderedIn(file.uri)
          : objectsOfFile(file).filter(({ documentIndex }) => documentIndex === index);
      return state.judged(environment).previewOf(there);
    },
    prepare: (environment) => state.judged(environment).prepare(),
    keepIn: (storage) => state.keepIn(storage),
    recall: () => state.recall(),
    keep: (environment) => state.keep(environment),
    workLeft: (environment, uri) => state.judged(environment).workLeft(uri),
    takeFailures: (environment) => state.judged(environment).takeFailures(),
    takeChanged: (environment) => takeChanged(state, environment),
    takeChangedByPreview: (environment) => takeChangedByPreview(state, environment),
    keptOut: (prediction) => refusals(state, prediction),
    environmentDiagnostics: (environment) => allDiagnostics(state, environment),
    describe: (environment) => describe(state, environment),
    scenario: (params) => scenarioReply(state, params),
    outcome: (params) => outcomeReply(state, params),
    locate: (params) => locateObject(state, params),
    unreadable: (params) => unreadable(state, params),
    explain: (params, isCancelled) => explainObject(state, params, isCancelled),
    explainEvent: (params, isCancelled) => explainPastedEvent(state, params, isCancelled),
    importCluster: (params) => importCluster(state, params),
    status: () => status(state),
    scenarioFiles: () => workspace.environments().flatMap(scenarioFilesOf),
    runScenario: (uri, isStale) => runScenario(state, uri, isStale),
    saveScenario: (params, isStale) => saveScenarioFile(state, params, isStale),
    canonicalUri: (uri) => options.fileSystem.canonicalUri(uri),
  };
  return Object.freeze(service);
}
