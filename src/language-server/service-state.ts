/** The state behind the service: the workspace as it is, and what is known about each environment. */
import { makeRef } from "../engine/api/meta.ts";
import { type Analysis, analyze } from "./analysis.ts";
import type { Pause } from "./background.ts";
import { sliceMs } from "./background.ts";
import { diagnoseFile, type FileOptions, type Severities } from "./diagnostics/diagnose.ts";
import type { Diagnostic } from "./diagnostics/rule.ts";
import { FindingsCache } from "./findings/findings-cache.ts";
import { KeptOutAnswers } from "./findings/kept-out-answers.ts";
import { JudgedEnvironment } from "./islands/judged-environment.ts";
import { KeptOutcomes } from "./islands/kept-outcomes.ts";
import { isWorthParting } from "./islands/parting/parting.ts";
import { nameAt } from "./names/name-at.ts";
import type { Prediction } from "./prediction/prediction.ts";
import type { PredictionSettings } from "./prediction/scenario-of.ts";
import type { ServiceOptions, ServiceSettings } from "./service-options.ts";
import type { TextStorage } from "./storage/text-storage.ts";
import type { Charts } from "./workspace/charts.ts";
import { withMoreNames } from "./workspace/cluster-names.ts";
import { type Environment, hasCluster } from "./workspace/environment.ts";
import type { FileSystem } from "./workspace/files/file-system.ts";
import { kubernetesFiles } from "./workspace/files/schema-files.ts";
import { isBelow } from "./workspace/files/uri.ts";
import type { Kustomized } from "./workspace/kustomize.ts";
import { isKustomization } from "./workspace/kustomize.ts";
import { Workspace } from "./workspace/workspace.ts";
import {
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "./workspace/workspace-object.ts";
import { type LoadProgress, WorkspaceReader } from "./workspace/workspace-reader.ts";
import type { ManifestObject } from "./yaml/manifest.ts";

/** True for a file that matters although it holds no object: a broken or skipped one, a template, a kustomization. */
function mattersWithoutObjects({ uri, manifest, skipped }: WorkspaceFile): boolean {
  return skipped !== undefined || manifest.isKubernetes || isKustomization(uri);
}

export class ServiceState {
  readonly workspace: Workspace = new Workspace();
  readonly fileSystem: FileSystem;
  readonly reader: WorkspaceReader;
  readonly #pause: Pause;
  readonly #smallEnvironment: number | undefined;
  readonly #analyses = new Map<string, Analysis>();
  readonly #judged = new Map<string, JudgedEnvironment>();
  readonly findings: FindingsCache = new FindingsCache();
  readonly keptOut: KeptOutAnswers = new KeptOutAnswers((file, environment) =>
    this.ownDiagnostics(file, environment),
  );
  /** The last result of `withUnreadNames`, with the analysis it was made from and the number of unread files at that time. */
  #knowingUnread:
    | { readonly analysis: Analysis; readonly count: number; readonly made: Analysis }
    | undefined;
  readonly #traceBytesMax: number | undefined;
  #kept: KeptOutcomes | undefined;
  /** Environments whose first findings were taken from an earlier process. */
  readonly recalled: Set<string> = new Set();
  settings: PredictionSettings;
  /** How long each took the last time, including requests that were answered in between. */
  readonly timings: { readMs: number; compareMs: number; predictMs: number } = {
    readMs: 0,
    compareMs: 0,
    predictMs: 0,
  };
  #leavesStructure: (uri: string) => boolean = () => false;

  constructor({ fileSystem, pause, smallEnvironment, traceBytesMax }: ServiceOptions) {
    this.#traceBytesMax = traceBytesMax;
    this.settings = { traceBytesMax };
    this.fileSystem = fileSystem;
    this.#smallEnvironment = smallEnvironment;
    this.#pause = pause;
    this.reader = new WorkspaceReader(this.workspace, fileSystem, pause, (work) =>
      this.drive(work),
    );
  }

  async loadFolders(folders: readonly string[], progress: LoadProgress = () => {}): Promise<void> {
    const startedAt = performance.now();
    await this.reader.loadFolders(folders, progress);
    this.timings.readMs = performance.now() - startedAt;
  }

  /**
   * Reads those unread files that define the name at a place, out of turn; for `uses` also those that contain the name.
   */
  async readAhead(uri: string, offset: number, what: "definitions" | "uses"): Promise<void> {
    const { unread } = this.reader;
    const file = this.workspace.file(uri);
    const analysis = this.analysisOf(uri);
    if (unread.count === 0 || file === undefined || analysis === undefined) return;
    const named = nameAt(analysis, file, offset)?.place;
    if (named === undefined || named.kind === "PodVolume") return;
    const { kind, namespace, name } = named;
    const isKnown = analysis.environment.byRef.has(makeRef(kind, namespace, name));
    if (isKnown && what === "definitions") return;
    const wanted = new Set(unread.mayDefine(named));
    if (what === "uses") for (const other of unread.mayName(name)) wanted.add(other);
    await this.reader.readAhead(wanted);
  }

  /** The analysis, including the names in files that have not been read yet. */
  withUnreadNames(analysis: Analysis): Analysis {
    const { unread } = this.reader;
    const { count } = unread;
    if (count === 0) {
      this.#knowingUnread = undefined;
      return analysis;
    }
    const before = this.#knowingUnread;
    if (before?.analysis === analysis && before.count === count) return before.made;
    const { id } = analysis.environment;
    const inner = this.workspace.environments().filter((other) => isBelow(other.id, id));
    const isIn = (uri: string): boolean =>
      isBelow(uri, id) && !inner.some((other) => isBelow(uri, other.id));
    const names = withMoreNames(analysis.names, () => unread.named(isIn));
    const made = { ...analysis, names };
    this.#knowingUnread = { analysis, count, made };
    return made;
  }

  configure({
    yamlSchemas = {},
    exclude = {},
    imports,
    overlays,
    chartValues,
    ...settings
  }: ServiceSettings): boolean {
    if (overlays !== undefined) this.workspace.setOverlays(overlays);
    if (imports !== undefined) this.workspace.setImports(imports);
    if (chartValues !== undefined) this.workspace.setChartValues(chartValues);
    this.settings = { ...settings, traceBytesMax: this.#traceBytesMax };
    this.workspace.setVersion(settings.kubernetesVersion);
    this.#leavesStructure = kubernetesFiles(yamlSchemas);
    this.#analyses.clear();
    for (const judged of this.#judged.values()) judged.noteAllFiles();
    return this.reader.setExclusions(exclude);
  }

  environments(): readonly Environment[] {
    return this.workspace
      .environments()
      .filter(
        (environment) =>
          hasCluster(environment) ||
          environment.charts.problems.length > 0 ||
          environment.files.some(mattersWithoutObjects),
      );
  }

  manifestUris(): readonly string[] {
    return this.environments().flatMap(({ files }) =>
      files.flatMap((file) => (mattersWithoutObjects(file) ? [file.uri] : [])),
    );
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

  /** Frees traces and findings of an environment that no longer exists: they take far more memory than its files. */
  forget(id: string): void {
    if (this.workspace.environment(id) !== undefined) return;
    this.#analyses.delete(id);
    this.#judged.delete(id);
    this.recalled.delete(id);
    this.keptOut.forget(id);
    this.findings.forget((uri) => this.workspace.file(uri) === undefined);
    this.workspace.forget(id);
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

  *preview(environment: Environment): Generator<void> {
    const judged = this.judged(environment);
    yield;
    yield* judged.preview();
  }

  keepIn(storage: TextStorage): void {
    this.#kept = new KeptOutcomes(storage);
  }

  /**
   * Takes up the results that an earlier process kept for the same files, until they are judged anew. Nothing is kept of small
   * environments, which are run before anybody looks, nor beside an imported cluster, whose text is not compared.
   */
  async recall(): Promise<void> {
    const drive = <T>(work: Generator<void, T>): Promise<{ readonly end: T } | undefined> =>
      this.drive(work);
    for (const environment of this.environments()) {
      if (!isWorthParting(environment, this.#smallEnvironment)) continue;
      const outcomes = await this.#kept?.read(environment, this.settings, drive);
      const isPresent = this.workspace.environment(environment.id) === environment;
      if (outcomes === undefined || !isPresent) continue;
      this.judged(environment).recall(outcomes);
      this.recalled.add(environment.id);
    }
  }

  /** Keeps the results for the next start, if they are complete and no file has unsaved changes. Yields often. */
  *keep(environment: Environment): Generator<void> {
    if (!isWorthParting(environment, this.#smallEnvironment)) return;
    const judged = this.judged(environment);
    const outcomes = judged.prediction()?.limit === undefined ? judged.outcomes() : undefined;
    if (outcomes === undefined || this.#kept === undefined) return;
    if (environment.files.some(({ uri }) => this.workspace.isUnsaved(uri))) return;
    const { kustomized, charts } = environment;
    const files = { kustomized, charts, findFile: (uri: string) => this.workspace.file(uri) };
    yield* this.#kept.write(environment, this.settings, outcomes, files);
  }

  /** The prediction of the environment's present state: starts anew after each edit. Undefined once it is cancelled. */
  async predictPresent(
    { id }: Environment,
    isCancelled: () => boolean = () => false,
  ): Promise<Prediction | undefined> {
    for (;;) {
      const environment = this.workspace.environment(id);
      if (environment === undefined || isCancelled()) return undefined;
      const isStale = (): boolean =>
        isCancelled() || this.workspace.environment(id) !== environment;
      const prediction = await this.predict(environment, isStale);
      if (prediction !== undefined) return prediction;
    }
  }

  async predict(
    environment: Environment,
    isStale: () => boolean = () => false,
  ): Promise<Prediction | undefined> {
    const work = await this.drive(this.judge(environment), isStale);
    if (work === undefined) return undefined;
    const judged = this.judged(environment);
    const [failure] = judged.takeFailures();
    if (failure !== undefined) throw failure;
    return judged.prediction();
  }

  /** Works in slices; undefined if `isStale` became true before the end. */
  async drive<T>(
    work: Generator<void, T>,
    isStale: () => boolean = () => false,
  ): Promise<{ readonly end: T } | undefined> {
    let pausedAt = performance.now();
    for (;;) {
      const next = work.next();
      if (next.done === true) return { end: next.value };
      if (performance.now() - pausedAt < sliceMs) continue;
      await this.#pause();
      if (isStale()) return undefined;
      pausedAt = performance.now();
    }
  }

  /** The findings that follow from the file alone; severities default to the project's. */
  ownDiagnostics(
    file: WorkspaceFile,
    environment: Environment,
    severities: Severities = environment.project.rules,
  ): readonly Diagnostic[] {
    const { kustomized, charts, project } = environment;
    const context = { version: this.analysis(environment).version, drivers: project.drivers };
    const ofPatches = kustomized.sources.has(file.uri) ? byPatches(file, kustomized) : {};
    const ofCharts = charts.sources.has(file.uri) ? byCharts(file, charts) : {};
    const patched = new Set([...(ofPatches.patched ?? []), ...(ofCharts.patched ?? [])]);
    return diagnoseFile(file, context, severities, {
      leavesStructure: this.#leavesStructure(file.uri),
      folderProblems: environment.folderProblems,
      isPatch: kustomized.patches.has(file.uri),
      ...ofPatches,
      ...ofCharts,
      ...(patched.size > 0 && { patched: [...patched] }),
    });
  }
}

/** What charts contribute to the findings of a file. */
function byCharts({ uri }: WorkspaceFile, charts: Charts): FileOptions {
  return {
    chartProblems: charts.problems.filter((problem) => problem.uri === uri),
    patched: charts.renderedIn(uri),
  };
}

/** What patches contribute to the findings of a file. */
function byPatches(file: WorkspaceFile, kustomized: Kustomized): FileOptions {
  const entries = new Map(objectsOfFile(file).map((entry) => [entry.object, entry]));
  const has = (object: ManifestObject, what: (entry: WorkspaceObject) => boolean): boolean => {
    const entry = entries.get(object);
    return entry !== undefined && what(entry);
  };
  return {
    patchProblems: kustomized.problems.filter(({ uri }) => uri === file.uri),
    patched: kustomized.patchedIn(file.uri),
    isReplaced: (object) => has(object, kustomized.isChanged),
    lacksPatch: (object) => has(object, kustomized.lacksPatch),
  };
}
