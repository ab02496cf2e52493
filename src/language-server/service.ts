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
import { compareDiagnostics, diagnoseFile, fromObject, placeOf } from "./diagnostics/diagnose.ts";
import { isAcceptedByProject, unusedInProject } from "./diagnostics/project-suppression.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import { ruleIds } from "./diagnostics/rules.ts";
import { withoutSuppressed } from "./diagnostics/suppression.ts";
import { explainEventText } from "./features/event-explanation.ts";
import { explanationPage } from "./features/explanation-page.ts";
import { refOfReference, targetAt } from "./features/target.ts";
import { FindingsCache } from "./findings-cache.ts";
import { JudgedEnvironment } from "./islands/judged-environment.ts";
import { presentReport } from "./islands/present-entry.ts";
import type { Pause, Prediction } from "./prediction/predictor.ts";
import type { PredictionSettings } from "./prediction/scenario-of.ts";
import { sourceOf } from "./prediction/source-of.ts";
import { projectFileName } from "./project/project-file.ts";
import { linesOf } from "./text-lines.ts";
import { type Exclusions, excludedFiles } from "./workspace/excluded-files.ts";
import { type FileSystem, type FoundFile, fileSizeMax, tooLarge } from "./workspace/file-system.ts";
import { kubernetesFiles, type SchemaAssociations } from "./workspace/schema-files.ts";
import { baseName, isBelow } from "./workspace/uri.ts";
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
  /** Up to so many objects are judged together; see islands.ts for the default. */
  readonly smallEnvironment?: number;
}

/** Called while files are read: how many of how many. */
export type LoadProgress = (done: number, total: number) => void;

export interface ServiceSettings extends PredictionSettings {
  /** The YAML language server's setting `yaml.schemas`, where it runs beside us and tells structural errors. */
  readonly yamlSchemas?: SchemaAssociations;
  /** The editor's setting `files.exclude`. */
  readonly exclude?: Exclusions;
}

export interface LanguageService {
  /** Reads all manifests of the folders; what editors have open stays. */
  loadFolders(folders: readonly string[], progress?: LoadProgress): Promise<void>;
  /** The same folders again, after settings have changed. */
  rereadFolders(): Promise<void>;
  /** Reads files that have come into the folders; what is known stays as it is. */
  syncFolders(): Promise<void>;
  /** Reads single known files anew, or forgets those that are gone. */
  reloadFiles(uris: readonly string[]): Promise<void>;
  setEditorText(uri: string, text: string): void;
  closeEditor(uri: string): void;
  /** Says whether other files are to be read than before, by `loadFolders`. */
  configure(settings: ServiceSettings): boolean;

  /** Those that hold objects or a project file, by folder. */
  environments(): readonly Environment[];
  environment(id: string): Environment | undefined;
  /** Of all files that hold objects, or should; in no particular order. */
  manifestUris(): readonly string[];
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

  /** Of a file, with all that its objects have to do with others, and what has been predicted. Sorted. */
  diagnostics(uri: string): readonly Diagnostic[];
  /** What is known of a file now; of objects that wait to be judged, what was known of them last. Sorted. */
  knownDiagnostics(uri: string): readonly Diagnostic[];
  /** Of all files that have any. */
  environmentDiagnostics(environment: Environment): ReadonlyMap<string, readonly Diagnostic[]>;
  /**
   * The work that is left until all is known of a file, or of all files: rules that compare objects, then the engine. Yields
   * often; whoever drives it may stop at any time.
   */
  judge(environment: Environment, uri?: string): Iterable<void>;
  /** Files whose findings may have changed since this was asked last. */
  takeChanged(environment: Environment): readonly string[];

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
    rereadFolders: () => state.loadFolders(workspace.folders),
    syncFolders: () => state.syncFolders(),
    reloadFiles: (uris: readonly string[]) => state.reloadFiles(uris),
    setEditorText: (uri: string, text: string) => workspace.setEditorText(uri, text),
    closeEditor: (uri: string) => workspace.closeEditor(uri),
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
    analysisOf: (uri: string) => state.analysisOf(uri),
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
    judge: (environment: Environment, uri?: string) => state.judge(environment, uri),
    takeChanged: (environment: Environment) => state.judged(environment).takeChanged(),
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
  readonly fileSystem: FileSystem;
  readonly #pause: Pause;
  readonly #smallEnvironment: number | undefined;
  readonly #analyses = new Map<string, Analysis>();
  readonly #judged = new Map<string, JudgedEnvironment>();
  readonly findings: FindingsCache = new FindingsCache();
  settings: PredictionSettings = {};
  /** Of the last time that each was done, with what was answered in between. */
  readonly timings: { readMs: number; compareMs: number; predictMs: number } = {
    readMs: 0,
    compareMs: 0,
    predictMs: 0,
  };
  #exclude: Exclusions = {};
  #leavesStructure: (uri: string) => boolean = () => false;

  constructor({ fileSystem, pause, smallEnvironment }: ServiceOptions) {
    this.fileSystem = fileSystem;
    this.#smallEnvironment = smallEnvironment;
    this.#pause = pause;
  }

  async loadFolders(folders: readonly string[], progress: LoadProgress = () => {}): Promise<void> {
    const { workspace, fileSystem } = this;
    const startedAt = performance.now();
    workspace.setFolders(folders);
    const files = await this.#listFiles();
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
    this.timings.readMs = performance.now() - startedAt;
  }

  /** Of all folders, each file once, without those that the editor hides. */
  async #listFiles(): Promise<readonly FoundFile[]> {
    const isExcluded = excludedFiles(this.#exclude);
    const found = new Map<string, FoundFile>();
    for (const folder of this.workspace.folders)
      for (const file of await this.fileSystem.listFiles(folder))
        if (!isExcluded(file.uri, folder)) found.set(file.uri, file);
    return [...found.values()];
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
    for (const { uri, skipped } of await this.#listFiles()) {
      if (workspace.hasDiskText(uri)) continue;
      const text = skipped === undefined ? await fileSystem.readFile(uri) : undefined;
      workspace.setDiskText(uri, text, skipped);
    }
  }

  async reloadFiles(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      if (!this.workspace.hasDiskText(uri)) continue;
      const text = await this.fileSystem.readFile(uri);
      if (text !== undefined && text.length > fileSizeMax)
        this.workspace.setDiskText(uri, undefined, tooLarge);
      else this.workspace.setDiskText(uri, text);
    }
    await this.readCommitted();
  }

  configure({ yamlSchemas = {}, exclude = {}, ...settings }: ServiceSettings): boolean {
    this.settings = settings;
    this.#leavesStructure = kubernetesFiles(yamlSchemas);
    this.#analyses.clear();
    for (const judged of this.#judged.values()) judged.noteAllFiles();
    const before = this.#exclude;
    this.#exclude = exclude;
    return JSON.stringify(before) !== JSON.stringify(exclude);
  }

  environments(): readonly Environment[] {
    return this.workspace
      .environments()
      .filter(({ objects, files }) => objects.length > 0 || files.some(mattersWithoutObjects));
  }

  analysis(environment: Environment): Analysis {
    const known = this.#analyses.get(environment.id);
    if (known?.environment === environment) return known;
    const made = analyze(environment, this.settings, known);
    this.#analyses.set(environment.id, made);
    return made;
  }

  judged(environment: Environment): JudgedEnvironment {
    const known = this.#judged.get(environment.id);
    const analysis = this.analysis(environment);
    if (known === undefined) {
      const made = new JudgedEnvironment(analysis, this.#smallEnvironment);
      this.#judged.set(environment.id, made);
      return made;
    }
    if (known.basis !== analysis) known.update(analysis);
    return known;
  }

  analysisOf(uri: string): Analysis | undefined {
    const environment = this.workspace.environmentOf(uri);
    return environment === undefined ? undefined : this.analysis(environment);
  }

  *judge(environment: Environment, uri?: string): Generator<void> {
    const judged = this.judged(environment);
    yield;
    const startedAt = performance.now();
    yield* judged.compare(uri);
    const comparedAt = performance.now();
    yield* judged.predict(uri);
    this.timings.compareMs = comparedAt - startedAt;
    this.timings.predictMs = performance.now() - comparedAt;
  }

  /** Of the environment as it is when all is known of it: an edit in between makes it take longer. */
  async predictPresent({ id }: Environment): Promise<Prediction | undefined> {
    for (;;) {
      const environment = this.workspace.environment(id);
      if (environment === undefined) return undefined;
      const isStale = (): boolean => this.workspace.environment(id) !== environment;
      const prediction = await this.predict(environment, isStale);
      if (prediction !== undefined) return prediction;
    }
  }

  async predict(
    environment: Environment,
    isStale: () => boolean = () => false,
  ): Promise<Prediction | undefined> {
    let pausedAt = performance.now();
    for (const _ of this.judge(environment)) {
      if (performance.now() - pausedAt < sliceMs) continue;
      await this.#pause();
      if (isStale()) return undefined;
      pausedAt = performance.now();
    }
    return this.judged(environment).prediction();
  }

  /** What the file says by itself. */
  ownDiagnostics(file: WorkspaceFile, environment: Environment): readonly Diagnostic[] {
    const { rules } = environment.project;
    return diagnoseFile(file, this.analysis(environment).version, rules, {
      leavesStructure: this.#leavesStructure(file.uri),
      isPatch: environment.patches.has(file.uri),
    });
  }
}

function fileDiagnostics(state: ServiceState, uri: string): readonly Diagnostic[] {
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
  if (environment.project.suppressions.length > 0) return openFindings(state, analysis, file);
  const isPatch = environment.patches.has(file.uri);
  const others = [
    environment.project,
    state.settings,
    version,
    judged.isComplete(file.uri),
    isPatch,
  ];
  return state.findings.get(
    { file, reports: judged.sourcesOf(file.uri), others },
    (uri) => state.workspace.file(uri),
    () => openFindings(state, analysis, file),
  );
}

function openFindings(
  state: ServiceState,
  analysis: Analysis,
  file: WorkspaceFile,
): readonly Diagnostic[] {
  const { environment } = analysis;
  const found = findingsOf(state, analysis, file);
  const open = found.filter((diagnostic) => !isAcceptedByProject(diagnostic, environment));
  const kept = withoutSuppressed(file, open, {
    severities: environment.project.rules,
    ruleIds,
    isComplete: state.judged(environment).isComplete(file.uri),
  });
  return [...kept, ...ofProject(state, analysis, file)].sort(compareDiagnostics);
}

/** What a file says for itself, and what its objects have to do with others. */
function findingsOf(
  state: ServiceState,
  { environment }: Analysis,
  file: WorkspaceFile,
): readonly Diagnostic[] {
  const found = [...state.ownDiagnostics(file, environment)];
  for (const { code, severity, report } of state.judged(environment).reportsIn(file.uri)) {
    const present = presentReport(report, (uri) => state.workspace.file(uri));
    if (present?.entry.file === file) found.push(fromObject(present, code, severity));
  }
  return found;
}

/** What can be said of the project file once all findings are known. */
function ofProject(
  state: ServiceState,
  analysis: Analysis,
  { uri }: WorkspaceFile,
): readonly Diagnostic[] {
  const { environment } = analysis;
  if (environment.project.suppressions.length === 0 || baseName(uri) !== projectFileName) return [];
  const found = environment.files.flatMap((file) => findingsOf(state, analysis, file));
  const isComplete = state.judged(environment).prediction() !== undefined;
  const unused = unusedInProject(environment, found, ruleIds, isComplete);
  return unused.filter((diagnostic) => diagnostic.uri === uri);
}

function allDiagnostics(
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
  const { file } = present;
  return { uri: file.uri, range: linesOf(file.manifest).rangeOf(placeOf(present, source.path)) };
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
  const analysis = state.analysis(environment);
  const prediction = await state.predictPresent(environment);
  const ref = "ref" in params ? params.ref : refAt(state, analysis, uri ?? "", params.position);
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
      .filter((environment) => state.judged(environment).prediction() !== undefined)
      .map(({ id }) => id),
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
