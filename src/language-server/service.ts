/**
 * The boundary of this layer: everything that the language server can do, without the Language Server Protocol. The command
 * line and the tests use it in the same way as the server.
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
  /** Reads all manifests of the folders. Open files keep their editor's text. */
  loadFolders(folders: readonly string[], progress?: LoadProgress): Promise<void>;
  /** Reads the same folders again, after settings have changed. */
  rereadFolders(): Promise<void>;
  /** Reads files that were added to the folders and forgets those that were removed; leaves all others alone. */
  syncFolders(): Promise<void>;
  /** Rereads single known files, or forgets those that are gone. */
  reloadFiles(uris: readonly string[]): Promise<void>;
  /** True if claimcheck.yaml names a file that has not been read yet. */
  hasUnreadImports(): boolean;
  readImports(): Promise<void>;
  setEditorText(uri: string, text: string): void;
  closeEditor(uri: string): void;
  /** True while folders are being read, so that not everything is known yet. */
  isLoading(): boolean;
  canonicalUri(uri: string): string;

  /** The environments that hold objects, or should, sorted by folder. */
  environments(): readonly Environment[];
  environment(id: string): Environment | undefined;
  /** The files that hold objects, or should, in no particular order. */
  manifestUris(): readonly string[];
  /** All project files, including those with no manifest beside them. */
  projectUris(): readonly string[];
  environmentOf(uri: string): Environment | undefined;
  /** Ids of the other environments whose charts include the file. */
  madeOf(uri: string): readonly string[];
  file(uri: string): WorkspaceFile | undefined;
  /** Frees what is kept for an environment that no longer exists. */
  forget(id: string): void;
  /** Undefined if the file is in no environment. Includes the names in files that have not been read yet. */
  analysisOf(uri: string): Analysis | undefined;
  /** While folders are being read: first reads the files that define the name at a place, or for `uses` contain it. */
  readAhead(uri: string, offset: number, what: "definitions" | "uses"): Promise<void>;
  analysis(environment: Environment): Analysis;
}

/** What becomes of the objects, as far as it is known yet, and the work that remains. */
interface Judging {
  /** Runs the engine unless the result is known. Undefined if `isStale` became true before the end. */
  predict(environment: Environment, isStale?: () => boolean): Promise<Prediction | undefined>;
  /** The last prediction; undefined if the environment has changed since. */
  prediction(environment: Environment): Prediction | undefined;
  /** The newest prediction, which may be of an earlier state of the files. */
  lastPrediction(environment: Environment): Prediction | undefined;

  /** The findings of a file as far as they are known now, sorted. Objects that still have to be judged keep their last ones. */
  knownDiagnostics(uri: string): readonly Diagnostic[];
  /** All findings that keep objects out of the simulated cluster, including rules that the project switches off. */
  keptOut(prediction: Prediction): readonly Diagnostic[];
  /** By file; only files that have findings. */
  environmentDiagnostics(environment: Environment): ReadonlyMap<string, readonly Diagnostic[]>;
  /** Runs the rules that compare objects, unless their findings are known. Yields often. */
  compare(environment: Environment): Generator<void>;
  /**
   * Does the work that remains until everything is known about one file, or all files: first the rules that compare objects,
   * then the engine. Yields often; the caller may stop at any time.
   */
  judge(environment: Environment, uri?: string): Generator<void>;
  /**
   * Where a run of everything takes long: works out what the edits since the last run change, assuming that everything else
   * stays as that run left it. The result is used until the next run has ended. Yields often.
   */
  preview(environment: Environment): Generator<void>;
  canPreview(environment: Environment): boolean;
  hasPreview(environment: Environment): boolean;
  /** The preview's result for the objects at a place; undefined where it does not cover them. */
  previewAt(environment: Environment, file: WorkspaceFile, offset: number): Prediction | undefined;
  /** Prepares what the next edits need. Yields often. */
  prepare(environment: Environment): Generator<void>;
  /** Takes up the results that an earlier process kept for the same files, until they are judged anew. */
  recall(): Promise<void>;
  /** Keeps the results for the next start, if all files are as on disk. Yields often. */
  keep(environment: Environment): Generator<void>;
  /** How many objects `judge` still has to look at, in one file or in all. */
  workLeft(environment: Environment, uri?: string): WorkLeft;
  /** Internal errors during judging, each returned once. The islands in which they occurred have no findings. */
  takeFailures(environment: Environment): readonly unknown[];
  /** Files whose findings may have changed since the last call. */
  takeChanged(environment: Environment): readonly string[];
  /** Files whose findings a preview has changed. */
  takeChangedByPreview(environment: Environment): readonly string[];
}

/** Answers to the extension, the page, other clients and the command line. */
interface Replies {
  describe(environment: Environment): EnvironmentReply;
  scenario(params: ScenarioParams): ScenarioReply | null;
  /** From the newest prediction; null if there is none. */
  outcome(params: OutcomeParams): OutcomeReply | null;
  /** Where an object or its field is written, according to the newest prediction; null if no file is the cause of it. */
  locate(params: LocateParams): LocateReply | null;
  /** Documents that cannot be read; empty if the environment no longer exists. */
  unreadable(params: UnreadableParams): UnreadableReply;
  /** Waits for the prediction; null if there is no such object, or once it is cancelled. */
  explain(params: ExplainParams, isCancelled?: () => boolean): Promise<ExplainReply | null>;
  /** Waits for the prediction; if there are no files, only the messages are explained. */
  explainEvent(params: ExplainEventParams, isCancelled?: () => boolean): Promise<ExplainEventReply>;
  importCluster(params: ImportClusterParams): Promise<ImportClusterReply>;
  status(): StatusReply;
  /** All `*.scenario.yaml` files, in the order of the environments. */
  scenarioFiles(): readonly WorkspaceFile[];
  /** Undefined if there is no such file, or if `isStale` became true before the end. */
  runScenario(uri: string, isStale?: () => boolean): Promise<ScenarioReport | undefined>;
  /** Turns the steps taken on the page into a new scenario file; null if the environment is gone. */
  saveScenario(
    params: SaveScenarioParams,
    isStale?: () => boolean,
  ): Promise<SaveScenarioReply | null>;
}

export interface LanguageService extends Manifests, Judging, Replies {
  /** Returns true if `loadFolders` would now read other files than before. */
  configure(settings: ServiceSettings): boolean;
  /** Sets where results are kept for the next start; without this call nothing is kept. */
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
