/**
 * Everything the language server can do, without the Language Server Protocol: the command line and the tests use it the
 * same way. Boundary of the language server.
 */

import type { Ref } from "../engine/api/meta.ts";
import type { KubernetesVersion } from "../engine/scenario.ts";
import type {
  Environment as EnvironmentReply,
  ExplainEventParams,
  ExplainEventReply,
  ExplainParams,
  ExplainReply,
  LocateParams,
  LocateReply,
  ObjectSource,
  Position,
  Range,
  ScenarioParams,
  ScenarioReply,
  StatusReply,
} from "../protocol/messages.ts";
import { type Analysis, analyze } from "./analysis.ts";
import {
  compareDiagnostics,
  diagnoseFile,
  diagnosePrediction,
  placeOf,
} from "./diagnostics/diagnose.ts";
import { movedFindings } from "./diagnostics/moved-findings.ts";
import { isAcceptedByProject, unusedInProject } from "./diagnostics/project-suppression.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import { ruleIds } from "./diagnostics/rules.ts";
import { withoutSuppressed } from "./diagnostics/suppression.ts";
import { explainEventText } from "./features/event-explanation.ts";
import { explanationPage } from "./features/explanation-page.ts";
import { refOfReference, targetAt } from "./features/target.ts";
import { type Pause, type Prediction, Predictor } from "./prediction/predictor.ts";
import { type PredictionSettings, versionOf } from "./prediction/scenario-of.ts";
import { sourceOf } from "./prediction/source-of.ts";
import { linesOf } from "./text-lines.ts";
import type { FileSystem } from "./workspace/file-system.ts";
import { kubernetesFiles, type SchemaAssociations } from "./workspace/schema-files.ts";
import { isBelow } from "./workspace/uri.ts";
import {
  documentStart,
  type Environment,
  Workspace,
  type WorkspaceFile,
  type WorkspaceObject,
} from "./workspace/workspace.ts";
import { locate, underline } from "./yaml/locate.ts";

export interface ServiceOptions {
  readonly fileSystem: FileSystem;
  /** The next turn of the event loop. */
  readonly pause: Pause;
}

/** Called while files are read: how many of how many. */
export type LoadProgress = (done: number, total: number) => void;

export interface ServiceSettings extends PredictionSettings {
  /** The YAML language server's setting `yaml.schemas`, where it runs beside us and tells structural errors. */
  readonly yamlSchemas?: SchemaAssociations;
}

export interface LanguageService {
  /** Reads all manifests of the folders; what editors have open stays. */
  loadFolders(folders: readonly string[], progress?: LoadProgress): Promise<void>;
  /** Reads files that have come into the folders; what is known stays as it is. */
  syncFolders(): Promise<void>;
  /** Reads single known files anew, or forgets those that are gone. */
  reloadFiles(uris: readonly string[]): Promise<void>;
  setEditorText(uri: string, text: string): void;
  closeEditor(uri: string): void;
  configure(settings: ServiceSettings): void;

  /** Those that hold objects or a project file, by folder. */
  environments(): readonly Environment[];
  environmentOf(uri: string): Environment | undefined;
  file(uri: string): WorkspaceFile | undefined;
  /** Undefined where the file is in no environment. */
  analysisOf(uri: string): Analysis | undefined;
  analysis(environment: Environment): Analysis;

  /** Runs the engine; undefined where `isStale` became true before the end, at once where the result is known. */
  predict(environment: Environment, isStale?: () => boolean): Promise<Prediction | undefined>;
  /** The last prediction, if it is of the environment's present state. */
  prediction(environment: Environment): Prediction | undefined;

  /** The newest there is, which may be of an earlier state of the files. */
  lastPrediction(environment: Environment): Prediction | undefined;

  /** What is known now, with the prediction's findings once it has ended; sorted. */
  diagnostics(uri: string): readonly Diagnostic[];
  /** Of an edited file at once: what it says by itself, and what its neighbors said of it before the edit. */
  editedDiagnostics(uri: string): readonly Diagnostic[];
  /** Compares the objects of an environment, by and by; false where `isStale` became true before the end. */
  settle(environment: Environment, isStale?: () => boolean): Promise<boolean>;
  /** Of all files that have any. */
  environmentDiagnostics(environment: Environment): ReadonlyMap<string, readonly Diagnostic[]>;

  describe(environment: Environment): EnvironmentReply;
  scenario(params: ScenarioParams): ScenarioReply | null;
  /** Where an object or its field is written, as predicted; null where no file brings it about. */
  locate(params: LocateParams): LocateReply | null;
  /** Waits for the prediction; null where there is no such object. */
  explain(params: ExplainParams): Promise<ExplainReply | null>;
  /** Waits for the prediction; without files the messages alone are explained. */
  explainEvent(params: ExplainEventParams): Promise<ExplainEventReply>;
  status(): StatusReply;
  canonicalUri(uri: string): string;
}

const readBatchSize = 32;
/** As long as this others may have to wait for a turn. */
const sliceMs = 2;

export function createLanguageService(options: ServiceOptions): LanguageService {
  const state = new ServiceState(options);
  const { workspace } = state;
  return Object.freeze({
    loadFolders: (folders: readonly string[], progress?: LoadProgress) =>
      state.loadFolders(folders, progress),
    syncFolders: () => state.syncFolders(),
    reloadFiles: (uris: readonly string[]) => state.reloadFiles(uris),
    setEditorText: (uri: string, text: string) => workspace.setEditorText(uri, text),
    closeEditor: (uri: string) => workspace.closeEditor(uri),
    configure: (settings: ServiceSettings) => state.configure(settings),
    environments: () => state.environments(),
    environmentOf: (uri: string) => workspace.environmentOf(uri),
    file: (uri: string) => workspace.file(uri),
    analysis: (environment: Environment) => state.analysis(environment),
    analysisOf: (uri: string) => state.analysisOf(uri),
    predict: (environment: Environment, isStale?: () => boolean) =>
      state.predictor.predict(environment, state.analysis(environment).scenario(), isStale),
    prediction: (environment: Environment) => state.prediction(environment),
    lastPrediction: ({ id }: Environment) => state.predictor.latest(id),
    diagnostics: (uri: string) => fileDiagnostics(state, uri),
    editedDiagnostics: (uri: string) => editedDiagnostics(state, uri),
    settle: (environment: Environment, isStale?: () => boolean) =>
      state.settle(environment, isStale),
    environmentDiagnostics: (environment: Environment) => allDiagnostics(state, environment),
    describe: (environment: Environment) => describe(state, environment),
    scenario: (params: ScenarioParams) => scenarioReply(state, params),
    locate: (params: LocateParams) => locateObject(state, params),
    explain: (params: ExplainParams) => explainObject(state, params),
    explainEvent: (params: ExplainEventParams) => explainPastedEvent(state, params),
    status: () => status(state),
    canonicalUri: (uri: string) => options.fileSystem.canonicalUri(uri),
  });
}

class ServiceState {
  readonly workspace: Workspace = new Workspace();
  readonly predictor: Predictor;
  readonly fileSystem: FileSystem;
  readonly #pause: Pause;
  readonly #analyses = new Map<string, Analysis>();
  readonly #predicted = new WeakMap<Environment, PredictedDiagnostics>();
  /** What the neighbors of a file last said of it. */
  readonly neighborFindings: Map<string, NeighborFindings> = new Map();
  #settings: PredictionSettings = {};
  #leavesStructure: (uri: string) => boolean = () => false;

  constructor({ fileSystem, pause }: ServiceOptions) {
    this.fileSystem = fileSystem;
    this.#pause = pause;
    this.predictor = new Predictor(pause);
  }

  async loadFolders(folders: readonly string[], progress: LoadProgress = () => {}): Promise<void> {
    const { workspace, fileSystem } = this;
    workspace.setFolders(folders);
    const lists = await Promise.all(
      workspace.folders.map((folder) => fileSystem.listFiles(folder)),
    );
    const files = [...new Map(lists.flat().map((file) => [file.uri, file])).values()];
    const listed = new Set(files.map(({ uri }) => uri));
    for (const uri of workspace.diskUris()) {
      if (!listed.has(uri)) workspace.setDiskText(uri, undefined);
    }
    for (let at = 0; at < files.length; at += readBatchSize) {
      const batch = files.slice(at, at + readBatchSize);
      const texts = await Promise.all(
        batch.map((f) => (f.skipped === undefined ? fileSystem.readFile(f.uri) : undefined)),
      );
      for (const [i, file] of batch.entries()) {
        workspace.setDiskText(file.uri, texts[i], file.skipped);
      }
      progress(Math.min(at + readBatchSize, files.length), files.length);
      await this.#pause();
    }
    await this.readCommitted();
  }

  /** After every change on disk, since a commit leaves no other trace. */
  async readCommitted(): Promise<void> {
    const { workspace, fileSystem } = this;
    if (fileSystem.committedFiles === undefined) return;
    for (const folder of workspace.folders) {
      const committed = await fileSystem.committedFiles(folder);
      for (const uri of workspace.diskUris()) {
        if (!isBelow(uri, folder)) continue;
        const text = committed.get(uri);
        workspace.setCommittedText(uri, committed.has(uri) ? (text ?? null) : undefined);
      }
    }
  }

  async syncFolders(): Promise<void> {
    const { workspace, fileSystem } = this;
    const lists = await Promise.all(
      workspace.folders.map((folder) => fileSystem.listFiles(folder)),
    );
    for (const { uri, skipped } of lists.flat()) {
      if (workspace.hasDiskText(uri)) continue;
      const text = skipped === undefined ? await fileSystem.readFile(uri) : undefined;
      workspace.setDiskText(uri, text, skipped);
    }
  }

  async reloadFiles(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      if (!this.workspace.hasDiskText(uri)) continue;
      this.workspace.setDiskText(uri, await this.fileSystem.readFile(uri));
    }
    await this.readCommitted();
  }

  configure({ yamlSchemas = {}, ...settings }: ServiceSettings): void {
    this.#settings = settings;
    this.#leavesStructure = kubernetesFiles(yamlSchemas);
    this.#analyses.clear();
    for (const { id } of this.workspace.environments()) this.predictor.forget(id);
  }

  environments(): readonly Environment[] {
    return this.workspace
      .environments()
      .filter(({ objects, files }) => objects.length > 0 || files.some(mattersWithoutObjects));
  }

  analysis(environment: Environment): Analysis {
    const known = this.#analyses.get(environment.id);
    if (known?.environment === environment) return known;
    const made = analyze(environment, this.#settings);
    this.#analyses.set(environment.id, made);
    return made;
  }

  analysisOf(uri: string): Analysis | undefined {
    const environment = this.workspace.environmentOf(uri);
    return environment === undefined ? undefined : this.analysis(environment);
  }

  prediction(environment: Environment): Prediction | undefined {
    const latest = this.predictor.latest(environment.id);
    return latest?.environment === environment ? latest : undefined;
  }

  /** Of the newest prediction there is, at the present places of the objects. */
  predictedDiagnostics(environment: Environment): readonly Diagnostic[] {
    if (this.predictor.latest(environment.id) === undefined) return [];
    for (const _ of this.#compare(environment));
    return this.#predicted.get(environment)?.diagnostics ?? [];
  }

  async settle(environment: Environment, isStale: () => boolean = () => false): Promise<boolean> {
    let pausedAt = performance.now();
    for (const _ of this.#compare(environment)) {
      if (performance.now() - pausedAt < sliceMs) continue;
      await this.#pause();
      if (isStale()) return false;
      pausedAt = performance.now();
    }
    return !isStale();
  }

  version(environment: Environment): KubernetesVersion {
    return versionOf(environment, this.#settings);
  }

  /** What the file says by itself. */
  ownDiagnostics(file: WorkspaceFile, environment: Environment): readonly Diagnostic[] {
    const { rules } = environment.project;
    return diagnoseFile(file, this.version(environment), rules, {
      leavesStructure: this.#leavesStructure(file.uri),
      isPatch: environment.patches.has(file.uri),
    });
  }

  *#compare(environment: Environment): Generator<void> {
    const analysis = this.analysis(environment);
    yield;
    yield* analysis.slices();
    const latest = this.predictor.latest(environment.id);
    if (latest === undefined || this.#predicted.get(environment)?.prediction === latest) return;
    const diagnostics = yield* diagnosePrediction(latest, environment, analysis.diagnostics);
    this.#predicted.set(environment, { prediction: latest, diagnostics });
  }
}

interface NeighborFindings {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface PredictedDiagnostics {
  readonly prediction: Prediction;
  readonly diagnostics: readonly Diagnostic[];
}

function fileDiagnostics(state: ServiceState, uri: string): readonly Diagnostic[] {
  const file = state.workspace.file(uri);
  const analysis = state.analysisOf(uri);
  if (file === undefined || analysis === undefined) return [];
  const { environment, diagnostics } = analysis;
  const isHere = (diagnostic: Diagnostic): boolean => diagnostic.uri === uri;
  const ofNeighbors = [
    ...diagnostics.filter(isHere),
    ...state.predictedDiagnostics(environment).filter(isHere),
  ];
  state.neighborFindings.set(uri, { text: file.manifest.text, diagnostics: ofNeighbors });
  const found = [...state.ownDiagnostics(file, environment), ...ofNeighbors];
  return [
    ...unsuppressed(state, environment, file, found),
    ...projectFindings(state, environment).filter(isHere),
  ].sort(compareDiagnostics);
}

/** What can be said of the project file once all findings are known. */
function projectFindings(state: ServiceState, environment: Environment): readonly Diagnostic[] {
  if (environment.project.suppressions.length === 0) return [];
  const found = [
    ...state.analysis(environment).diagnostics,
    ...state.predictedDiagnostics(environment),
    ...environment.files.flatMap((file) => state.ownDiagnostics(file, environment)),
  ];
  const isComplete = state.prediction(environment) !== undefined;
  return unusedInProject(environment, found, ruleIds, isComplete);
}

function editedDiagnostics(state: ServiceState, uri: string): readonly Diagnostic[] {
  const file = state.workspace.file(uri);
  const environment = state.workspace.environmentOf(uri);
  if (file === undefined || environment === undefined) return [];
  const { text, diagnostics } = state.neighborFindings.get(uri) ?? { text: "", diagnostics: [] };
  const found = [
    ...state.ownDiagnostics(file, environment),
    ...movedFindings(diagnostics, text, file.manifest.text),
  ];
  return [...unsuppressed(state, environment, file, found)].sort(compareDiagnostics);
}

function unsuppressed(
  state: ServiceState,
  environment: Environment,
  file: WorkspaceFile,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  const open = found.filter((diagnostic) => !isAcceptedByProject(diagnostic, environment));
  return withoutSuppressed(file, open, {
    severities: environment.project.rules,
    ruleIds,
    isComplete: state.prediction(environment) !== undefined,
  });
}

function allDiagnostics(
  state: ServiceState,
  environment: Environment,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const { diagnostics } = state.analysis(environment);
  const byFile = new Map<string, Diagnostic[]>(environment.files.map(({ uri }) => [uri, []]));
  for (const diagnostic of [...diagnostics, ...state.predictedDiagnostics(environment)])
    byFile.get(diagnostic.uri)?.push(diagnostic);
  const ofProject = projectFindings(state, environment);
  const kept = new Map<string, readonly Diagnostic[]>();
  for (const file of environment.files) {
    const ofNeighbors = byFile.get(file.uri) ?? [];
    state.neighborFindings.set(file.uri, { text: file.manifest.text, diagnostics: ofNeighbors });
    const found = [...state.ownDiagnostics(file, environment), ...ofNeighbors];
    const list = [
      ...unsuppressed(state, environment, file, found),
      ...ofProject.filter(({ uri }) => uri === file.uri),
    ];
    if (list.length > 0) kept.set(file.uri, [...list].sort(compareDiagnostics));
  }
  return kept;
}

function describe(state: ServiceState, environment: Environment): EnvironmentReply {
  const { assumed, profileFrom, version } = state.analysis(environment);
  return {
    id: environment.id,
    name: environment.name,
    folder: environment.id,
    profile: assumed.cluster.name,
    profileFrom,
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
    state.environments()[0];
  if (chosen === undefined || chosen.objects.length === 0) return null;
  return {
    environment: describe(state, chosen),
    scenario: state.analysis(chosen).scenario().scenario,
    sources: chosen.objects.flatMap(sourceOfObject),
  };
}

/** A file that matters though it holds no object: it is broken, skipped, or a template. */
function mattersWithoutObjects({ manifest, skipped }: WorkspaceFile): boolean {
  return skipped !== undefined || manifest.isKubernetes;
}

function locateObject(
  { workspace, predictor }: ServiceState,
  { environment, ref, field }: LocateParams,
): LocateReply | null {
  const prediction = predictor.latest(environment);
  const source = prediction === undefined ? undefined : sourceOf(prediction, ref, field);
  // The prediction may be of an older text; the object's present place is wanted.
  const present =
    source?.entry.object.ref === undefined
      ? undefined
      : workspace.environment(environment)?.byRef.get(source.entry.object.ref)?.at(-1);
  if (source === undefined || present === undefined) return null;
  const { file } = present;
  return { uri: file.uri, range: linesOf(file.manifest).rangeOf(placeOf(present, source.path)) };
}

async function explainObject(
  state: ServiceState,
  params: ExplainParams,
): Promise<ExplainReply | null> {
  const { workspace, predictor, fileSystem } = state;
  const uri = "uri" in params ? fileSystem.canonicalUri(params.uri) : undefined;
  const environment =
    "environment" in params
      ? workspace.environment(params.environment)
      : workspace.environmentOf(uri ?? "");
  if (environment === undefined) return null;
  const analysis = state.analysis(environment);
  const prediction = await predictor.predict(environment, analysis.scenario());
  const ref = "ref" in params ? params.ref : refAt(state, analysis, uri ?? "", params.position);
  if (prediction === undefined || ref === undefined) return null;
  const text = explanationPage(prediction, ref);
  return text === undefined ? null : { environment: describe(state, environment), ref, text };
}

async function explainPastedEvent(
  state: ServiceState,
  { text, uri }: ExplainEventParams,
): Promise<ExplainEventReply> {
  const { workspace, predictor, fileSystem } = state;
  const environment =
    (uri === undefined ? undefined : workspace.environmentOf(fileSystem.canonicalUri(uri))) ??
    state.environments()[0];
  const prediction =
    environment === undefined
      ? undefined
      : await predictor.predict(environment, state.analysis(environment).scenario());
  return { text: explainEventText(text, prediction) };
}

function refAt(
  { workspace }: ServiceState,
  analysis: Analysis,
  uri: string,
  position: Position,
): Ref | undefined {
  const file = workspace.file(uri);
  if (file === undefined) return undefined;
  const target = targetAt(analysis, file, linesOf(file.manifest).offsetAt(position));
  return target?.reference === undefined
    ? target?.entry.object.ref
    : refOfReference(target.reference);
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
      .filter((environment) => state.prediction(environment) !== undefined)
      .map(({ id }) => id),
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
